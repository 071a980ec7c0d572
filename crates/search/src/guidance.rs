//! Heuristics as searches use them.
//!
//! A heuristic estimates the distance to a violation: smaller values are nearer. It scores either states or steps. A step is
//! scored before it is tested, so a walk prefers promising branches and tests only those it draws; a state is scored when the
//! successor is known. The heuristics are in the crate `lurcher-heuristics`.

use lurcher_ir::LocationId;
use lurcher_system::{ProcessId, State};

use crate::space::Edge;

/// What a heuristic scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// States: each successor.
    States,
    /// Steps: each branch of each process, enabled or not.
    Steps,
}

/// The processes that moved last on the path to a state, the latest first; at most [`History::LENGTH`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History(u64);

impl History {
    /// The most moves that it remembers.
    pub const LENGTH: usize = 8;

    /// The history after a move of a process. Processes from number 254 on are not told apart.
    #[must_use]
    pub fn after(self, process: ProcessId) -> History {
        History(self.0 << 8 | u64::from(process.0.min(254) + 1))
    }

    /// The history after an edge: the same if no process moves by it.
    #[must_use]
    pub(crate) fn after_step(self, step: &impl Edge) -> History {
        step.process().map_or(self, |process| self.after(process))
    }

    /// The processes, the latest first.
    pub fn movers(self) -> impl Iterator<Item = ProcessId> {
        let byte = move |at: usize| (self.0 >> (8 * at)) as u8;
        (0..Self::LENGTH).map_while(move |at| byte(at).checked_sub(1)).map(|number| ProcessId(number.into()))
    }
}

/// A heuristic. Values lie between 0 and [`Guidance::max`].
pub trait Guidance: Sync {
    /// What it scores.
    fn scores(&self) -> Scores;

    /// The largest value.
    fn max(&self) -> u32;

    /// The estimated distance from a state to a violation. `claim` is the claim's location, or location 0 without a claim.
    fn of_state(&self, state: &State, claim: LocationId) -> u32;

    /// Whether the value of a state depends on the processes that moved last.
    fn looks_back(&self) -> bool {
        false
    }

    /// The same as [`Guidance::of_state`], for a heuristic that looks back.
    fn of_state_after(&self, state: &State, claim: LocationId, history: History) -> u32 {
        let _ = history;
        self.of_state(state, claim)
    }

    /// The estimated distance behind a branch of a process in a state. The branch need not be enabled.
    fn of_step(&self, state: &State, claim: LocationId, process: ProcessId, branch: u16) -> u32 {
        let _ = (process, branch);
        self.of_state(state, claim)
    }
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
}
