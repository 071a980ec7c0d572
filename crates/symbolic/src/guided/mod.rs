//! Guided symbolic search, as in GOLFER and GRANGOLFER.
//!
//! An abstraction keeps only the variables of a [`Pattern`]. [`Rings`] partition its states by their abstract distance to
//! the target. They guide a complete search ([`sgmc`](crate::Encoding::sgmc)), random walks and trails
//! ([`walks`](crate::Encoding::walks)), and, as a [`RingHeuristic`], explicit searches.

mod abstraction;
mod heuristic;
mod rings;
mod sgmc;
mod successors;
mod walk_target;
mod walks;

pub use abstraction::Pattern;
pub use heuristic::RingHeuristic;
pub use rings::Rings;
pub use sgmc::Sgmc;
pub use walks::{WalkPlan, Walks};
