//! `cargo xtask jit`: compiled models against the interpreter, on random programs.

use crate::random::generate;
use crate::repository;

#[derive(clap::Args)]
pub struct Options {
    /// How many random programs to compare
    #[arg(long, value_name = "N", default_value_t = 200)]
    random: u64,
    /// Seed of the random programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Index of the first random program
    #[arg(long, default_value_t = 0)]
    start: u64,
}

/// Writes the programs to a folder and runs the example `agree` of `lurcher-jit`, which names those that differ.
pub fn run(options: &Options) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    for index in options.start..options.start + options.random {
        let path = folder.path().join(format!("{}-{index:06}.pml", options.seed));
        repository::write(&path, &generate::program(options.seed, index).to_string())?;
    }
    let mut agree = repository::cargo();
    agree.args(["run", "--release", "--quiet", "-p", "lurcher-jit", "--example", "agree", "--"]).arg(folder.path());
    agree.status().map(|status| status.success()).map_err(|e| e.to_string())
}
