//! The models of a sweep: a text file with one model in each line.
//!
//! A line is a model, macros as `NAME=VALUE`, and further arguments of lurcher that choose the property; without any the
//! property is safety. `name` is a model of `models/promela`, `name.smv` one of `models/smv`. `#` begins a comment.

use std::path::{Path, PathBuf};

use crate::repository;

/// A model at a size, with a property that it violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    /// The model and its size, as in the list.
    pub name: String,
    pub model: PathBuf,
    /// Arguments of lurcher that choose size and property.
    pub arguments: Vec<String>,
}

impl Subject {
    fn read(line: &str) -> Result<Subject, String> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let model = match name.ends_with(".smv") {
            true => repository::root().join("models/smv").join(name),
            false => repository::root().join("models/promela").join(name).with_extension("pml"),
        };
        if !model.is_file() {
            return Err(format!("`{line}`: there is no {}", model.display()));
        }
        let mut arguments = Vec::new();
        for word in words {
            if !word.starts_with('-') && word.contains('=') {
                arguments.push("-D".to_owned());
            }
            arguments.push(word.to_owned());
        }
        if !arguments.iter().any(|argument| argument.starts_with("--")) {
            arguments.push("--no-claims".to_owned());
        }
        Ok(Subject { name: line.to_owned(), model, arguments })
    }
}

/// The subjects of a list whose name contains one of `only`, or all of them.
pub(super) fn subjects(list: &Path, only: &[String]) -> Result<Vec<Subject>, String> {
    let text = repository::read(list)?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let chosen = |line: &&str| !line.is_empty() && (only.is_empty() || only.iter().any(|part| line.contains(&**part)));
    lines.filter(chosen).map(Subject::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_model_size_and_property() {
        let arguments = |line: &str| Subject::read(line).map(|s| s.arguments.join(" "));
        assert_eq!(arguments("philosophers N=14"), Ok("-D N=14 --no-claims".to_owned()));
        let elevator = "elevator FLOORS=4 --property closed_while_moving";
        assert_eq!(arguments(elevator), Ok("-D FLOORS=4 --property closed_while_moving".to_owned()));
        assert_eq!(arguments("peterson-2.smv --property exclusion"), Ok("--property exclusion".to_owned()));
        assert!(arguments("no-such-model N=1").is_err());
    }

    #[test]
    fn the_models_of_the_sweep_exist() {
        let list = repository::root().join("bench/directed/models.txt");
        let all = subjects(&list, &[]).unwrap();
        assert!(all.len() >= 10, "{}", all.len());
        let some = subjects(&list, &["philosophers".to_owned()]).unwrap();
        assert!(!some.is_empty() && some.len() < all.len());
    }
}
