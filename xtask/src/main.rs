//! Repository chores, run as `cargo xtask <chore>`.

mod hunts;
mod jit;
mod peers;
mod random;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Repository chores")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Compare lurcher with the real Spin: every model and property, or random programs
    Peers(peers::Options),
    /// Hunt for every violation that the models are known to have, with many seeds
    Hunts(hunts::Options),
    /// Compare compiled models with the interpreter on random programs
    Jit(jit::Options),
}

fn main() -> ExitCode {
    match Arguments::parse().chore {
        Chore::Peers(options) => peers::run(&options),
        Chore::Hunts(options) => hunts::run(&options),
        Chore::Jit(options) => jit::run(&options),
    }
}
