//! Plans as native code: what a stepper needs of it, and what it is made from.
//!
//! A plan runs natively from one instruction to the next that is for the stepper: those that open a choice, and those
//! that the code leaves to it. Which alternatives are tried in which order is the stepper's business alone, so a stepper
//! finds the same states in the same order, with the same effort, whether it has native code or not. Only where there is
//! one value it may not be asked for a number below one.

use std::fmt;

pub use super::code::{Op, Slot};
pub use super::machine::Bounds;
pub use super::plan::{Instruction, Plan};
pub use super::tree::{Node, NodeId, Tree};

/// Where native code stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Behind the last instruction.
    End,
    /// At a test that failed, or where there is no value to take.
    Failed,
    /// All of the effort was spent.
    Effort,
    /// Before this instruction, which is the stepper's.
    Before(usize),
}

/// Native code for the plans of one stepper.
pub trait NativePlans: fmt::Debug + Send + Sync {
    /// Runs the plan of a number from an instruction on: the first, or one behind an instruction that is the stepper's.
    /// Values that are taken without a choice count against the effort that is left.
    fn run(&self, plan: usize, from: usize, slots: &mut [i64], left: &mut u64) -> Stop;
}
