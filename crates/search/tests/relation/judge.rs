//! Judging runs.

use std::collections::{BTreeMap, VecDeque};

use lurcher_ir::relation::Relation;
use lurcher_system::Path;
use lurcher_system::relation::Oracle;

use crate::brute::{Brute, Valuation};

/// Is it a run, step by step, from an initial state?
pub fn assert_is_run(relation: &Relation, run: &Path<Vec<i64>>) {
    let oracle = Oracle::new(relation);
    assert!(oracle.is_initial(&run.steps[0]), "{run:?}");
    let back = run.cycle_start.map(|s| run.steps[s].clone());
    let after: Vec<Valuation> = run.steps[1..].iter().cloned().chain(back).collect();
    for (now, next) in run.steps.iter().zip(&after) {
        assert!(oracle.steps(now, next).next().is_some(), "{now:?} {next:?} in {run:?}");
    }
}

/// The distance of every reachable state.
pub fn distances(relation: &Relation, brute: &Brute) -> BTreeMap<Valuation, usize> {
    let mut distances: BTreeMap<Valuation, usize> = brute.initial.iter().map(|s| (s.clone(), 0)).collect();
    let mut open: VecDeque<Valuation> = brute.initial.iter().cloned().collect();
    while let Some(state) = open.pop_front() {
        let distance = distances[&state] + 1;
        for next in brute.successors(relation, &state) {
            if !distances.contains_key(&next) {
                distances.insert(next.clone(), distance);
                open.push_back(next);
            }
        }
    }
    distances
}
