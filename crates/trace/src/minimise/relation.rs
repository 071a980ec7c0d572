//! Minimising paths of a relation with the stepper.

use std::ops::ControlFlow;

use lurcher_ir::relation::{Relation, TermId};
use lurcher_system::Path;
use lurcher_system::relation::{EFFORT, Formulas, Packing, Stepper};

use super::budget::PER_EXPANSION;
use super::shortcuts::{PathSystem, minimise_path};
use super::{MinimiseBudget, Minimised};

/// The goal of a path of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateGoal {
    /// A state in which this term is false.
    False(TermId),
    /// A state without successors.
    Deadlock,
    /// A state of the cycle: the path is a lasso.
    Cycle,
}

/// Minimises a path of a relation.
pub fn minimise_states(
    relation: &Relation,
    path: &Path<Vec<i64>>,
    goal: StateGoal,
    budget: &MinimiseBudget,
) -> Minimised<Vec<i64>> {
    let watched: &[TermId] = if let StateGoal::False(term) = &goal { std::slice::from_ref(term) } else { &[] };
    let mut system = RelationSystem {
        stepper: Stepper::new(relation),
        packing: Packing::new(relation),
        formulas: Formulas::new(relation, watched),
        variables: relation.variables.len(),
        goal,
    };
    // One state with many successors is not worth more than the whole budget.
    system.stepper.set_effort(EFFORT.min(budget.expansions.saturating_mul(PER_EXPANSION)));
    let mut minimised = minimise_path(&mut system, path, budget);
    system.stepper.set_effort(EFFORT);
    match minimised.path.clone().with_inputs(&mut system.stepper) {
        Some(path) => minimised.path = path,
        // A state may have more successors than can be listed: what was found has its inputs.
        None => (minimised.path, minimised.optimal) = (path.clone(), false),
    }
    minimised
}

struct RelationSystem {
    stepper: Stepper,
    packing: Packing,
    /// Evaluates the term of the goal.
    formulas: Formulas,
    variables: usize,
    goal: StateGoal,
}

impl PathSystem for RelationSystem {
    type State = Vec<i64>;

    fn encode(&self, state: &Vec<i64>) -> Vec<u8> {
        let mut code = Vec::with_capacity(self.packing.len());
        self.packing.pack(state, &mut code);
        code
    }

    fn decode(&self, code: &[u8]) -> Vec<i64> {
        let mut state = vec![0; self.variables];
        self.packing.unpack(code, &mut state);
        state
    }

    fn initial(&mut self, mut visit: impl FnMut(&[u8]) -> ControlFlow<()>) -> bool {
        let (packing, mut code) = (&self.packing, Vec::new());
        let listed = self.stepper.initial(|state| {
            packing.pack(state, &mut code);
            visit(&code)
        });
        listed.is_ok()
    }

    fn successors(&mut self, state: &Vec<i64>, mut visit: impl FnMut(&[u8])) -> bool {
        let (packing, mut code) = (&self.packing, Vec::new());
        let listed = self.stepper.successors(state, |step| {
            packing.pack(step.next, &mut code);
            visit(&code);
            ControlFlow::Continue(())
        });
        listed.is_ok()
    }

    fn is_goal(&mut self, state: &Vec<i64>) -> bool {
        if !matches!(self.goal, StateGoal::False(_)) {
            return false;
        }
        self.formulas.evaluate(state);
        self.formulas.value(0) == 0
    }

    fn deadlock_is_goal(&self) -> bool {
        self.goal == StateGoal::Deadlock
    }
}
