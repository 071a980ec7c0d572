//! Errors of experiments.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why an experiment cannot be run or its results cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A file cannot be used, and why.
    File(PathBuf, String),
    /// There are results already.
    Exists(PathBuf),
    /// There are results already, and a study cannot be resumed.
    NoResume(PathBuf),
    /// Spin or NuSMV is missing.
    NoPeer(String),
}

impl ExperimentError {
    /// Makes errors about a file.
    pub(crate) fn about<E: fmt::Display>(path: &Path) -> impl Fn(E) -> ExperimentError {
        move |why| ExperimentError::File(path.to_owned(), why.to_string())
    }
}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExperimentError::File(path, why) => write!(f, "{}: {why}", path.display()),
            ExperimentError::Exists(path) => {
                write!(f, "{} already exists; --resume goes on from there, or choose another --out", path.display())
            }
            ExperimentError::NoResume(path) => {
                write!(f, "{} already exists, and such an experiment starts anew; choose another --out", path.display())
            }
            ExperimentError::NoPeer(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ExperimentError {}
