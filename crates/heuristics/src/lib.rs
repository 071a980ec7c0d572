//! Heuristics made from a model and a property.
//!
//! A heuristic estimates how far a state, or what lies behind a step, is from a violation. Each one is made from the
//! model itself, automatically, and lives in a file of its own; to a search all of them are a
//! [`lurcher_search::Guidance`].

mod abstraction;
mod components;
mod dot;
mod goals;
mod guide;
mod informedness;
mod local_distance;
mod pattern_database;
mod reached;
pub mod reduced_instance;
pub mod registry;

pub use abstraction::{Abstraction, AbstractionError};
pub use dot::control_flow_dot;
pub use goals::{Choice, Goals, ProcessGoals, Target};
pub use guide::Guide;
pub use informedness::{Informedness, informedness, rank_correlation};
pub use local_distance::{LocalDistance, StateForm, Table, TableError};
pub use pattern_database::{LoadError, PatternDatabase, PatternError, PatternSettings};
pub use reached::{Arrow, Reached};
