//! The interface of native code for plans.
//!
//! Native code runs a plan up to the next instruction that the stepper interprets: one that opens a choice, or one that is
//! not compiled. The stepper alone selects alternatives, so it finds the same states in the same order with the same effort
//! with and without native code.

use std::fmt;

pub use super::code::{Op, Slot};
pub use super::compiled::Bounds;
pub use super::plan::{Instruction, Plan};
pub use super::tree::{Node, NodeId, Tree};

/// Why native code stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// After the last instruction.
    End,
    /// A test failed, or there is no value to choose.
    Failed,
    /// The effort is exhausted.
    Effort,
    /// Before an instruction that the stepper interprets.
    Before(usize),
}

/// Native code for the plans of one stepper.
pub trait NativePlans: fmt::Debug + Send + Sync {
    /// Runs a plan from an instruction: the first, or one after an instruction that the stepper interprets. Values that are
    /// taken without a choice consume effort.
    fn run(&self, plan: usize, from: usize, slots: &mut [i64], left: &mut u64) -> Stop;
}
