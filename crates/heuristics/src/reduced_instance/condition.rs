//! Conditions of a row on the state: values of variables and locations of other processes.

use std::fmt;

use lurcher_ir::LocationId;

use super::constraint::Constraint;
use super::role::Rank;

/// The location of a process that does not exist: no process is ever at location 0.
pub(crate) const GONE: LocationId = LocationId(0);

/// One condition of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// On a variable.
    Variable(Constraint),
    /// Another process is at the location that it has on the path before this step.
    At {
        /// Its type.
        process: String,
        /// Its rank among the processes of the type.
        rank: Rank,
        /// Its location; 0 if it does not exist.
        location: LocationId,
    },
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Variable(constraint) => constraint.fmt(f),
            Condition::At { process, rank, location } => write!(f, "{process}[{rank}]@{}", location.0),
        }
    }
}

impl std::str::FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        let text = text.trim();
        let Some((place, location)) = text.split_once('@') else { return text.parse().map(Condition::Variable) };
        let wrong = || format!("`{text}` is no place of a process: use `P[0]@3`");
        let (process, rank) = place.trim().strip_suffix(']').and_then(|p| p.split_once('[')).ok_or_else(wrong)?;
        let location = location.trim().parse().map(LocationId).map_err(|_| wrong())?;
        Ok(Condition::At { process: process.trim().to_owned(), rank: rank.parse()?, location })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_as_they_are_printed() {
        for text in ["x==1", "P[0]@3", "P[last-1]@12"] {
            assert_eq!(text.parse::<Condition>().expect("a condition").to_string(), text);
        }
        for text in ["P@3", "P[]@3", "P[0]@", "P[0@3", "P[0]@x", "[0]3"] {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }
}
