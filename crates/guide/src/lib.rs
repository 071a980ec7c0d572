//! Heuristics made from a model and a property.
//!
//! A heuristic estimates how far a state, or what lies behind a step, is from a violation. Each one is made from the
//! model itself, automatically, and lives in a file of its own; to a search all of them are a
//! [`lurcher_search::Guidance`].

mod components;
mod goals;
mod guide;
mod local_distance;
mod reached;

pub use goals::{Choice, Goals, ProcessGoals, Target};
pub use guide::Guide;
pub use local_distance::{LocalDistance, StateForm, Table};
pub use reached::{Arrow, Reached};
