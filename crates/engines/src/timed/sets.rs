//! Searches with sets of integers.

use lurcher_ir::{Property, timed};
use lurcher_search::{Budget, Found, FoundKind, Observer, Phase, StopReason};
use lurcher_system::Path;
use lurcher_system::timed::Run;
use lurcher_timed::{Encoding, Ended, Error, TreeSettings};

use crate::error::EngineError;
use crate::report::Answer;

/// A search with sets of integers.
#[derive(Clone, Debug)]
pub enum SetSearch {
    /// All reachable states, to a fixpoint.
    Fixpoint,
    /// The tree of all paths; where something is left to chance, the walk of this number of a seed.
    Tree {
        /// The engine's name.
        engine: &'static str,
        /// How it is searched.
        settings: TreeSettings,
        /// The seed.
        seed: u64,
        /// The number of the walk.
        walk: u64,
    },
}

/// A path that is a run.
pub(super) fn found(run: Run) -> Found<Run> {
    let path = Path { steps: vec![run], cycle_start: None };
    Found { kind: FoundKind::Invariant, path, count: 1, shortest: false }
}
