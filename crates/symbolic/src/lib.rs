//! Symbolic search: sets of states as binary decision diagrams (BDDs).
//!
//! An [`Encoding`] turns a [`Relation`](lurcher_ir::relation::Relation) into boolean functions; every search is a method
//! of it. Operations under a budget return a [`BddResult`].

mod count;
#[cfg(feature = "bdd")]
mod ctl;
#[cfg(feature = "bdd")]
mod encode;
#[cfg(feature = "bdd")]
mod fair;
#[cfg(feature = "bdd")]
mod guided;
#[cfg(feature = "bdd")]
mod kernel;
pub mod processes;
#[cfg(feature = "bdd")]
mod reach;
#[cfg(feature = "bdd")]
mod sets;

pub use count::Count;
#[cfg(feature = "bdd")]
pub use ctl::{CtlAnswer, CtlChecker, FairStates, Witness};
#[cfg(feature = "bdd")]
pub use encode::Encoding;
#[cfg(feature = "bdd")]
pub use guided::{Pattern, RingHeuristic, Rings, Sgmc, WalkPlan, Walks};
#[cfg(feature = "bdd")]
pub use kernel::{Bdd, BddResult, Kernel, with_deep_stack};
#[cfg(feature = "bdd")]
pub use reach::{Reached, Strategy};
