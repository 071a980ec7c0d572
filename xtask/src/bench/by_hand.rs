//! Walks written by hand, in a process of their own: `xtask by-hand MODEL N`.

#[path = "../../../crates/jit/examples/walks/hand.rs"]
pub mod hand;

use std::process::ExitCode;

use hand::{Hand, Peterson, Philosophers, Ring};

use super::walked::Walked;

/// Which walks.
#[derive(clap::Args)]
pub struct Options {
    /// The model
    model: Walked,
    /// Its size
    n: usize,
    /// How many walks
    #[arg(long, default_value_t = 1)]
    walks: u64,
    /// Steps of a walk
    #[arg(long, default_value_t = 10_000)]
    depth: u64,
    /// Where the random numbers come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Walks, and prints how many steps that were.
pub fn run(options: &Options) -> ExitCode {
    let steps = match options.model {
        Walked::Philosophers => steps(Philosophers::new(options.n), options),
        Walked::MutualExclusion => steps(Peterson::new(), options),
        Walked::ChannelRing => steps(Ring::new(options.n), options),
    };
    println!("{steps}");
    ExitCode::SUCCESS
}

fn steps<H: Hand>(mut model: H, options: &Options) -> u64 {
    let mut pool = Vec::new();
    let walks = 0..options.walks;
    walks.map(|index| hand::walk(&mut model, (options.seed, index), options.depth, &mut pool).0).sum()
}
