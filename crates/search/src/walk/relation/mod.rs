//! Walks through relations.
//!
//! Try-a-child draws a transition and then the values that it leaves open, which is LURCH's step when there is one
//! transition; all-children lists every successor.

mod coverage;
mod fairness;
mod position;

use std::marker::PhantomData;

use lurcher_ir::relation::{Relation, TermId};
use lurcher_system::relation::{Formulas, Packing, Stepper};

use crate::relation::fair_inputs;

use super::position::WalkDomain;

pub use coverage::RelationCoverage;
pub(crate) use fairness::Fairness;
pub use position::RelationPosition;

/// What counts as a violation in a relation.
#[derive(Clone, Debug, Default)]
pub struct RelationObjective {
    /// Terms that are true in every state.
    pub invariants: Vec<TermId>,
    /// States without successors.
    pub deadlock: bool,
    /// Runs that satisfy the relation's justice and compassion.
    pub fair: bool,
}

/// A heuristic for states of a relation.
pub trait RelationGuidance: Sync {
    /// The estimated distance from a state to a violation.
    fn score(&self, valuation: &[i64]) -> u32;

    /// The largest value it gives.
    fn max(&self) -> u32;
}

/// No heuristic, for unguided walks.
impl RelationGuidance for () {
    fn score(&self, _: &[i64]) -> u32 {
        0
    }

    fn max(&self) -> u32 {
        0
    }
}

/// A relation and an objective, compiled once for all threads.
#[derive(Debug)]
pub struct RelationDomain<G> {
    stepper: Stepper,
    packing: Packing,
    /// Packs inputs as well.
    moments: Packing,
    invariants: Formulas,
    fairness: Option<Fairness>,
    deadlock: bool,
    variables: usize,
    coverage: RelationCoverage,
    guide: PhantomData<fn() -> G>,
}

impl<G> RelationDomain<G> {
    /// Compiles a relation.
    pub fn new(relation: &Relation, objective: &RelationObjective) -> Self {
        let observed = if objective.fair { fair_inputs(relation) } else { Vec::new() };
        RelationDomain {
            stepper: Stepper::with_inputs(relation, &[], &observed),
            packing: Packing::new(relation),
            moments: Packing::with(relation, |_| true),
            invariants: Formulas::new(relation, &objective.invariants),
            fairness: objective.fair.then(|| Fairness::new(relation)),
            deadlock: objective.deadlock,
            variables: relation.variables.len(),
            coverage: RelationCoverage::new(relation),
            guide: PhantomData,
        }
    }

    /// The stepper, to be given native code before walks begin.
    pub fn stepper(&mut self) -> &mut Stepper {
        &mut self.stepper
    }
}

impl<G: RelationGuidance + Send> WalkDomain for RelationDomain<G> {
    type Step = Vec<i64>;
    type Guide = G;
    type Coverage = RelationCoverage;
    type Position<'t>
        = RelationPosition<'t, G>
    where
        Self: 't;

    fn position(&self) -> RelationPosition<'_, G> {
        RelationPosition::new(self)
    }

    fn coverage(&self) -> RelationCoverage {
        self.coverage.clone()
    }
}
