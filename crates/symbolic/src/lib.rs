//! Searches through sets of states, kept as binary decision diagrams.
//!
//! An [`Encoding`] turns a [`Relation`](lurcher_ir::relation::Relation) into boolean functions; everything else asks it
//! questions. Whatever takes time ends in a result or in the [`StopReason`](lurcher_search::StopReason) that kept it
//! from one.

mod ctl;
mod encode;
mod fair;
mod guided;
mod kernel;
pub mod processes;
mod reach;
mod sets;
mod trace;

pub use ctl::{CtlAnswer, CtlChecker, Ground, Witness};
pub use encode::{Encoding, Layout};
pub use guided::{Guide, GuideUse, Keep, Rings, Sgmc, WalkPlan, Walks};
pub use kernel::{Bdd, Kernel, Stoppable, deep};
pub use reach::{Reached, Strategy};
pub use sets::{Count, Diagram, Sampler};
pub use trace::Trace;
