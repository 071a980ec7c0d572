//! What an experiment fails with.

use std::fmt;
use std::path::PathBuf;

/// Why results cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A file or folder cannot be read or written.
    Io(PathBuf, std::io::Error),
    /// A table is not one of ours.
    Csv(PathBuf, String),
    /// A plot cannot be drawn.
    Plot(PathBuf, String),
    /// There are results already, and nobody said to go on.
    Exists(PathBuf),
    /// Spin is asked for and something is missing.
    NoSpin(String),
    /// A study starts anew, and there are results.
    NoResume(PathBuf),
    /// A model cannot be used.
    Model(PathBuf, String),
    /// NuSMV is asked for and missing.
    NoNusmv(String),
}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExperimentError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            ExperimentError::Csv(path, why) => write!(f, "{}: {why}", path.display()),
            ExperimentError::Plot(path, why) => write!(f, "{} cannot be drawn: {why}", path.display()),
            ExperimentError::Exists(path) => {
                write!(f, "{} already exists; --resume goes on from there, or choose another --out", path.display())
            }
            ExperimentError::NoSpin(why) | ExperimentError::NoNusmv(why) => write!(f, "{why}"),
            ExperimentError::NoResume(path) => {
                write!(f, "{} already exists, and such an experiment starts anew; choose another --out", path.display())
            }
            ExperimentError::Model(path, why) => write!(f, "{}: {why}", path.display()),
        }
    }
}

impl std::error::Error for ExperimentError {}
