//! Random walks through the states of a relation, guided or not.
//!
//! The walks of `crate::walk`, where a state has no processes to draw from: try-a-child draws a transition and then the
//! values that it leaves open, which is LURCH's step when there is one transition; all-children lists every successor.

mod choose;
mod coverage;
mod fairness;
mod walker;

use std::marker::PhantomData;
use std::sync::Arc;

use lurcher_ir::relation::{Relation, TermId};
use lurcher_system::relation::{Formulas, Packing, Stepper};

use crate::outcome::FoundKind;
use crate::walk::{Keep, Terrain, WalkPlan, Walked};

use super::fair::fair_inputs;
use lurcher_system::Path;

pub use coverage::RelationCoverage;
pub(crate) use fairness::Fairness;
pub use walker::RelationWalker;

/// What a walk through a relation watches for.
#[derive(Clone, Debug, Default)]
pub struct RelationSubject {
    /// Terms that are true in every state.
    pub invariants: Vec<TermId>,
    /// States without successors.
    pub deadlock: bool,
    /// Runs that are fair to the relation's justice and compassion.
    pub fair: bool,
}

/// A heuristic for states of a relation.
pub trait RelationGuidance: Sync {
    /// The estimated distance from a state to a violation.
    fn score(&self, valuation: &[i64]) -> u32;

    /// The largest value it gives.
    fn max(&self) -> u32;
}

/// No guide: for walks that have none.
impl RelationGuidance for () {
    fn score(&self, _: &[i64]) -> u32 {
        0
    }

    fn max(&self) -> u32 {
        0
    }
}

/// A violation that a walk found.
#[derive(Clone, Debug)]
pub struct RelationFound {
    /// What it is.
    pub kind: FoundKind,
    /// The way to it; without states when it was not asked for.
    pub run: Path<Vec<i64>>,
}

/// A relation and what is watched in it, compiled once for all walkers.
#[derive(Debug)]
pub struct RelationTerrain<G> {
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

impl<G> RelationTerrain<G> {
    /// Compiles a relation.
    pub fn new(relation: &Relation, subject: &RelationSubject) -> Self {
        let fairness = subject.fair.then(|| Fairness::new(relation));
        let observed = if subject.fair { fair_inputs(relation) } else { Vec::new() };
        RelationTerrain {
            stepper: Stepper::with_inputs(relation, &[], &observed),
            packing: Packing::new(relation),
            moments: Packing::with(relation, |_| true),
            invariants: Formulas::new(relation, &subject.invariants),
            fairness,
            deadlock: subject.deadlock,
            variables: relation.variables.len(),
            coverage: RelationCoverage::new(relation),
            guide: PhantomData,
        }
    }

    /// What finds successors, to be given native code before walks begin.
    pub fn stepper(&mut self) -> &mut Stepper {
        &mut self.stepper
    }
}

impl<G: RelationGuidance + Send> Terrain for RelationTerrain<G> {
    type Guide = G;
    type Found = RelationFound;
    type Coverage = RelationCoverage;
    type Walker<'t>
        = RelationWalker<'t, G>
    where
        Self: 't;

    fn coverage(&self) -> RelationCoverage {
        self.coverage.clone()
    }

    fn cost_of_looking(&self, _: &WalkPlan, _: bool) -> u64 {
        0
    }

    fn walker(&self) -> RelationWalker<'_, G> {
        RelationWalker::new(self)
    }

    fn walk(
        walker: &mut RelationWalker<'_, G>,
        plan: WalkPlan,
        guide: Option<Arc<G>>,
        unit: (u64, u64),
        keep: Keep,
        _: &RelationCoverage,
        stop: &dyn Fn() -> bool,
    ) -> Walked<RelationFound, RelationCoverage> {
        walker.run(plan, guide, unit, keep, stop)
    }
}
