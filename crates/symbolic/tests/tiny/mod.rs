//! Tiny random relations with their explicit state spaces, as computed by the oracle.
#![allow(dead_code, missing_docs)]

#[path = "../../../system/tests/relation/generate.rs"]
mod generate;

pub use generate::{Numbers, about_state};
use lurcher_ir::relation::{Relation, TermId};
use lurcher_search::Budget;
use lurcher_symbolic::{Bdd, Encoding};
use lurcher_system::Path;
use lurcher_system::relation::Oracle;

pub fn budget() -> Budget {
    Budget::default().with_memory(Some(16 << 20))
}

/// Calls `check` with many random relations of at most so many states.
pub fn for_many(count: u64, states: u64, mut check: impl FnMut(&str, &mut Numbers, Relation)) {
    for seed in 0..count {
        let mut numbers = Numbers(seed);
        let relation = generate::relation(&mut numbers, states);
        check(&format!("seed {seed}"), &mut numbers, relation);
    }
}

/// The states where a term is false.
pub fn violating(encoding: &Encoding<'_>, term: TermId) -> Bdd {
    encoding.kernel().minus(encoding.all_states(), &encoding.truth(term).unwrap()).unwrap()
}

/// The explicit state space of a relation.
pub struct World<'r> {
    pub relation: &'r Relation,
    pub oracle: Oracle<'r>,
    /// All valuations, whether states or not.
    pub all: Vec<Vec<i64>>,
    pub states: Vec<bool>,
    pub initial: Vec<bool>,
    /// For each valuation, its successors by a step with its inputs.
    pub after: Vec<Vec<usize>>,
}

impl<'r> World<'r> {
    pub fn new(relation: &'r Relation) -> Self {
        let oracle = Oracle::new(relation);
        let mut all: Vec<Vec<i64>> = vec![Vec::new()];
        for variable in &relation.variables {
            let extended = all.iter().flat_map(|v| {
                variable.domain.values().map(move |value| v.iter().copied().chain([value]).collect::<Vec<i64>>())
            });
            all = extended.collect();
        }
        let states: Vec<bool> = all.iter().map(|v| oracle.is_state(v)).collect();
        let initial = all.iter().map(|v| oracle.is_initial(v)).collect();
        let follows = |a: usize, b: usize| states[a] && states[b] && oracle.steps(&all[a], &all[b]).next().is_some();
        let after = (0..all.len()).map(|a| (0..all.len()).filter(|&b| follows(a, b)).collect()).collect();
        World { relation, oracle, states, initial, after, all }
    }

    /// The values of the state variables in a valuation.
    pub fn state_of(&self, valuation: &[i64]) -> Vec<i64> {
        self.relation.state_variables().map(|(id, _)| valuation[id.0 as usize]).collect()
    }

    /// Distances from the initial valuations.
    pub fn distances(&self) -> Vec<Option<usize>> {
        let mut distance: Vec<Option<usize>> = self.initial.iter().map(|&i| i.then_some(0)).collect();
        let mut layer: Vec<usize> = (0..self.all.len()).filter(|&v| self.initial[v]).collect();
        let mut depth = 0;
        while !layer.is_empty() {
            depth += 1;
            let next: Vec<usize> = layer.iter().flat_map(|&v| self.after[v].iter().copied()).collect();
            layer = next.into_iter().filter(|&v| distance[v].is_none()).collect();
            layer.sort_unstable();
            layer.dedup();
            layer.iter().for_each(|&v| distance[v] = Some(depth));
        }
        distance
    }

    /// The trace is a run from an initial state.
    pub fn assert_runs(&self, trace: &Path<Vec<i64>>, what: &str) {
        assert!(self.oracle.is_initial(&trace.steps[0]), "{what}");
        let mut states = trace.steps.clone();
        states.extend(trace.cycle_start.map(|start| trace.steps[start].clone()));
        for pair in states.windows(2) {
            assert!(self.oracle.steps(&pair[0], &pair[1]).next().is_some(), "{what}: {pair:?}");
        }
    }

    /// The trace is a run to a state where a term is false.
    pub fn assert_violates(&self, trace: &Path<Vec<i64>>, term: TermId, what: &str) {
        self.assert_runs(trace, what);
        assert!(!self.oracle.holds(term, trace.steps.last().unwrap()), "{what}");
    }
}
