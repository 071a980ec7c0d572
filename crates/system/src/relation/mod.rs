//! Execution of a relation.
//!
//! [`Oracle`] is the reference semantics. [`Stepper`] enumerates initial states and successors by precompiled plans
//! (`schedule.rs`, `plan.rs`), interpreted over slots (`code.rs`) or as native code ([`native`]). [`Packing`] encodes states
//! as bytes, and [`Formulas`] evaluates terms.

mod code;
mod compiled;
mod complete;
mod formulas;
mod hoist;
pub mod native;
mod oracle;
mod packing;
mod pick;
mod plan;
mod schedule;
mod solve;
mod stepper;
mod tree;

pub use complete::complete;
pub use formulas::Formulas;
pub use oracle::Oracle;
pub use packing::Packing;
pub use stepper::{EFFORT, Halt, Step, Stepper};
