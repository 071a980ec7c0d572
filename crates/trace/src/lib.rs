//! Traces: replay, judgement, minimisation and formats.
//!
//! A search hands over a path of moves or states. [`replay`] executes it with the interpreter alone and [`judge`] decides
//! what it shows; neither shares code with the searches. The writers print only replayed traces. [`minimise`] shortens a
//! path before it is reported.

mod describe;
mod header;
mod json;
mod judge;
mod lasso_product;
mod merging;
pub mod minimise;
mod page;
mod readings;
mod relation;
mod replay;
mod spin_trail;
mod steps;
mod text;
mod timed;
mod trail;

pub use describe::Describer;
pub use header::{Formula, Header, TraceKind};
pub use json::{read_json, to_json, to_short_json};
pub use judge::{Evidence, Question, is_fair, judge};
pub use page::{Page, columns, fill};
pub use relation::{
    PathError, StateDescriber, StateEvidence, judge_states, read_states_json, states_to_json, states_to_text,
};
pub use replay::{ReplayError, Replayed, ReplayedStep, Visit, readings, replay};
pub use spin_trail::{TrailError, read_trail, write_trail};
pub use steps::{Atomic, Change, StepView, left_out};
pub use text::{StepLines, to_text};
pub use timed::{moments, read_run_json, run_to_json, run_to_text};
pub use trail::{Entry, Trail};
