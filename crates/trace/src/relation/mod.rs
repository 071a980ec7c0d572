//! Traces of relations: lists of states.
//!
//! A step of a relation has no name; what identifies it is the state it leads to. So a [`StateRun`] is the states
//! themselves, each with the inputs of the step that leaves it. Replaying one means asking the [`Oracle`] of every state
//! and every pair of neighbours: it shares nothing with whatever found the run.
//!
//! [`Oracle`]: lurcher_exec::relation::Oracle

mod json;
mod judge;
mod text;

pub use json::{read_states_json, states_to_json};
pub use judge::{StateEvidence, StateRunError, judge_states};
pub use text::states_to_text;

/// A run of a relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateRun {
    /// A value for every variable, in the order of their ids; inputs are those of the step out of the state.
    pub states: Vec<Vec<i64>>,
    /// For a lasso: the position that follows the last.
    pub cycle_start: Option<usize>,
}

impl StateRun {
    /// Number of steps; for a lasso, prefix and cycle.
    pub fn length(&self) -> u32 {
        let closing = usize::from(self.cycle_start.is_some());
        (self.states.len() + closing).saturating_sub(1) as u32
    }
}
