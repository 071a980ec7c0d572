//! Heuristics made from a model and a property.
//!
//! A heuristic estimates the distance of a state, or of the target of a step, from a violation. Each one is made
//! automatically from the model and lives in a module of its own; searches use it as a [`lurcher_search::Guidance`].

#[cfg(feature = "symbolic")]
mod abstraction;
mod combination;
mod dot;
mod enabled_branches;
mod extended_flow;
mod formula;
mod goals;
mod heuristic;
mod informedness;
mod local_distance;
mod pattern_database;
mod reachability_graph;
pub mod reduced_instance;
pub mod registry;
mod state_distance;
mod text;

#[cfg(feature = "symbolic")]
pub use abstraction::{Abstraction, AbstractionError};
pub use combination::StateForm;
pub use dot::control_flow_dot;
pub use extended_flow::ExtendedFlow;
pub use formula::{FormulaForm, FormulaHeuristic, RelationFormula};
pub use goals::{GoalSet, Target};
pub use heuristic::{Estimate, Heuristic};
pub use informedness::{Informedness, informedness};
pub use local_distance::{LocalDistance, Table};
pub use pattern_database::{PatternDatabase, PatternError, PatternSettings};
pub use reachability_graph::{ReachabilityGraph, Transition};
pub use state_distance::StateDistance;
pub use text::TextError;
