//! The processes of a model, as a hunt walks through them.
//!
//! Walks that need nothing but the model are made by a kernel, where there is one; all others by the walker. Both make
//! the same walk of a seed and a number, so it does not matter who does.

use std::marker::PhantomData;
use std::sync::Arc;

use lurcher_system::{Course, KernelWalk, KernelWalker, Machine, State, WalkEnd, WalkKernel};

use crate::coverage::Coverage;
use crate::guidance::Guidance;
use crate::outcome::{Found, FoundKind};

use super::plan::{Kind, Selection, Until, WalkPlan};
use super::subject::Subject;
use super::terrain::{Covers, Terrain};
use super::walker::{End, Keep, Walked, Walker};

/// The processes of a model.
pub struct Processes<'a, M, G> {
    machine: &'a M,
    kernel: Option<&'a dyn WalkKernel>,
    subject: &'a Subject,
    initial: State,
    guide: PhantomData<fn() -> G>,
}

impl<'a, M: Machine, G> Processes<'a, M, G> {
    /// The processes of a model, from its initial state on. A kernel must be of the same model, and watch the invariants
    /// of the subject.
    pub fn new(machine: &'a M, kernel: Option<&'a dyn WalkKernel>, subject: &'a Subject, initial: State) -> Self {
        let mut processes = Processes { machine, kernel: None, subject, initial, guide: PhantomData };
        processes.run_on(machine, kernel);
        processes
    }

    /// Goes on with another machine of the same model, and its kernel.
    pub fn run_on(&mut self, machine: &'a M, kernel: Option<&'a dyn WalkKernel>) {
        self.machine = machine;
        self.kernel = kernel.filter(|_| self.subject.claim.is_none());
    }
}

impl Covers for Coverage {
    fn merge(&mut self, other: &Self) -> u64 {
        Coverage::merge(self, other)
    }
}

/// Walks through the processes of a model on one thread.
pub struct ProcessWalker<'a, M, G> {
    subject: &'a Subject,
    kernel: Option<Box<dyn KernelWalker + 'a>>,
    /// What was known, and what walks of the kernel have told since. They come in the order of their numbers, so none
    /// has to tell what one before has told.
    told: Option<Coverage>,
    walker: Walker<'a, M, G>,
}

impl<'a, M: Machine + Sync, G: Guidance + Send> Terrain for Processes<'a, M, G> {
    type Guide = G;
    type Found = Found;
    type Coverage = Coverage;
    type Walker<'t>
        = ProcessWalker<'a, M, G>
    where
        Self: 't;

    fn coverage(&self) -> Coverage {
        Coverage::new(self.machine.model())
    }

    fn cost_of_looking(&self, plan: &WalkPlan, guided: bool) -> u64 {
        let cheap = plan.selection == Selection::TryAChild && self.subject.claim.is_none() && !guided && is_plain(plan);
        if cheap { self.initial.bytes().len() as u64 + CALL } else { 0 }
    }

    fn walker(&self) -> ProcessWalker<'a, M, G> {
        ProcessWalker {
            subject: self.subject,
            kernel: self.kernel.map(|k| k.walker(&self.initial)),
            told: None,
            walker: Walker::new(self.machine, self.subject, &self.initial),
        }
    }

    fn walk(
        walker: &mut ProcessWalker<'a, M, G>,
        plan: WalkPlan,
        guide: Option<Arc<G>>,
        unit: (u64, u64),
        keep: Keep,
        known: &Coverage,
        stop: &dyn Fn() -> bool,
    ) -> Walked {
        match &mut walker.kernel {
            Some(kernel) if guide.is_none() && !keep.path && is_plain(&plan) => {
                let course = Course {
                    seed: unit.0,
                    index: unit.1,
                    depth: plan.depth,
                    chain: plan.chain,
                    all_children: plan.selection == Selection::AllChildren,
                    deadlock: walker.subject.end_states,
                    level: (!keep.blind).then_some(keep.level),
                    memory: keep.memory,
                };
                let walk = kernel.run(&course, stop);
                let coverage = walker.told.as_ref().unwrap_or(known).with(kernel.executed());
                walker.told = coverage.clone().or(walker.told.take());
                walked(walk, kernel.seen(), coverage, walker.subject)
            }
            _ => walker.walker.run(plan, guide, unit, keep, stop),
        }
    }
}

/// Can a kernel make these walks, where nothing guides them?
fn is_plain(plan: &WalkPlan) -> bool {
    plan.kind == Kind::Walk && plan.until == Until::End
}

/// Looking at a state costs as much as hashing so many bytes more than it has.
const CALL: u64 = 64;

/// A walk of a kernel, as the walker would tell it.
fn walked(walk: KernelWalk, seen: &[u64], coverage: Option<Coverage>, subject: &Subject) -> Walked {
    let (end, kind) = match walk.end {
        WalkEnd::Violation(violation) => (End::Violation, Some(FoundKind::Step(violation))),
        WalkEnd::Invariant => (End::Violation, Some(FoundKind::Invariant)),
        WalkEnd::Deadlock if subject.end_states => (End::Violation, Some(FoundKind::Deadlock)),
        WalkEnd::Deadlock | WalkEnd::Leaf => (End::Leaf, None),
        WalkEnd::Depth => (End::Depth, None),
        WalkEnd::Stopped => (End::Stopped, None),
        WalkEnd::Memory => (End::Memory, None),
    };
    let found = kind.map(|kind| Found { kind, path: Vec::new(), cycle_start: None, count: 1, shortest: false });
    let mut seen = seen.to_vec();
    seen.sort_unstable();
    seen.dedup();
    Walked {
        end,
        found,
        walks: walk.walks,
        steps: walk.steps,
        tries: walk.tries,
        depth: walk.length,
        best: None,
        seen,
        coverage,
        tries_by_step: Vec::new(),
    }
}
