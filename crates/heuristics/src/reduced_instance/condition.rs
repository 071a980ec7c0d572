//! Conditions of a row on the state: values of variables and locations of other processes.
//!
//! A variable is compared with a number, with the moving process's number, or with the number of processes of its type; the
//! last two carry over to instances of another size. The term is inferred from examples: the first of *constant*, *relative
//! to `_pid`*, *relative to `_count`* that holds in all of them; if none does, the variable is a wildcard.

use std::fmt;
use std::str::FromStr;

use lurcher_ir::{BinaryOp, LocationId};

use super::role::Rank;

/// The location of a process that does not exist: no process is ever at location 0.
pub(crate) const GONE: LocationId = LocationId(0);

/// Longest spelling first, so that `<=` is not read as `<`.
const COMPARISONS: [(&str, BinaryOp); 6] = [
    ("==", BinaryOp::Eq),
    ("!=", BinaryOp::Ne),
    ("<=", BinaryOp::Le),
    (">=", BinaryOp::Ge),
    ("<", BinaryOp::Lt),
    (">", BinaryOp::Gt),
];

/// One condition of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A comparison of a variable by name: a local of the moving process, or else a global.
    Variable(String, BinaryOp, Term),
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

/// The right-hand side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A number.
    Constant(i32),
    /// The number of the moving process plus this.
    Pid(i32),
    /// The number of processes of its type plus this.
    Count(i32),
}

impl Term {
    /// Its value for a process.
    pub fn value(self, pid: u16, count: u16) -> i32 {
        match self {
            Term::Constant(v) => v,
            Term::Pid(d) => i32::from(pid).wrapping_add(d),
            Term::Count(d) => i32::from(count).wrapping_add(d),
        }
    }

    /// The first term that gives the value in all examples: value, moving process, number of processes of its type.
    pub(crate) fn infer(examples: &[(i32, u16, u16)]) -> Option<Term> {
        let &(value, pid, count) = examples.first()?;
        let terms = [Term::Constant(value), Term::Pid(value - i32::from(pid)), Term::Count(value - i32::from(count))];
        let near = |t: &Term| !matches!(t, Term::Pid(d) | Term::Count(d) if d.abs() > 1);
        let always = |t: &&Term| examples.iter().all(|&(v, pid, count)| t.value(pid, count) == v);
        terms.iter().filter(|t| near(t)).find(always).copied()
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, offset) = match self {
            Term::Constant(v) => return write!(f, "{v}"),
            Term::Pid(d) => ("_pid", d),
            Term::Count(d) => ("_count", d),
        };
        if *offset == 0 { write!(f, "{name}") } else { write!(f, "{name}{offset:+}") }
    }
}

impl FromStr for Term {
    type Err = String;

    fn from_str(text: &str) -> Result<Term, String> {
        let text = text.trim();
        let wrong = || format!("`{text}` is no value: use a number, `_pid+1` or `_count-1`");
        let offset = |rest: &str| match (rest.strip_prefix('+'), rest.strip_prefix('-')) {
            (None, None) if rest.is_empty() => Ok(0),
            (Some(more), _) => more.trim().parse().map_err(|_| wrong()),
            (_, Some(less)) => less.trim().parse::<i32>().map(i32::wrapping_neg).map_err(|_| wrong()),
            _ => Err(wrong()),
        };
        match (text.strip_prefix("_pid"), text.strip_prefix("_count")) {
            (Some(rest), _) => offset(rest.trim()).map(Term::Pid),
            (_, Some(rest)) => offset(rest.trim()).map(Term::Count),
            _ => text.parse().map(Term::Constant).map_err(|_| wrong()),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Variable(name, comparison, term) => {
                let spelled = COMPARISONS.iter().find(|(_, c)| c == comparison).map_or("", |(s, _)| s);
                write!(f, "{name}{spelled}{term}")
            }
            Condition::At { process, rank, location } => write!(f, "{process}[{rank}]@{}", location.0),
        }
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        let text = text.trim();
        if let Some((place, location)) = text.split_once('@') {
            let wrong = || format!("`{text}` is no place of a process: use `P[0]@3`");
            let (process, rank) = place.trim().strip_suffix(']').and_then(|p| p.split_once('[')).ok_or_else(wrong)?;
            let location = location.trim().parse().map(LocationId).map_err(|_| wrong())?;
            return Ok(Condition::At { process: process.trim().to_owned(), rank: rank.parse()?, location });
        }
        let wrong = || format!("`{text}` is no condition on a variable: use `x==1`");
        let (name, rest) = text.split_at(text.find(['=', '!', '<', '>']).ok_or_else(wrong)?);
        let &(spelled, comparison) = COMPARISONS.iter().find(|(s, _)| rest.starts_with(s)).ok_or_else(wrong)?;
        match name.trim() {
            "" => Err(wrong()),
            name => Ok(Condition::Variable(name.to_owned(), comparison, rest[spelled.len()..].parse()?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simplest_term_that_holds_in_all_examples_is_kept() {
        assert_eq!(Term::infer(&[(1, 0, 2), (1, 1, 3)]), Some(Term::Constant(1)));
        assert_eq!(Term::infer(&[(1, 0, 2), (2, 1, 2)]), Some(Term::Pid(1)));
        assert_eq!(Term::infer(&[(1, 0, 2), (2, 0, 3)]), Some(Term::Count(-1)));
        assert_eq!(Term::infer(&[(1, 0, 2), (5, 0, 2)]), None);
        assert_eq!(Term::infer(&[(9, 0, 2), (10, 1, 3)]), None, "too far away to mean anything");
        assert_eq!(Term::infer(&[]), None);
    }

    #[test]
    fn conditions_are_read_as_they_are_printed() {
        for text in ["x==1", "x!=_pid", "a.b<=_count-1", "x>-3", "x>=_pid+1", "x<4", "P[0]@3", "P[last-1]@12"] {
            assert_eq!(text.parse::<Condition>().expect("a condition").to_string(), text);
        }
        let numbers = ["", "x", "==1", "x=1", "x==", "x==_pidd", "x==1 2", "x==_pid3", "x==99999999999"];
        for text in numbers.into_iter().chain(["P@3", "P[]@3", "P[0]@", "P[0@3", "P[0]@x", "[0]3"]) {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }
}
