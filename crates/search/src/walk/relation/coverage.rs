//! The transitions that walks through a relation took, and the values of small variables.

use lurcher_ir::relation::Relation;
use lurcher_system::relation::Packing;
use serde::{Deserialize, Serialize};

use super::super::position::Covers;

/// Transitions taken and values seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelationCoverage {
    transitions: Vec<bool>,
    /// By variable: a bit for each code.
    values: Vec<u64>,
}

impl RelationCoverage {
    /// Nothing yet.
    pub fn new(relation: &Relation) -> Self {
        RelationCoverage {
            transitions: vec![false; relation.transitions.len()],
            values: vec![0; relation.variables.len()],
        }
    }

    /// Notes a transition that was taken.
    pub(super) fn take(&mut self, transition: usize) {
        self.transitions[transition] = true;
    }

    /// Notes the values of a packed state.
    pub(super) fn meet(&mut self, packing: &Packing, bytes: &[u8]) {
        packing.each_small_code(bytes, |variable, code| self.values[variable] |= 1u64.checked_shl(code).unwrap_or(0));
    }
}

impl Covers for RelationCoverage {
    fn merge(&mut self, other: &Self) -> u64 {
        let mut new = 0;
        for (mine, theirs) in self.transitions.iter_mut().zip(&other.transitions) {
            new += u64::from(*theirs && !*mine);
            *mine |= theirs;
        }
        for (mine, theirs) in self.values.iter_mut().zip(&other.values) {
            new += u64::from((theirs & !*mine).count_ones());
            *mine |= theirs;
        }
        new
    }
}
