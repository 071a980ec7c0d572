//! Pattern databases as text.
//!
//! A header that a person can read (the target, what is kept, the values each position takes), then one line for each
//! abstract state: its number and its distance. Loading needs the same model: names are looked up again, and so the
//! text survives a change of the model that keeps them.

use std::fmt::Write;

use lurcher_ir::ProcessTypeId;
use lurcher_system::Interpreter;

use super::facts::Facts;
use super::key::Coder;
use super::pattern::{Item, Pattern};
use super::{PatternDatabase, choose};
use crate::goals::Target;

const FIRST_LINE: &str = "lurcher pattern database 1";

/// What is wrong with the text of a pattern database: line and reason.
#[derive(Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "pattern database, line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for LoadError {}

impl<'m> PatternDatabase<'m> {
    /// The database as text.
    pub fn save(&self) -> String {
        let mut out = format!("{FIRST_LINE}\ntarget {}\n", self.target.name());
        for name in self.kept() {
            let _ = writeln!(out, "keep {name}");
        }
        for values in self.coder.values() {
            let values: Vec<String> = values.iter().map(i32::to_string).collect();
            let _ = writeln!(out, "values {}", values.join(" "));
        }
        let _ = writeln!(out, "far {}", self.far);
        let mut entries: Vec<(u128, u32)> = self.distances.iter().map(|(k, d)| (*k, *d)).collect();
        entries.sort_unstable();
        for (key, distance) in entries {
            let _ = writeln!(out, "{key:x} {distance}");
        }
        out
    }

    /// Reads a database for a model and a target.
    pub fn load(interpreter: &Interpreter<'m>, target: &Target, text: &str) -> Result<Self, LoadError> {
        let model = interpreter.model();
        let wrong = |line: usize, reason: &str| LoadError { line, reason: reason.to_owned() };
        let initial = interpreter.initial().map_err(|_| wrong(1, "the model has no initial state"))?;
        let types: Vec<Option<ProcessTypeId>> = choose::types(interpreter, &initial);
        let facts = Box::new(Facts::new(model));
        let names: Vec<(String, Item)> =
            choose::all(model, &facts, &types).into_iter().map(|i| (i.name(model, &facts, &types), i)).collect();
        let mut items = Vec::new();
        let mut values = Vec::new();
        let mut far = None;
        let mut distances = rustc_hash::FxHashMap::default();
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            let (word, rest) = text.split_once(' ').ok_or_else(|| wrong(line, "two words are expected"))?;
            let number = || rest.parse::<u32>().map_err(|_| wrong(line, "a number is expected"));
            match word {
                _ if line == 1 && text == FIRST_LINE => {}
                _ if line == 1 => return Err(wrong(line, "this is not a pattern database")),
                "target" if rest == target.name() => {}
                "target" => return Err(wrong(line, "it was made for another kind of violation")),
                "keep" => {
                    let known = names.iter().find(|n| n.0 == rest);
                    items.push(known.ok_or_else(|| wrong(line, "the model has nothing of this name"))?.1);
                }
                "values" => {
                    let parsed: Result<Vec<i32>, _> = rest.split(' ').map(str::parse).collect();
                    values.push(parsed.map_err(|_| wrong(line, "numbers are expected"))?);
                }
                "far" => far = Some(number()?),
                key => {
                    let key = u128::from_str_radix(key, 16).map_err(|_| wrong(line, "an unknown word"))?;
                    distances.insert(key, number()?);
                }
            }
        }
        let last = text.lines().count();
        let pattern = Pattern::new(model, &facts, &types, &items);
        if values.len() != pattern.width {
            return Err(wrong(last, "it does not fit the model"));
        }
        let coder = Coder::of_values(values).ok_or_else(|| wrong(last, "there are too many values"))?;
        let far = far.ok_or_else(|| wrong(last, "the line `far` is missing"))?;
        if distances.values().any(|d| *d > far) {
            return Err(wrong(last, "a distance is larger than `far`"));
        }
        Ok(PatternDatabase {
            interpreter: interpreter.clone(),
            target: target.clone(),
            facts,
            types,
            pattern: Box::new(pattern),
            coder,
            distances,
            far,
        })
    }
}
