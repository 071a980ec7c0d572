//! Why an engine gives no report.

use std::fmt;

use lurcher_resources::LimitReached;
use lurcher_search::TooLarge;

/// Why an engine gives no report.
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineError {
    /// The automaton of a formula is too large: the property's name, and the reason.
    Formula(String, TooLarge),
    /// A heuristic cannot be built: its name, and the reason.
    Heuristic(&'static str, String),
    /// A saved hunt cannot be resumed here.
    Resume(String),
    /// The engine does not support the model, the property or an option: the reason in one sentence.
    Refused(String),
    /// A limit was reached before there were results.
    Stopped(LimitReached),
    /// A run of the part of a model that decides a property has no counterpart in the whole model that is short enough: the
    /// property's name. The whole model has to be searched.
    NoCounterpart(String),
    /// A trace that a search found does not replay: a bug.
    Unconfirmed(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Formula(name, error) => write!(f, "property `{name}`: {error}"),
            EngineError::Heuristic(name, why) => write!(f, "the guide {name} cannot be made: {why}"),
            EngineError::Resume(why) => write!(f, "the saved hunt cannot be resumed: {why}"),
            EngineError::Refused(why) => write!(f, "{why}"),
            EngineError::Stopped(limit) => write!(f, "{limit}"),
            EngineError::NoCounterpart(name) => {
                write!(f, "property `{name}`: its violation has no short counterpart in the whole model")
            }
            EngineError::Unconfirmed(what) => write!(f, "the trace of a violation could not be confirmed: {what}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<LimitReached> for EngineError {
    fn from(limit: LimitReached) -> Self {
        EngineError::Stopped(limit)
    }
}
