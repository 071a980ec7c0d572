//! Traces: replay, text, JSON and Spin trails.
//!
//! Whatever finds a violation hands over a list of [`Entry`]s: which process did which statement. [`replay`] executes
//! them with the interpreter, shares no code with the searches, and judges for itself what the trace shows. The
//! writers only print what a replay has confirmed.

mod describe;
mod entry;
mod json;
mod judge;
mod merging;
pub mod minimise;
mod readings;
mod relation;
mod replay;
mod spin_trail;
mod text;

pub use describe::{Change, Describer};
pub use entry::{Entry, Trail};
pub use json::{read_json, to_json, to_short_json};
pub use judge::{Evidence, Question, is_fair, judge};
pub use relation::{StateEvidence, StateRunError, judge_states, read_states_json, states_to_json, states_to_text};
pub use replay::{ReplayError, Replayed, ReplayedStep, Visit, readings, replay};
pub use spin_trail::{TrailError, read_trail, write_trail};
pub use text::to_text;
