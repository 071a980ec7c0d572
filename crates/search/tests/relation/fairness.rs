//! Fair runs against a check of all strongly connected sets by brute force.

use std::collections::{BTreeMap, BTreeSet};

use lurcher_ir::relation::Relation;
use lurcher_search::{Budget, StopReason, fair_run};
use lurcher_system::Path;
use lurcher_system::relation::Oracle;

use crate::brute::{Brute, Valuation, state_of};
use crate::generate::{self, Numbers};
use crate::judge::{assert_is_run, distances};
use crate::rounds;

type Graph = BTreeMap<Valuation, BTreeSet<Valuation>>;

/// Moments and steps between them: every state with all its inputs.
fn graph(relation: &Relation, brute: &Brute) -> Graph {
    let reached = distances(relation, brute);
    let moments: Vec<&Valuation> =
        brute.moments.iter().filter(|m| reached.contains_key(&state_of(relation, m))).collect();
    let after = |m: &Valuation| {
        let next = &brute.steps[m];
        moments.iter().filter(|n| next.contains(&state_of(relation, n))).map(|n| (*n).clone()).collect()
    };
    moments.iter().map(|m| ((*m).clone(), after(m))).collect()
}

/// Nodes that a node reaches by at least one step.
fn reach(graph: &Graph) -> Graph {
    let mut reach = graph.clone();
    loop {
        let mut changed = false;
        for node in graph.keys() {
            let further: BTreeSet<Valuation> = reach[node].iter().flat_map(|n| reach[n].iter().cloned()).collect();
            let own = reach.get_mut(node).expect("every node has an entry");
            let before = own.len();
            own.extend(further);
            changed |= own.len() > before;
        }
        if !changed {
            return reach;
        }
    }
}

/// Is there a fair run inside a graph? Every component, and where compassion fails, what is left of it.
fn is_fair_somewhere(relation: &Relation, graph: &Graph) -> bool {
    let oracle = Oracle::new(relation);
    let reach = reach(graph);
    let mut left: BTreeSet<&Valuation> = graph.keys().filter(|n| reach[*n].contains(*n)).collect();
    while let Some(node) = left.first().copied() {
        let set: BTreeSet<&Valuation> =
            left.iter().copied().filter(|m| reach[node].contains(*m) && reach[*m].contains(node)).collect();
        left.retain(|n| !set.contains(n));
        let some = |term| set.iter().any(|n| oracle.holds(term, n));
        if !relation.justice.iter().all(|&t| some(t)) {
            continue;
        }
        let unanswered: Vec<_> = relation.compassion.iter().filter(|(p, q)| some(*p) && !some(*q)).collect();
        if unanswered.is_empty() {
            return true;
        }
        let kept: BTreeSet<Valuation> =
            set.iter().filter(|n| !unanswered.iter().any(|(p, _)| oracle.holds(*p, n))).map(|n| (*n).clone()).collect();
        let inner: Graph = kept.iter().map(|n| (n.clone(), graph[n].intersection(&kept).cloned().collect())).collect();
        if is_fair_somewhere(relation, &inner) {
            return true;
        }
    }
    false
}

pub fn assert_is_fair(relation: &Relation, run: &Path<Vec<i64>>) {
    let oracle = Oracle::new(relation);
    let cycle = &run.steps[run.cycle_start.expect("a fair run is a lasso")..];
    let some = |term| cycle.iter().any(|s| oracle.holds(term, s));
    assert!(relation.justice.iter().all(|&t| some(t)), "{run:?}");
    assert!(relation.compassion.iter().all(|&(p, q)| !some(p) || some(q)), "{run:?}");
}

#[test]
fn fair_runs_are_found_exactly_where_brute_force_finds_them() {
    let (mut fair, mut unfair) = (0, 0);
    for round in 0..rounds() {
        let mut numbers = Numbers(round + 5_000_000);
        let mut relation = generate::relation(&mut numbers, 16);
        if round % 2 == 0 {
            relation.compassion.clear();
        }
        let brute = Brute::new(&relation);
        let expected = is_fair_somewhere(&relation, &graph(&relation, &brute));
        let outcome = fair_run(&relation, &Budget::default(), &mut ());
        assert_eq!(outcome.run.is_some(), expected, "round {round}");
        match outcome.run {
            Some(run) => {
                fair += 1;
                assert_eq!(outcome.stop, StopReason::Violation);
                assert_is_run(&relation, &run);
                assert_is_fair(&relation, &run);
            }
            None => {
                unfair += u64::from(!brute.initial.is_empty());
                assert_eq!(outcome.stop, StopReason::Complete);
                assert_eq!(outcome.stats.stored, distances(&relation, &brute).len() as u64, "round {round}");
            }
        }
    }
    assert!(fair * 10 > rounds() && unfair * 20 > rounds(), "{fair} fair, {unfair} unfair");
}
