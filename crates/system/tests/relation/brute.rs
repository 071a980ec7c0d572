//! Everything about a small relation by trying all valuations with the oracle.

use std::collections::{BTreeMap, BTreeSet};

use lurcher_ir::relation::{Relation, VariableRole};
use lurcher_system::relation::Oracle;

pub type Valuation = Vec<i64>;

/// The states of a relation and the steps between them.
pub struct Brute {
    /// Initial states, inputs at their first values.
    pub initial: BTreeSet<Valuation>,
    /// Every valuation that is a state, with all inputs.
    pub moments: Vec<Valuation>,
    /// From a state with its inputs to states with inputs at their first values.
    pub steps: BTreeMap<Valuation, BTreeSet<Valuation>>,
}

/// A valuation with inputs at their first values.
pub fn state_of(relation: &Relation, valuation: &[i64]) -> Valuation {
    let value = |(v, &value): (&lurcher_ir::relation::Variable, &i64)| match v.role {
        VariableRole::Input => v.domain.value(0),
        _ => value,
    };
    relation.variables.iter().zip(valuation).map(value).collect()
}

fn valuations(relation: &Relation) -> Vec<Valuation> {
    let mut all = vec![Vec::new()];
    for variable in &relation.variables {
        let extend = |v: &Valuation| {
            let v = v.clone();
            let values: Vec<i64> = variable.domain.values().collect();
            values.into_iter().map(move |value| v.iter().copied().chain([value]).collect())
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

impl Brute {
    pub fn new(relation: &Relation) -> Brute {
        let oracle = Oracle::new(relation);
        let moments: Vec<Valuation> = valuations(relation).into_iter().filter(|v| oracle.is_state(v)).collect();
        let states: BTreeSet<Valuation> = moments.iter().map(|v| state_of(relation, v)).collect();
        let initial = states.iter().filter(|v| oracle.is_initial(v)).cloned().collect();
        let after =
            |now: &Valuation| states.iter().filter(|s| oracle.steps(now, s).next().is_some()).cloned().collect();
        let steps = moments.iter().map(|now| (now.clone(), after(now))).collect();
        Brute { initial, moments, steps }
    }

    /// The successors of a state by any inputs.
    pub fn successors(&self, relation: &Relation, state: &[i64]) -> BTreeSet<Valuation> {
        let state = state_of(relation, state);
        let same = self.moments.iter().filter(|m| state_of(relation, m) == state);
        same.flat_map(|m| self.steps[m].iter().cloned()).collect()
    }
}
