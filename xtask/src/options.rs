//! Options that several chores share.

use std::path::PathBuf;
use std::thread;

use crate::repository;

/// Which random programs are generated.
#[derive(Clone, Copy, clap::Args)]
pub struct Sampling {
    /// Compare N random programs instead of models
    #[arg(id = "random", long = "random", value_name = "N")]
    pub count: Option<u64>,
    /// Seed of the random programs
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Index of the first random program
    #[arg(long, value_name = "I", default_value_t = 0)]
    pub start: u64,
    /// How many failing random programs to shrink
    #[arg(long, value_name = "K", default_value_t = 4)]
    pub shrink: usize,
}

impl Sampling {
    /// The indices of the programs.
    pub fn indices(&self) -> std::ops::Range<u64> {
        self.start..self.start + self.count.unwrap_or(0)
    }
}

/// The lurcher under test.
#[derive(clap::Args)]
pub struct Binary {
    /// Use this binary instead of building one
    #[arg(long, value_name = "PATH")]
    lurcher: Option<PathBuf>,
}

impl Binary {
    /// The given binary, or one built now.
    pub fn find(&self) -> Result<PathBuf, String> {
        match &self.lurcher {
            Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display())),
            None => repository::build_lurcher(),
        }
    }
}

/// How many models or programs are compared at a time.
#[derive(clap::Args)]
pub struct Threads {
    /// Threads
    #[arg(long, value_name = "J")]
    jobs: Option<usize>,
}

impl Threads {
    /// The given number, or the number of cores.
    pub fn count(&self) -> usize {
        self.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(2, usize::from))
    }
}
