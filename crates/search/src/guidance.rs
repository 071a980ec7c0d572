//! What a guide looks like to a search.
//!
//! A guide turns a heuristic into numbers: the smaller, the nearer to a violation. It scores either states or steps.
//! A score of a step is asked for before anything is tested, so that a walk can prefer promising branches and test
//! only those it draws; a score of a state needs the successor. Implementations live in the `guide` crate.

use lurcher_ir::LocationId;
use lurcher_system::{ProcessId, State};

/// What a guide gives numbers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// States: asked for each successor.
    States,
    /// Steps: asked for each branch of each process, possible or not.
    Steps,
}

/// A heuristic in use. Values lie between 0 and [`Guidance::max`].
pub trait Guidance: Sync {
    /// What it scores.
    fn scores(&self) -> Scores;

    /// The largest value it gives.
    fn max(&self) -> u32;

    /// The estimated distance from a state to a violation; `claim` is where the claim stands, or location 0 without
    /// one. Only asked of guides that score states.
    fn of_state(&self, state: &State, claim: LocationId) -> u32;

    /// The estimated distance behind a branch of a process, taken in this state. Nothing has been tested: the branch
    /// need not be possible. Only asked of guides that score steps.
    fn of_step(&self, state: &State, claim: LocationId, process: ProcessId, branch: u16) -> u32;
}

/// No heuristic, for unguided walks.
impl Guidance for () {
    fn scores(&self) -> Scores {
        Scores::Steps
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
