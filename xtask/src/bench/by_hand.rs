//! Hand-written walks, in a process of their own: `xtask by-hand MODEL N`.

mod hand;

use std::path::{Path, PathBuf};

use hand::{Hand, Peterson, Philosophers, Ring};

use crate::repository;

/// A model that exists three times: in Promela, in Rust by hand, and for Stateright, which uses the Rust model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum HandModel {
    /// Philosophers with forks that are flags
    Philosophers,
    /// Peterson's algorithm for two
    MutualExclusion,
    /// Stations that pass messages on
    ChannelRing,
}

impl HandModel {
    /// The models with the sizes in which they are compared.
    pub const ALL: [(HandModel, usize); 3] =
        [(HandModel::Philosophers, 10), (HandModel::MutualExclusion, 2), (HandModel::ChannelRing, 10)];

    /// Its name in tables and as an argument, and its text in Promela.
    fn parts(self) -> (&'static str, &'static str) {
        match self {
            HandModel::Philosophers => ("philosophers", Philosophers::MODEL),
            HandModel::MutualExclusion => ("mutual-exclusion", Peterson::MODEL),
            HandModel::ChannelRing => ("channel-ring", Ring::MODEL),
        }
    }

    pub fn name(self) -> &'static str {
        self.parts().0
    }

    /// Writes the Promela model into a folder.
    pub fn write(self, folder: &Path) -> Result<PathBuf, String> {
        let (name, text) = self.parts();
        let path = folder.join(format!("{name}.pml"));
        repository::write(&path, text)?;
        Ok(path)
    }
}

/// Which walks to make.
#[derive(clap::Args)]
pub struct Options {
    /// The model
    model: HandModel,
    /// Its size
    n: usize,
    /// How many walks
    #[arg(long, default_value_t = 1)]
    walks: u64,
    /// Steps of a walk
    #[arg(long, default_value_t = 10_000)]
    depth: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Walks, and prints the number of steps.
pub fn run(options: &Options) -> Result<(), String> {
    let steps = match options.model {
        HandModel::Philosophers => steps(Philosophers::new(options.n), options),
        HandModel::MutualExclusion => steps(Peterson::new(), options),
        HandModel::ChannelRing => steps(Ring::new(options.n), options),
    };
    println!("{steps}");
    Ok(())
}

fn steps<H: Hand>(mut model: H, options: &Options) -> u64 {
    let mut pool = Vec::new();
    let walks = 0..options.walks;
    walks.map(|index| hand::walk(&mut model, (options.seed, index), options.depth, &mut pool).0).sum()
}
