//! Running a relation.
//!
//! [`Oracle`] says what a relation means; [`Stepper`] finds initial states and successors fast, by plans that are made
//! once (`schedule.rs`, `plan.rs`) and run over slots (`code.rs`), or as native code ([`native`]). [`Packing`] turns states into bytes, [`Formulas`]
//! evaluates terms about states.

mod code;
mod complete;
mod formulas;
mod hoist;
mod machine;
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
