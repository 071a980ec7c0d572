//! How much may be compiled.

use std::fmt;
use std::time::Duration;

/// How much may be compiled before the interpreter is the better choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Instructions of Cranelift's intermediate form.
    pub instructions: usize,
    /// Time to compile. Without a limit, the number of instructions alone decides, so that a model is always compiled or
    /// never, whatever else the machine does.
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
    /// It would be more instructions than the budget allows.
    Instructions(usize),
    /// It took longer than the budget allows.
    Time(Duration),
    /// The model breaks the rules of the model form, which compiled code relies on.
    Malformed(String),
    /// There is no compiler for this machine, or it failed.
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
