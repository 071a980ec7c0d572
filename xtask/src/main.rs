//! Repository chores, run as `cargo xtask <chore>`.

mod bench;
mod campaign;
mod directed;
mod engines;
mod fuzz;
mod heuristics;
mod hunts;
mod jit;
mod nusmv;
mod options;
mod peers;
mod random;
mod reduction;
mod repository;
mod sanitize;
mod searches;
mod shrink;
mod sizes;
mod smv;
mod tree;

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
    Nusmv,
    /// Measure every engine on every flawed SMV model
    Engines(engines::Options),
    /// Measure directed searches with every heuristic beside breadth-first search, or make the tables of a paper
    Directed(directed::Options),
    /// Write the SMV models of bench/thesis in all their sizes
    Sizes(sizes::Options),
    /// Compare compiled models with the interpreter on random programs
    Jit(jit::Options),
    /// Compare heuristics that call themselves admissible with true distances, on random programs
    Heuristics(heuristics::Options),
    /// Compare verdicts with partial-order reduction and without, on every model or on random programs
    Reduction(reduction::Options),
    /// Compare directed and randomised searches with breadth-first search, on every model or on random programs
    Searches(searches::Options),
    /// Read mutants of models, formulas, experiments, traces and saved hunts, and report what panics or never ends
    Fuzz(fuzz::Options),
    /// Run the tests of the shared store under ThreadSanitizer, Miri and loom
    Sanitize(sanitize::Options),
    /// Measure lurcher beside Spin, hand-written walks and Stateright
    Bench(bench::Options),
    /// Walk a hand-written model; `bench` starts this
    #[command(hide = true)]
    ByHand(bench::ByHand),
}

/// Exit status 0: the chore succeeded; 1: it found a difference or missed a goal; 2: it could not run.
fn main() -> ExitCode {
    let done = match Arguments::parse().chore {
        Chore::Peers(options) => peers::run(&options),
        Chore::Hunts(options) => hunts::run(&options),
        Chore::Nusmv => nusmv::binary().map(|path| println!("{}", path.display())).map(|()| true),
        Chore::Engines(options) => engines::run(&options),
        Chore::Directed(options) => directed::run(&options),
        Chore::Sizes(options) => sizes::run(&options).map(|()| true),
        Chore::Jit(options) => jit::run(&options),
        Chore::Heuristics(options) => heuristics::run(&options),
        Chore::Reduction(options) => reduction::run(&options),
        Chore::Searches(options) => searches::run(&options),
        Chore::Fuzz(options) => fuzz::run(&options),
        Chore::Sanitize(options) => sanitize::run(&options),
        Chore::Bench(options) => bench::run(&options).map(|()| true),
        Chore::ByHand(options) => bench::walk_by_hand(&options).map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::from(2)
        }
    }
}
