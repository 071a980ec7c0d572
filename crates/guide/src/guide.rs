//! A guide of any kind, for searches that are given one.

use lurcher_exec::{ProcessId, State};
use lurcher_ir::LocationId;
use lurcher_search::{Guidance, Scores};

use crate::local_distance::LocalDistance;

/// A guide of any kind.
#[derive(Debug)]
pub enum Guide<'m> {
    /// Distances over the control flow of each process type.
    LocalDistance(LocalDistance<'m>),
}

impl Guidance for Guide<'_> {
    fn scores(&self) -> Scores {
        match self {
            Guide::LocalDistance(guide) => guide.scores(),
        }
    }

    fn max(&self) -> u32 {
        match self {
            Guide::LocalDistance(guide) => guide.max(),
        }
    }

    fn of_state(&self, state: &State, claim: LocationId) -> u32 {
        match self {
            Guide::LocalDistance(guide) => guide.of_state(state, claim),
        }
    }

    fn of_step(&self, state: &State, claim: LocationId, process: ProcessId, branch: u16) -> u32 {
        match self {
            Guide::LocalDistance(guide) => guide.of_step(state, claim, process, branch),
        }
    }
}
