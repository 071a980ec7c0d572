//! Walks through process models.
//!
//! Unguided walks for bad states are made by a kernel, where there is one; all others by the walker. Both make the same
//! walk of a seed and a number.

mod fairness;
mod objective;
mod position;

use std::marker::PhantomData;

use lurcher_system::{Machine, State, WalkKernel};

use crate::coverage::Coverage;
use crate::guidance::Guidance;
use crate::space::Step;

use super::plan::{Kind, Selection, Until, WalkPlan};
use super::position::WalkDomain;

pub use objective::Objective;
pub use position::ProcessPosition;

/// A process model and an objective.
pub struct Processes<'a, M, G> {
    machine: &'a M,
    kernel: Option<&'a dyn WalkKernel>,
    objective: &'a Objective,
    initial: State,
    guide: PhantomData<fn() -> G>,
}

impl<'a, M: Machine, G> Processes<'a, M, G> {
    /// A process model from its initial state on. A kernel must be of the same model, and test the invariants of the
    /// objective.
    pub fn new(machine: &'a M, kernel: Option<&'a dyn WalkKernel>, objective: &'a Objective, initial: State) -> Self {
        let kernel = kernel.filter(|_| objective.claim.is_none());
        Processes { machine, kernel, objective, initial, guide: PhantomData }
    }
}

/// Whether a kernel can make unguided walks by this plan.
fn is_plain(plan: &WalkPlan) -> bool {
    plan.kind == Kind::Walk && plan.until == Until::End
}

/// Fixed cost of noting a state, in bytes to be hashed.
const NOTE_COST: u64 = 64;

impl<'a, M: Machine + Sync, G: Guidance + Send> WalkDomain for Processes<'a, M, G> {
    type Step = Step;
    type Guide = G;
    type Coverage = Coverage;
    type Position<'t>
        = ProcessPosition<'a, M, G>
    where
        Self: 't;

    fn position(&self) -> ProcessPosition<'a, M, G> {
        ProcessPosition::of(self)
    }

    fn coverage(&self) -> Coverage {
        Coverage::new(self.machine.model())
    }

    fn observation_cost(&self, plan: &WalkPlan, guided: bool) -> u64 {
        let unguided = !guided && self.objective.claim.is_none() && is_plain(plan);
        let cheap = unguided && plan.selection == Selection::TryAChild;
        if cheap { self.initial.bytes().len() as u64 + NOTE_COST } else { 0 }
    }
}
