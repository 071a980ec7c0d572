//! `cargo xtask jit`: compiled models against the interpreter, on generated programs.

use std::fs;
use std::process::{Command, ExitCode};

use clap::Args;

use crate::random::generate;

#[derive(Args)]
pub struct Options {
    /// How many random programs to compare
    #[arg(long, value_name = "N", default_value_t = 200)]
    random: u64,
    /// Where random programs come from; the same seed gives the same programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Index of the first random program
    #[arg(long, default_value_t = 0)]
    start: u64,
}

pub fn run(options: &Options) -> ExitCode {
    match try_run(options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Writes the programs to a folder and has the example of `lurcher-jit` compare them; it names those that differ.
fn try_run(options: &Options) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    for index in options.start..options.start + options.random {
        let path = folder.path().join(format!("{}-{index:06}.pml", options.seed));
        let text = generate::program(options.seed, index).to_string();
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let status = Command::new(cargo)
        .args(["run", "--release", "--quiet", "-p", "lurcher-jit", "--example", "agree", "--"])
        .arg(folder.path())
        .status()
        .map_err(|e| e.to_string())?;
    Ok(status.success())
}
