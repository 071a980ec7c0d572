//! `cargo xtask peers`: lurcher against the real Spin.

pub mod bench;
pub mod child;
pub mod facts;
pub mod kind;
pub mod lurcher;
pub mod pan;
pub mod pan_output;
pub mod spin_replay;
pub mod tools;
pub mod trail;

use std::process::ExitCode;

/// What to compare.
#[derive(clap::Args)]
pub struct Options {
    #[arg(long)]
    random: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the comparison.
pub fn run(options: &Options) -> ExitCode {
    for i in 0..options.random.unwrap_or(1) {
        std::fs::write(format!("/tmp/xw/gen/{i}.pml"), crate::random::generate::program(options.seed, i).to_string())
            .unwrap();
    }
    ExitCode::SUCCESS
}
