//! Traces of relations: lists of states.
//!
//! A step of a relation has no name; what identifies it is the state it leads to. So a [`StateRun`] is the states
//! themselves, each with the inputs of the step that leaves it. Replaying one means asking the [`Oracle`] of every state
//! and every pair of neighbours: it shares nothing with whatever found the run.
//!
//! [`Oracle`]: lurcher_system::relation::Oracle
//! [`StateRun`]: lurcher_system::relation::StateRun

mod json;
mod judge;
mod text;

pub use json::{read_states_json, states_to_json};
pub use judge::{StateEvidence, StateRunError, judge_states};
pub use text::states_to_text;
