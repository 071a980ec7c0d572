//! Pattern databases as text.
//!
//! A readable header (the target, the kept items, the values of each position), then a line for each abstract state: its
//! key and its distance. Loading resolves the names again, so the text survives a change of the model that keeps them.

use std::fmt::Write;

use lurcher_system::Interpreter;
use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::key::Coder;
use super::pattern::{Item, Pattern};
use super::{PatternDatabase, order};
use crate::goals::Target;
use crate::text::TextError;

const FIRST_LINE: &str = "lurcher pattern database 1";

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
    pub fn load(interpreter: &Interpreter<'m>, target: &Target, text: &str) -> Result<Self, TextError> {
        let wrong =
            |line: usize, message: &str| TextError { context: "pattern database, ", line, message: message.to_owned() };
        let facts = Facts::new(interpreter).ok_or_else(|| wrong(1, "the model has no initial state"))?;
        let names: Vec<(String, Item)> = order::all(&facts).into_iter().map(|i| (i.name(&facts), i)).collect();
        let (mut items, mut values, mut far, mut distances) = (Vec::new(), Vec::new(), None, FxHashMap::default());
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
        let pattern = Pattern::new(&facts, &items);
        if values.len() != pattern.width {
            return Err(wrong(last, "it does not fit the model"));
        }
        let coder = Coder::new(values.into_iter()).ok_or_else(|| wrong(last, "there are too many values"))?;
        let far = far.ok_or_else(|| wrong(last, "the line `far` is missing"))?;
        if distances.values().any(|d| *d > far) {
            return Err(wrong(last, "a distance is larger than `far`"));
        }
        Ok(PatternDatabase { facts: Box::new(facts), target: target.clone(), pattern, coder, distances, far })
    }
}
