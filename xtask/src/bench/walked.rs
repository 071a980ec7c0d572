//! The models that are also walked by hand and by Stateright.

use std::path::{Path, PathBuf};

use super::by_hand::hand::{Peterson, Philosophers, Ring};

/// A model written down three times: in Promela, in Rust by hand, and for Stateright (which takes the one by hand).
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Walked {
    /// Philosophers with forks that are flags
    Philosophers,
    /// Peterson's algorithm for two
    MutualExclusion,
    /// Stations that hand messages on
    ChannelRing,
}

impl Walked {
    /// All of them, each with the size in which it is compared.
    pub const ALL: [(Walked, usize); 3] =
        [(Walked::Philosophers, 10), (Walked::MutualExclusion, 2), (Walked::ChannelRing, 10)];

    /// Its name, also as an argument.
    pub fn name(self) -> &'static str {
        match self {
            Walked::Philosophers => "philosophers",
            Walked::MutualExclusion => "mutual-exclusion",
            Walked::ChannelRing => "channel-ring",
        }
    }

    /// Writes it down in Promela.
    pub fn write(self, folder: &Path) -> Result<PathBuf, String> {
        let text = match self {
            Walked::Philosophers => Philosophers::MODEL,
            Walked::MutualExclusion => Peterson::MODEL,
            Walked::ChannelRing => Ring::MODEL,
        };
        let path = folder.join(format!("{}.pml", self.name()));
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(path)
    }
}
