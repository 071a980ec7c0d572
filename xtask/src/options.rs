//! Options that several chores have.

use std::path::PathBuf;
use std::thread;

use crate::peers::tools;

/// Which random programs are looked at.
#[derive(Clone, Copy, clap::Args)]
pub struct Sampling {
    /// Compare N random programs instead of models
    #[arg(id = "random", long = "random", value_name = "N")]
    pub count: Option<u64>,
    /// Where random programs come from; the same seed gives the same programs
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Index of the first random program
    #[arg(long, value_name = "I", default_value_t = 0)]
    pub start: u64,
    /// How many failing random programs to cut down
    #[arg(long, value_name = "K", default_value_t = 4)]
    pub shrink: usize,
}

/// Which lurcher is asked.
#[derive(clap::Args)]
pub struct Binary {
    /// Use this binary instead of building one
    #[arg(long, value_name = "PATH")]
    lurcher: Option<PathBuf>,
}

impl Binary {
    /// The one given, or one built now.
    pub fn find(&self) -> Result<PathBuf, String> {
        match &self.lurcher {
            Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display())),
            None => tools::build_lurcher(),
        }
    }
}

/// How many programs are looked at side by side.
#[derive(clap::Args)]
pub struct Threads {
    /// Threads
    #[arg(long, value_name = "J")]
    jobs: Option<usize>,
}

impl Threads {
    /// As many as given, or as there are cores.
    pub fn count(&self) -> usize {
        self.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(2, usize::from))
    }
}
