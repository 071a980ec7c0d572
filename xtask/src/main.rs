//! Repository chores, run as `cargo xtask <chore>`.

mod bench;
mod engines;
mod hunts;
mod jit;
mod nusmv;
mod options;
mod peers;
mod random;
mod reduction;
mod sanitize;
mod sizes;
mod smv;

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
    /// Compare lurcher with the real Spin or NuSMV: every model and property, or random programs
    Peers(peers::Options),
    /// Hunt for every violation that the models are known to have, with many seeds
    Hunts(hunts::Options),
    /// Build NuSMV from source and print the path of its binary
    Nusmv(nusmv::Options),
    /// Measure every engine on every flawed SMV model
    Engines(engines::Options),
    /// Write the SMV models of bench/thesis in all their sizes
    Sizes(sizes::Options),
    /// Compare compiled models with the interpreter on random programs
    Jit(jit::Options),
    /// Compare verdicts with partial-order reduction and without, on every model or on random programs
    Reduction(reduction::Options),
    /// Run the tests of the shared store under ThreadSanitizer, Miri and loom
    Sanitize(sanitize::Options),
    /// Measure lurcher beside Spin, walks by hand and Stateright: the table of speed
    Bench(bench::Options),
    /// Walk a model written by hand; `bench` starts this
    #[command(hide = true)]
    ByHand(bench::ByHand),
}

fn main() -> ExitCode {
    match Arguments::parse().chore {
        Chore::Peers(options) => peers::run(&options),
        Chore::Hunts(options) => hunts::run(&options),
        Chore::Nusmv(options) => nusmv::run(&options),
        Chore::Engines(options) => engines::run(&options),
        Chore::Sizes(options) => sizes::run(&options),
        Chore::Jit(options) => jit::run(&options),
        Chore::Reduction(options) => reduction::run(&options),
        Chore::Sanitize(options) => sanitize::run(&options),
        Chore::Bench(options) => bench::run(&options),
        Chore::ByHand(options) => bench::walk_by_hand(&options),
    }
}
