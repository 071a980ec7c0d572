//! Symbolic search: sets of states as binary decision diagrams (BDDs).
//!
//! An [`Encoding`] turns a [`Relation`](lurcher_ir::relation::Relation) into boolean functions; every search is a method
//! of it. Operations under a budget return a [`BddResult`].

mod ctl;
mod encode;
mod fair;
mod guided;
mod kernel;
pub mod processes;
mod reach;
mod sets;
mod trace;

pub use ctl::{CtlAnswer, CtlChecker, FairStates, Witness};
pub use encode::Encoding;
pub use guided::{Pattern, RingHeuristic, Rings, Sgmc, WalkPlan, Walks};
pub use kernel::{Bdd, BddResult, Kernel, with_deep_stack};
pub use reach::{Reached, Strategy};
pub use sets::Count;
pub use trace::Trace;
