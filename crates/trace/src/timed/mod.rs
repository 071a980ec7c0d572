//! Traces of timed models: constants, and events at instants.

mod json;
mod moments;
mod text;

pub use json::{read_run_json, run_to_json};
pub use moments::moments;
pub use text::run_to_text;
