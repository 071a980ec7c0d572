//! Smaller instances of a model, and the guide `reduced-instance` made from them.
//!
//! An instance is made smaller by other values for the macros that its source defines, or, where none of them does
//! it, by other numbers in `active [n]`. Which macros matter is not read off the source but tried out: a macro is a
//! *parameter* when a smaller value gives a model that loads, whose process types look the same, and in which fewer
//! processes come to life on a short run. So it makes no difference whether a number reaches `active [n]`, a loop
//! around `run` or an array directly, through other macros, or from the command line.

mod build;
mod parameters;

use std::collections::BTreeMap;
use std::fmt;

use lurcher_heuristics::Target;
use lurcher_heuristics::reduced_instance::{ReducedInstance, Style};
use lurcher_heuristics::registry::Instances;
use lurcher_ir::Property;

use crate::languages::PromelaSource;
use crate::load::LoadError;
use crate::question::Question;

pub use build::{NoGuide, Request, reduced_instance};
pub use parameters::{Parameter, parameters};

/// States that may be explored in all instances together.
const STATES: u64 = 50_000;

/// The smaller instances of a Promela model.
pub(crate) struct PromelaInstances<'s> {
    pub source: &'s PromelaSource,
    /// The questions that properties come from.
    pub asked: &'s [(Question, Property)],
}

impl Instances for PromelaInstances<'_> {
    fn reduced(
        &self,
        property: &Property,
        target: &Target,
        reduce: Option<&str>,
    ) -> Result<(ReducedInstance, Vec<String>), String> {
        let asked = || self.asked.iter().find(|(_, p)| p.name == property.name).map(|(question, _)| question.clone());
        let question = match target {
            Target::Deadlock | Target::Assertion => None,
            _ => asked(),
        };
        let question = question.unwrap_or_else(|| Question::Named(property.name.clone()));
        let reduction = reduce.map(Reduction::parse).transpose()?;
        let request = Request { question: &question, property, reduction, states: STATES, style: Style::Roles };
        reduced_instance(self.source, &request).map_err(|e| e.to_string())
    }
}

/// How to make an instance smaller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Values of macros.
    pub defines: Vec<(String, i32)>,
    /// Numbers of active processes, by process type.
    pub active: BTreeMap<String, u16>,
}

impl Reduction {
    /// Reads a list of `NAME=VALUE`, separated by commas: macros of the model.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Reduction, String> {
        let pair = |item: &str| {
            let (name, value) = item.split_once('=').ok_or_else(|| format!("expected `NAME=VALUE`, found `{item}`"))?;
            let number = value.trim().parse().map_err(|_| format!("`{}` is not a number", value.trim()))?;
            Ok((name.trim().to_owned(), number))
        };
        let defines = text.split(',').map(pair).collect::<Result<_, String>>()?;
        Ok(Reduction { defines, active: BTreeMap::new() })
    }

    /// The same with every number one larger: the next size to compare with.
    pub fn larger(&self) -> Reduction {
        Reduction {
            defines: self.defines.iter().map(|(n, v)| (n.clone(), v.saturating_add(1))).collect(),
            active: self.active.iter().map(|(n, v)| (n.clone(), v.saturating_add(1))).collect(),
        }
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let defines = self.defines.iter().map(|(name, value)| format!("{name}={value}"));
        let active = self.active.iter().map(|(name, n)| format!("active [{n}] {name}"));
        let all: Vec<String> = defines.chain(active).collect();
        f.write_str(if all.is_empty() { "nothing" } else { "" })?;
        f.write_str(&all.join(", "))
    }
}

/// Instance sizes that are tried.
const SIZES: std::ops::RangeInclusive<i32> = 2..=6;

/// Ways to make the instance smaller, in the order in which to try them: all parameters at 2 (or their own value,
/// if that is less), at 3, and so on.
pub fn candidates(source: &PromelaSource) -> Vec<Reduction> {
    let found = parameters(source);
    let mut all: Vec<Reduction> = Vec::new();
    for size in SIZES {
        let mut reduction = Reduction::default();
        for parameter in &found {
            match parameter {
                Parameter::Macro { name, value } => reduction.defines.push((name.clone(), size.min(*value))),
                Parameter::Active { process, count } => {
                    reduction.active.insert(process.clone(), (size as u16).min(*count));
                }
            }
        }
        let smaller = found.iter().any(|p| p.value() > size);
        if smaller && all.last() != Some(&reduction) {
            all.push(reduction);
        }
    }
    all
}

/// Reads a smaller instance of a model from the same text.
///
/// # Errors
/// When the smaller model is wrong.
pub fn load_reduced(source: &PromelaSource, reduction: &Reduction) -> Result<PromelaSource, LoadError> {
    let Some((_, main)) = source.sources.files().next() else {
        return Err(LoadError::UnknownLanguage("model".into()));
    };
    let kept = source.defines.iter().filter(|(name, _)| !reduction.defines.iter().any(|(n, _)| n == name)).cloned();
    let changed = reduction.defines.iter().map(|(name, value)| (name.clone(), value.to_string()));
    PromelaSource::read(main.name(), main.text().to_string(), kept.chain(changed).collect(), reduction.active.clone())
}
