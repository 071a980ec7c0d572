//! Calling the native code of plans: the unsafe part.
#![allow(unsafe_code)]

use std::fmt;
use std::sync::{Mutex, PoisonError};

use cranelift_jit::JITModule;
use lurcher_system::relation::Stepper;
use lurcher_system::relation::native::{NativePlans, Stop};

use super::{answer, compile};
use crate::budget::{Budget, NotCompiled};
use crate::compiled::Size;

/// A plan as compiled code: slots, the effort that is left, the instruction to begin with.
type Entry = unsafe extern "C" fn(*mut i64, *mut u64, u32) -> u32;

/// The plans of a stepper as native code.
pub struct CompiledPlans {
    entries: Vec<Entry>,
    /// By plan: how many instructions it has.
    lengths: Vec<usize>,
    slots: usize,
    size: Size,
    /// Locked only to be shared: nobody compiles into it any more.
    module: Mutex<Option<JITModule>>,
}

impl CompiledPlans {
    /// Compiles the plans of a stepper, within a budget.
    pub fn new(stepper: &Stepper, budget: Budget) -> Result<Self, NotCompiled> {
        let (module, functions, size) = compile(stepper, budget)?;
        let entry = |id| {
            let address = module.get_finalized_function(id);
            // SAFETY: every function was compiled with this signature. The module lives as long as the entries.
            unsafe { std::mem::transmute::<*const u8, Entry>(address) }
        };
        Ok(CompiledPlans {
            entries: functions.into_iter().map(entry).collect(),
            lengths: stepper.plans().map(|p| p.instructions.len()).collect(),
            slots: stepper.slot_count(),
            size,
            module: Mutex::new(Some(module)),
        })
    }

    /// What was compiled.
    pub fn size(&self) -> Size {
        self.size
    }
}

impl NativePlans for CompiledPlans {
    fn run(&self, plan: usize, from: usize, slots: &mut [i64], left: &mut u64) -> Stop {
        assert!(slots.len() >= self.slots && from <= self.lengths[plan], "slots and instructions of another stepper");
        // SAFETY: the code reads and writes only slots that plans of the stepper name, and there are that many; the
        // references are exclusive for the time of the call.
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
        f.debug_struct("CompiledPlans").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Drop for CompiledPlans {
    fn drop(&mut self) {
        if let Some(module) = self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            // SAFETY: entries are called only through this value, so nothing can run the code any more.
            unsafe { module.free_memory() };
        }
    }
}
