//! Calling the native code of plans: the unsafe part.
#![allow(unsafe_code)]

use std::fmt;

use lurcher_system::relation::Stepper;
use lurcher_system::relation::native::{NativePlans, Stop};

use super::{answer, compile};
use crate::budget::{Budget, NotCompiled};
use crate::compiler::{Code, Size};

/// A compiled plan: slots, remaining effort, first instruction.
type Entry = unsafe extern "C" fn(*mut i64, *mut u64, u32) -> u32;

/// The plans of a stepper as native code.
pub struct CompiledPlans {
    entries: Vec<Entry>,
    /// Number of instructions of each plan.
    lengths: Vec<usize>,
    slots: usize,
    code: Code,
}

impl CompiledPlans {
    /// Compiles the plans of a stepper, within a budget.
    pub fn new(stepper: &Stepper, budget: Budget) -> Result<Self, NotCompiled> {
        let (code, functions) = compile(stepper, budget)?;
        // SAFETY: every function was compiled with this signature. The code lives as long as the entries.
        let entry = |id| unsafe { std::mem::transmute::<*const u8, Entry>(code.address(id)) };
        Ok(CompiledPlans {
            entries: functions.into_iter().map(entry).collect(),
            lengths: stepper.plans().map(|p| p.instructions.len()).collect(),
            slots: stepper.slot_count(),
            code,
        })
    }

    /// The amount of compiled code.
    pub fn size(&self) -> Size {
        self.code.size
    }
}

impl NativePlans for CompiledPlans {
    fn run(&self, plan: usize, from: usize, slots: &mut [i64], left: &mut u64) -> Stop {
        assert!(slots.len() >= self.slots && from <= self.lengths[plan], "slots and instructions of another stepper");
        // SAFETY: the code accesses only slots that plans of the stepper name, and there are that many; the references
        // are exclusive for the time of the call.
        let stopped = unsafe { self.entries[plan](slots.as_mut_ptr(), left, from as u32) };
        match stopped {
            answer::END => Stop::End,
            answer::FAILED => Stop::Failed,
            answer::EFFORT => Stop::Effort,
            before => Stop::Before((before - answer::BEFORE) as usize),
        }
    }
}

impl fmt::Debug for CompiledPlans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompiledPlans").field("size", &self.size()).finish_non_exhaustive()
    }
}
