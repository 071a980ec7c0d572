//! Why there is no answer.

use std::fmt;

/// Why a model cannot be checked, or a check was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An operation on sets of integers has no result.
    Numbers(lurcher_presburger::Error),
    /// The model says something that the encoding does not cover.
    Unsupported(String),
    /// No constants satisfy the axioms.
    NoConstants,
    /// No constants that satisfy the axioms admit a state that satisfies the initial clause.
    NoInitialState,
    /// There is no property of this number.
    NoSuchProperty(usize),
    /// Schedules may assume more than other properties, so they are checked by themselves.
    DifferentAssumptions,
    /// A window or a depth is 0.
    Zero(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Numbers(error) => write!(f, "{error}"),
            Error::Unsupported(what) => write!(f, "{what} cannot be checked with sets of integers"),
            Error::NoConstants => f.write_str("no constants satisfy the axioms"),
            Error::NoInitialState => f.write_str("no state satisfies the initial clause"),
            Error::NoSuchProperty(index) => write!(f, "there is no property {index}"),
            Error::DifferentAssumptions => f.write_str("schedules are checked apart from invariants and constraints"),
            Error::Zero(what) => write!(f, "the {what} must be at least 1"),
        }
    }
}

impl std::error::Error for Error {}

/// Why a computation over the encoding ends without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Error(Error),
    /// Something depends on the absolute time, of which states with these explicit values do not know.
    AbsoluteTime(Vec<i64>),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}

impl From<lurcher_presburger::Error> for Stop {
    fn from(error: lurcher_presburger::Error) -> Self {
        Stop::Error(Error::Numbers(error))
    }
}

pub(crate) fn unsupported<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Error(Error::Unsupported(what.into())))
}
