//! Limits on the amount of compiled code.

use std::fmt;
use std::time::Duration;

/// Limits on compilation; a larger model is interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Instructions of Cranelift's intermediate form.
    pub instructions: usize,
    /// Compile time. Without a limit, whether a model is compiled does not depend on the load of the machine.
    pub time: Option<Duration>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { instructions: 200_000, time: None }
    }
}

/// Why a model was not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotCompiled {
    /// More instructions than the budget allows.
    Instructions(usize),
    /// More time than the budget allows.
    Time(Duration),
    /// The model violates a rule of `lurcher_ir::check`, on which compiled code relies.
    Malformed(String),
    /// Cranelift does not support this machine, or failed.
    Host(String),
}

impl fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCompiled::Instructions(most) => write!(f, "the model is more than {most} instructions"),
            NotCompiled::Time(most) => write!(f, "the model takes longer than {} ms to compile", most.as_millis()),
            NotCompiled::Malformed(what) => write!(f, "the model is malformed: {what}"),
            NotCompiled::Host(what) => write!(f, "the compiler cannot be used here: {what}"),
        }
    }
}

impl std::error::Error for NotCompiled {}
