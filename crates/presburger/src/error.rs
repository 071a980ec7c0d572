//! Why an operation has no result.

use std::fmt;

/// Why an operation on sets has no result. Limits on time and memory are not among the reasons: they unwind to the enclosing
/// [`ResourceLimits::bound`](lurcher_resources::ResourceLimits::bound).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A coefficient or a value left the range of 64 bits.
    NumberTooLarge,
    /// A term, a point or a list of columns names a column that is not in scope.
    NoSuchColumn,
    /// The operands have different numbers of columns.
    DifferentSpaces,
    /// There are more columns than [`Set::MOST_COLUMNS`](crate::Set::MOST_COLUMNS).
    TooManyColumns,
    /// A formula, or the search for one of its solutions, nests too deeply for the stack.
    TooDeep,
    /// The modulus of a congruence is not positive.
    ModulusNotPositive,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::NumberTooLarge => "a number does not fit into 64 bits",
            Error::NoSuchColumn => "a column is not in scope",
            Error::DifferentSpaces => "the operands have different numbers of columns",
            Error::TooManyColumns => "there are too many columns",
            Error::TooDeep => "a formula nests too deeply",
            Error::ModulusNotPositive => "the modulus of a congruence is not positive",
        })
    }
}

impl std::error::Error for Error {}

/// Why a conjunction of constraints was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// No integers satisfy it.
    Contradiction,
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}

/// `None` where the conjunction is contradictory.
pub(crate) fn consistent<T>(result: Result<T, Stop>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Contradiction) => Ok(None),
        Err(Stop::Error(error)) => Err(error),
    }
}
