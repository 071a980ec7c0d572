//! The guidance of unguided walks.

use lurcher_ir::LocationId;
use lurcher_search::{Guidance, Scores};
use lurcher_system::{ProcessId, State};

/// No guidance: all scores are 0.
pub struct Unguided;

impl Guidance for Unguided {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        0
    }

    fn of_state(&self, _: &State, _: LocationId) -> u32 {
        0
    }

    fn of_step(&self, _: &State, _: LocationId, _: ProcessId, _: u16) -> u32 {
        0
    }
}
