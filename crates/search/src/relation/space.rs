//! The states of a relation as a space.
//!
//! Listing the successors of a state is the expensive part, so each state is stored once, packed, under a number, and
//! nodes and edges are those numbers: following an edge is copying its number. A relation may have many initial
//! states; one node more, the root, stands before them. It counts neither as a state nor as a step.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use lurcher_ir::relation::{Relation, TermId};
use lurcher_system::Violation;
use lurcher_system::relation::{Formulas, Halt, Packing, Stepper};

use crate::budget::{Budget, StopReason};
use crate::outcome::Found;
use crate::space::{Edge, NodeInfo, Space};
use crate::store::{Partition, StateId, Store};

use lurcher_system::Path;

/// An edge: to a state, from a state or from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationStep {
    /// The state it leads to.
    pub to: StateId,
    /// It leads from the root to an initial state.
    pub initial: bool,
}

impl Edge for RelationStep {
    fn length(&self) -> u32 {
        u32::from(!self.initial)
    }

    fn length_with(&self, _: &Violation) -> u32 {
        self.length()
    }
}

/// The node before the initial states.
const ROOT: u32 = u32::MAX;
/// Successors between two looks at the clock.
const ASK: u32 = 4096;

/// The states of a relation.
#[derive(Debug)]
pub struct RelationSpace {
    stepper: Stepper,
    packing: Packing,
    store: Store,
    invariants: Formulas,
    deadlock: bool,
    budget: Budget,
    valuation: Vec<i64>,
    bytes: Vec<u8>,
    targets: Vec<u32>,
}

impl RelationSpace {
    /// The states of a relation. Each invariant that is false somewhere is reported under its position; with `deadlock`,
    /// so is a state without successors.
    pub fn new(relation: &Relation, invariants: &[TermId], deadlock: bool, budget: &Budget) -> Self {
        let mut stepper = Stepper::new(relation);
        stepper.set_total_effort(budget.effort.unwrap_or(u64::MAX));
        RelationSpace {
            stepper,
            packing: Packing::new(relation),
            store: Store::new(Partition::Whole, budget.memory),
            invariants: Formulas::new(relation, invariants),
            deadlock,
            budget: budget.clone(),
            valuation: vec![0; relation.variables.len()],
            bytes: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// The stepper, to set its effort.
    pub fn stepper(&mut self) -> &mut Stepper {
        &mut self.stepper
    }

    /// What was found, as a run.
    pub fn run_of(&mut self, found: &Found<RelationStep>) -> Path<Vec<i64>> {
        let states = found.path.iter().map(|step| {
            let mut valuation = vec![0; self.valuation.len()];
            self.packing.unpack(self.store.load(step.to), &mut valuation);
            valuation
        });
        let states: Vec<Vec<i64>> = states.collect();
        Path { steps: states, cycle_start: found.cycle_start }.with_inputs(&mut self.stepper)
    }

    /// Lists the states behind a node into `targets`, sorted, no two alike.
    fn expand(&mut self, node: u32) -> Option<StopReason> {
        let RelationSpace { stepper, packing, store, budget, bytes, targets, valuation, .. } = self;
        targets.clear();
        let mut stop = None;
        let mut countdown = ASK;
        let mut note = |next: &[i64]| {
            packing.pack(next, bytes);
            match store.insert(bytes) {
                Ok((id, _)) => targets.push(id.0),
                Err(_) => stop = Some(StopReason::Memory),
            }
            countdown -= 1;
            if countdown == 0 {
                countdown = ASK;
                stop = stop.or_else(|| over(budget));
            }
            if stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let done = match node {
            ROOT => stepper.initial(note),
            _ => stepper.successors(valuation, |step| note(step.next)),
        };
        targets.sort_unstable();
        targets.dedup();
        match done {
            Err(Halt::Effort) => Some(StopReason::Successors),
            _ => stop,
        }
    }
}

/// Why a search must stop, whatever it is doing.
pub(super) fn over(budget: &Budget) -> Option<StopReason> {
    if budget.interrupt.load(Ordering::Relaxed) {
        return Some(StopReason::Interrupted);
    }
    budget.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(StopReason::Time)
}

fn number(node: &[u8]) -> u32 {
    u32::from_le_bytes([node[0], node[1], node[2], node[3]])
}

impl Space for RelationSpace {
    type Step = RelationStep;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        node.clear();
        node.extend_from_slice(&ROOT.to_le_bytes());
        Ok(())
    }

    fn check_node(&mut self, node: &[u8], broken: &mut Vec<u32>) {
        let node = number(node);
        if node != ROOT && !self.invariants.is_empty() {
            self.packing.unpack(self.store.load(StateId(node)), &mut self.valuation);
            self.invariants.evaluate(&self.valuation);
            let is_broken = |&i: &u32| !self.invariants.is_true(i as usize);
            broken.extend((0..self.invariants.len() as u32).filter(is_broken));
        }
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<RelationStep>) -> NodeInfo {
        let node = number(node);
        let mut info = NodeInfo::default();
        if node != ROOT {
            self.packing.unpack(self.store.load(StateId(node)), &mut self.valuation);
        }
        info.halted = self.expand(node);
        steps.clear();
        steps.extend(self.targets.iter().map(|&to| RelationStep { to: StateId(to), initial: node == ROOT }));
        info.deadlock = self.deadlock && node != ROOT && steps.is_empty() && info.halted.is_none();
        info
    }

    fn take(&mut self, _: &[u8], step: &RelationStep, next: &mut Vec<u8>) -> Option<Violation> {
        next.clear();
        next.extend_from_slice(&step.to.0.to_le_bytes());
        None
    }

    fn counts(&self, node: &[u8]) -> bool {
        number(node) != ROOT
    }

    fn is_accepting(&mut self, _: &[u8]) -> bool {
        false
    }

    fn is_root(&self, node: &[u8]) -> bool {
        number(node) == ROOT
    }

    fn memory(&self) -> u64 {
        self.store.memory()
    }
}
