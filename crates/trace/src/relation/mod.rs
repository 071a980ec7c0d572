//! Traces of relations: paths of states.
//!
//! Replaying one means testing every state and every pair of neighbours with the [`Oracle`], which shares no code with the
//! searches.
//!
//! [`Oracle`]: lurcher_system::relation::Oracle

mod json;
mod judge;
mod text;

pub use json::{read_states_json, states_to_json};
pub use judge::{PathError, StateEvidence, judge_states};
pub use text::{StateDescriber, states_to_text};
