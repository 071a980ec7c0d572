//! The states of a relation as a space.
//!
//! Listing the successors of a state is the expensive part, so each state is stored once, packed, under a number, and
//! nodes and edges are those numbers: following an edge is copying its number. A relation may have many initial
//! states; one node more, the root, stands before them. It counts neither as a state nor as a step.

use lurcher_ir::relation::{Relation, TermId};
use lurcher_system::relation::{Formulas, Stepper};
use lurcher_system::{Path, Violation};

use super::states::NumberedStates;
use crate::budget::{Budget, StopReason};
use crate::outcome::Found;
use crate::space::{Edge, NodeInfo, Space};
use crate::store::StateId;

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

/// The states of a relation.
#[derive(Debug)]
pub struct RelationSpace {
    states: NumberedStates,
    invariants: Formulas,
    deadlock: bool,
    targets: Vec<u32>,
}

impl RelationSpace {
    /// The states of a relation. Each invariant that is false somewhere is reported under its position; with `deadlock`,
    /// so is a state without successors.
    pub fn new(relation: &Relation, invariants: &[TermId], deadlock: bool, budget: &Budget) -> Self {
        RelationSpace {
            states: NumberedStates::new(relation, &[], budget),
            invariants: Formulas::new(relation, invariants),
            deadlock,
            targets: Vec::new(),
        }
    }

    /// The stepper, to set its effort.
    pub fn stepper(&mut self) -> &mut Stepper {
        &mut self.states.stepper
    }

    /// The values of the variables in a node.
    ///
    /// # Panics
    /// In the root, which is no state.
    pub fn valuation(&mut self, node: &[u8]) -> &[i64] {
        self.states.load(number(node));
        &self.states.loaded
    }

    /// What was found, as a run.
    ///
    /// # Errors
    /// Why there is none: a limit was reached.
    pub fn run_of(&mut self, found: &Found<RelationStep>) -> Result<Path<Vec<i64>>, StopReason> {
        self.states.path(found.path.steps.iter().map(|step| step.to.0), found.path.cycle_start)
    }
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
            self.states.load(node);
            self.invariants.evaluate(&self.states.loaded);
            let is_broken = |&i: &u32| !self.invariants.is_true(i as usize);
            broken.extend((0..self.invariants.len() as u32).filter(is_broken));
        }
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<RelationStep>) -> NodeInfo {
        let node = number(node);
        let halted = self.states.list(Some(node).filter(|&n| n != ROOT), &mut self.targets);
        steps.clear();
        steps.extend(self.targets.iter().map(|&to| RelationStep { to: StateId(to), initial: node == ROOT }));
        let deadlock = self.deadlock && node != ROOT && steps.is_empty() && halted.is_none();
        NodeInfo { deadlock, halted, ..NodeInfo::default() }
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
        self.states.memory()
    }
}
