//! Invariants and deadlocks.

use std::collections::BTreeMap;

use lurcher_ir::relation::{Relation, TermId};
use lurcher_search::{
    Budget, FoundKind, Nesting, Outcome, RelationSpace, RelationStep, StopReason, bfs, dfs, nested_dfs,
};
use lurcher_system::relation::Oracle;

use crate::brute::{Brute, Valuation};
use crate::generate::{self, Numbers};
use crate::judge::{assert_is_run, distances};
use crate::rounds;

/// The shortest distance of each violation: of invariants by number, of a deadlock.
fn expected(
    relation: &Relation,
    brute: &Brute,
    reached: &BTreeMap<Valuation, usize>,
    invariants: &[TermId],
) -> Vec<(FoundKind, usize)> {
    let oracle = Oracle::new(relation);
    let nearest = |bad: &dyn Fn(&Valuation) -> bool| reached.iter().filter(|(s, _)| bad(s)).map(|(_, d)| *d).min();
    let mut all = Vec::new();
    for (index, &term) in invariants.iter().enumerate() {
        let bad = |s: &Valuation| !oracle.holds(term, s);
        all.extend(nearest(&bad).map(|d| (FoundKind::Watched(index as u32), d)));
    }
    let stuck = |s: &Valuation| brute.successors(relation, s).is_empty();
    all.extend(nearest(&stuck).map(|d| (FoundKind::Deadlock, d)));
    all
}

type Search = fn(&mut RelationSpace, &Budget) -> Outcome<RelationStep>;

#[test]
fn searches_find_what_brute_force_finds_and_count_the_same_states() {
    let searches: [(&str, Search); 3] = [
        ("bfs", |space, budget| bfs(space, budget, &mut ())),
        ("dfs", |space, budget| dfs(space, budget, &mut ())),
        ("nested dfs", |space, budget| nested_dfs(space, Nesting::Everywhere, budget, &mut ())),
    ];
    for round in 0..rounds() {
        let mut numbers = Numbers(round + 3_000_000);
        let mut relation = generate::relation(&mut numbers, 40);
        let invariants: Vec<_> = (0..3).map(|_| generate::about_state(&mut numbers, &mut relation, false)).collect();
        let brute = Brute::new(&relation);
        let reached = distances(&relation, &brute);
        let expected = expected(&relation, &brute, &reached, &invariants);
        for (name, search) in searches {
            let budget = Budget { all_errors: true, ..Budget::default() };
            let deadlock = name != "nested dfs";
            let mut space = RelationSpace::new(&relation, &invariants, deadlock, &budget);
            let outcome = search(&mut space, &budget);
            assert_eq!(outcome.stop, StopReason::Complete);
            assert_eq!(outcome.stats.stored, reached.len() as u64, "{name}, round {round}");
            let wanted = expected.iter().filter(|(kind, _)| deadlock || *kind != FoundKind::Deadlock);
            assert_eq!(outcome.found.len(), wanted.clone().count(), "{name}, round {round}");
            for (kind, distance) in wanted {
                let found = outcome.found.iter().find(|f| f.kind == *kind).expect("it is reported");
                let run = space.run_of(found).unwrap();
                assert_is_run(&relation, &run);
                let last = run.steps.last().expect("a run has a state");
                match kind {
                    FoundKind::Watched(i) => assert!(!Oracle::new(&relation).holds(invariants[*i as usize], last)),
                    _ => assert!(brute.successors(&relation, last).is_empty()),
                }
                assert!(if name == "bfs" {
                    run.length() as usize == *distance
                } else {
                    run.length() as usize >= *distance
                });
            }
        }
    }
}

#[test]
fn one_violation_is_enough_and_depth_limits_count_steps() {
    for round in 0..rounds() {
        let mut numbers = Numbers(round + 4_000_000);
        let mut relation = generate::relation(&mut numbers, 40);
        let invariants = [generate::about_state(&mut numbers, &mut relation, false)];
        let brute = Brute::new(&relation);
        let reached = distances(&relation, &brute);
        let expected = expected(&relation, &brute, &reached, &invariants);
        let shortest = expected.iter().map(|(_, d)| *d).min();
        let deepest = reached.values().copied().max().unwrap_or(0);
        for depth in 0..=deepest {
            let budget = Budget { depth: Some(depth as u32), ..Budget::default() };
            for search in [bfs::<RelationSpace>, dfs::<RelationSpace>] as [fn(&mut _, &_, &mut ()) -> _; 2] {
                let mut space = RelationSpace::new(&relation, &invariants, true, &budget);
                let outcome = search(&mut space, &budget, &mut ());
                let seen = shortest.is_some_and(|s| s <= depth);
                assert_eq!(outcome.stop == StopReason::Violation, seen, "round {round}, depth {depth}");
                if !seen {
                    let above = reached.values().filter(|d| **d <= depth).count() as u64;
                    assert_eq!(outcome.stats.stored, above, "round {round}, depth {depth}");
                }
            }
        }
    }
}

#[test]
fn a_state_with_too_many_successors_stops_the_search_cleanly() {
    let mut relation = Relation::default();
    for index in 0..8 {
        relation.add_variable(lurcher_ir::relation::Variable {
            name: format!("v{index}"),
            role: lurcher_ir::relation::VariableRole::State,
            domain: lurcher_ir::relation::Domain::Range(0, 999),
            span: lurcher_syntax::Span::default(),
        });
    }
    relation.transitions.push(lurcher_ir::relation::Transition::default());
    let budget = Budget::default();
    let mut space = RelationSpace::new(&relation, &[], true, &budget);
    space.stepper().set_effort(10_000);
    assert_eq!(bfs(&mut space, &budget, &mut ()).stop, StopReason::Successors);
}
