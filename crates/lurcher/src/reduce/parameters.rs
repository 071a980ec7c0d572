//! The numbers in a model that decide how many processes there are.

use lurcher_heuristics::reduced_instance::{difference, shapes};
use lurcher_ir::Model;
use lurcher_system::{Interpreter, Limits};

use super::{Reduction, load_reduced};
use crate::languages::PromelaSource;

/// A number that decides how many processes there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A macro.
    Macro {
        /// Its name.
        name: String,
        /// Its value in the instance at hand.
        value: i32,
    },
    /// The number in `active [n]`.
    Active {
        /// The process type.
        process: String,
        /// The number.
        count: u16,
    },
}

impl Parameter {
    /// Its value in the instance at hand.
    pub fn value(&self) -> i32 {
        match self {
            Parameter::Macro { value, .. } => *value,
            Parameter::Active { count, .. } => i32::from(*count),
        }
    }

    fn at(&self, value: i32) -> Reduction {
        match self {
            Parameter::Macro { name, .. } => Reduction { defines: vec![(name.clone(), value)], ..Reduction::default() },
            Parameter::Active { process, .. } => {
                Reduction { active: [(process.clone(), value as u16)].into(), ..Reduction::default() }
            }
        }
    }
}

/// Values at which a parameter is tried out.
const TRIED: [i32; 3] = [2, 3, 4];
/// Steps of the run on which processes are counted.
const RUN: u32 = 2_000;

/// The parameters of a model: macros first, and numbers of active processes only where no macro is one.
pub fn parameters(source: &PromelaSource) -> Vec<Parameter> {
    let usual = population(source.model());
    let shape = shapes(source.model());
    let matters = |parameter: &Parameter| {
        let smaller = TRIED.into_iter().filter(|&v| v < parameter.value());
        smaller.into_iter().any(|value| {
            let Ok(reduced) = load_reduced(source, &parameter.at(value)) else { return false };
            difference(&shape, &shapes(reduced.model())).is_none() && population(reduced.model()) < usual
        })
    };
    let macros: Vec<Parameter> = macros(source).into_iter().filter(matters).collect();
    if macros.is_empty() { active(source.model()).into_iter().filter(matters).collect() } else { macros }
}

/// Macros with whole numbers as values: those of the sources, and those from the command line, which win.
fn macros(source: &PromelaSource) -> Vec<Parameter> {
    let mut found: Vec<(String, i32)> = Vec::new();
    for (_, file) in source.sources.files() {
        for (name, value) in file.text().lines().filter_map(definition) {
            match found.iter_mut().find(|(n, _)| n == name) {
                Some(known) => known.1 = value,
                None => found.push((name.to_owned(), value)),
            }
        }
    }
    for (name, value) in &source.defines {
        found.retain(|(n, _)| n != name);
        found.extend(value.trim().parse().ok().map(|v| (name.clone(), v)));
    }
    found.into_iter().map(|(name, value)| Parameter::Macro { name, value }).collect()
}

/// `#define NAME NUMBER` on a line; a comment may follow.
fn definition(line: &str) -> Option<(&str, i32)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let (name, value) = rest.strip_prefix([' ', '\t'])?.trim_start().split_once([' ', '\t'])?;
    let value = value.split("/*").next()?.split("//").next()?.trim();
    let value = value.strip_prefix('(').and_then(|v| v.strip_suffix(')')).unwrap_or(value);
    Some((name, value.trim().parse().ok()?))
}

/// Process types of which more than one starts by itself.
fn active(model: &Model) -> Vec<Parameter> {
    let count = |id: usize| model.initial_processes.iter().filter(|(ty, _)| ty.0 as usize == id).count();
    let types = model.process_types.iter().enumerate();
    let many = types.map(|(id, p)| (p.name.clone(), count(id) as u16)).filter(|(_, n)| *n > 1);
    many.map(|(process, count)| Parameter::Active { process, count }).collect()
}

/// The most processes there are at once on one run in which older processes go first: those that start others do so
/// before anything else happens.
fn population(model: &Model) -> u16 {
    let interpreter = Interpreter::new(model, Limits::for_model(model));
    let Ok(mut state) = interpreter.initial() else { return 0 };
    let mut most = state.process_count();
    let mut moves = Vec::new();
    for turn in 0..RUN {
        interpreter.moves(&state, &mut moves);
        // The last move is the oldest process's; where it has a choice, each of its branches gets a turn.
        let Some(oldest) = moves.last().map(|m| m.process) else { break };
        let own = moves.iter().filter(|m| m.process == oldest).count();
        let chosen = moves[moves.len() - 1 - turn as usize % own];
        if interpreter.apply(&mut state, &chosen).is_some_and(|v| v.is_fatal()) {
            break;
        }
        most = most.max(state.process_count());
    }
    most
}
