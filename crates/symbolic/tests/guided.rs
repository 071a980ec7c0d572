//! Rings, SGMC and symbolic walks on tiny relations, against explicit search.

mod tiny;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lurcher_ir::relation::{Relation, TermId, VariableId};
use lurcher_search::{Budget, StopReason};
use lurcher_symbolic::{Encoding, Pattern, Rings, Strategy, WalkPlan};
use lurcher_system::Path;
use tiny::{Numbers, World, about_state, violating};

/// Unguided walks.
const PLAIN: WalkPlan<'_> =
    WalkPlan { seed: 5, first: 0, walks: 30, depth: None, trail: false, guide: None, reversed: false };

/// For each valuation, its distance to one where the term is false.
fn distances_to(world: &World<'_>, term: TermId) -> Vec<Option<usize>> {
    let bad = |v: usize| world.states[v] && !world.oracle.holds(term, &world.all[v]);
    let mut distance: Vec<Option<usize>> = (0..world.all.len()).map(|v| bad(v).then_some(0)).collect();
    for depth in 1..=world.all.len() {
        for v in 0..world.all.len() {
            if distance[v].is_none() && world.after[v].iter().any(|&w| distance[w].is_some_and(|d| d < depth)) {
                distance[v] = Some(depth);
            }
        }
    }
    distance
}

/// Calls `check` with many random relations and a term to violate.
fn for_many(count: u64, mut check: impl FnMut(&str, &mut Numbers, &World<'_>, &Encoding<'_>, TermId)) {
    tiny::for_many(count, 24, |seed, numbers, mut relation| {
        let term = about_state(numbers, &mut relation, false);
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        check(seed, numbers, &world, &encoding, term);
    });
}

fn pattern(numbers: &mut Numbers, relation: &Relation) -> Pattern {
    if numbers.chance(40) {
        return Pattern::Auto { bits: numbers.below(5) };
    }
    let ids: Vec<VariableId> = relation.state_variables().map(|(id, _)| id).collect();
    Pattern::Without(ids.into_iter().filter(|_| numbers.chance(50)).collect())
}

#[test]
fn rings_are_consistent_lower_bounds() {
    let (mut exact, mut below) = (0, 0);
    for_many(300, |what, numbers, world, encoding, term| {
        let bad = violating(encoding, term);
        let rings = Rings::new(encoding, &bad, &[term], &pattern(numbers, world.relation)).unwrap();
        let heuristic = rings.heuristic(encoding);
        let distance = distances_to(world, term);
        for v in (0..world.all.len()).filter(|&v| world.states[v]) {
            let score = heuristic.score(&world.all[v]);
            assert!(distance[v].is_none_or(|d| score as usize <= d), "{what}: {score} for {:?}", distance[v]);
            assert!(score < heuristic.worst() || distance[v].is_none() || !rings.is_complete(), "{what}");
            for &w in &world.after[v] {
                assert!(score <= heuristic.score(&world.all[w]) + 1, "{what}: it falls by more than one");
            }
            *if distance[v].is_some_and(|d| d == score as usize) { &mut exact } else { &mut below } += 1;
        }
    });
    assert!(exact > 500 && below > 500, "{exact} and {below}");
}

#[test]
fn sgmc_finds_shortest_traces_whatever_is_dropped() {
    let mut found = 0;
    for_many(300, |what, numbers, world, encoding, term| {
        let bad = violating(encoding, term);
        let rings = Rings::new(encoding, &bad, &[term], &pattern(numbers, world.relation)).unwrap();
        let guided = encoding.sgmc(&bad, &rings, &mut ()).unwrap();
        let plain = encoding.reach(&bad, Strategy::Forward, &mut ()).unwrap();
        let length = |trace: &Path<Vec<i64>>| trace.length();
        assert_eq!(guided.trace.as_ref().map(length), plain.trace.as_ref().map(length), "{what}");
        if let Some(trace) = guided.trace {
            world.assert_violates(&trace, term, what);
            found += 1;
        }
    });
    assert!(found > 100, "{found}");
}

#[test]
fn walks_and_trails_are_runs_and_find_what_is_there() {
    let (mut there, mut found) = (0, 0);
    for_many(120, |what, numbers, world, encoding, term| {
        let bad = violating(encoding, term);
        let rings = Rings::new(encoding, &bad, &[term], &pattern(numbers, world.relation)).unwrap();
        let is_there = encoding.reach(&bad, Strategy::Forward, &mut ()).unwrap().trace.is_some();
        for (trail, guide, reversed) in [
            (false, None, false),
            (true, None, false),
            (false, Some(&rings), false),
            (true, Some(&rings), false),
            (true, Some(&rings), true),
        ] {
            let plan = WalkPlan { seed: 3, first: 0, walks: 30, depth: Some(30), trail, guide, reversed };
            let walks = encoding.walks(&bad, &plan, &mut ());
            there += u32::from(is_there);
            assert!(is_there || walks.found.is_none(), "{what}");
            let Some((index, trace)) = walks.found else {
                // Without an initial state, everything has been seen.
                let starts = !encoding.kernel().is_empty(encoding.initial());
                let expected = if starts { (StopReason::Walks, 30) } else { (StopReason::Complete, 0) };
                assert_eq!((walks.stop, walks.walks), expected, "{what}");
                continue;
            };
            found += 1;
            world.assert_violates(&trace, term, what);
            let states: BTreeSet<Vec<i64>> = trace.steps.iter().map(|s| world.state_of(s)).collect();
            assert!(!trail || states.len() == trace.steps.len(), "{what}: a trail visits a state twice");
            let alone = WalkPlan { first: index, walks: 1, ..plan };
            let again = encoding.walks(&bad, &alone, &mut ()).found.expect("the same walk");
            assert_eq!(again, (index, trace), "{what}: a walk depends on others");
        }
    });
    assert!(there > 200 && found * 20 > there * 19, "{found} of {there}");
}

#[test]
fn endless_walks_are_stopped_by_time_and_by_memory() {
    let late = || tiny::budget().until(Instant::now() + Duration::from_millis(50));
    let (mut by_time, mut by_memory) = (0, 0);
    tiny::for_many(40, 40, |seed, _, relation| {
        let small = Budget::default().with_memory(Some(1 << 18));
        for (budget, expected, stopped) in
            [(late(), StopReason::Time, &mut by_time), (small, StopReason::Memory, &mut by_memory)]
        {
            let Ok(encoding) = Encoding::new(&relation, &budget) else { continue };
            let nowhere = encoding.kernel().constant(false);
            let plan = WalkPlan { walks: 1, depth: None, ..PLAIN };
            let walks = encoding.walks(&nowhere, &plan, &mut ());
            // Walks that come to a state without successors end by themselves; without an initial state there are none.
            let starts = !encoding.kernel().is_empty(encoding.initial());
            let by_itself = if starts { StopReason::Walks } else { StopReason::Complete };
            assert!(walks.stop == expected || walks.stop == by_itself, "{seed}: {:?}", walks.stop);
            *stopped += u32::from(walks.stop == expected);
        }
    });
    assert!(by_time > 5 && by_memory > 5, "{by_time} and {by_memory}");
}

#[test]
fn every_successor_is_drawn_sooner_or_later() {
    let mut drawn = 0;
    for_many(120, |what, _, world, encoding, _| {
        let k = encoding.kernel();
        let is_initial = |v: &usize| world.states[*v] && world.oracle.is_initial(&world.all[*v]);
        let firsts: Vec<usize> = (0..world.all.len()).filter(is_initial).collect();
        let start = encoding.initial();
        for &w in firsts.iter().flat_map(|&v| &world.after[v]).take(12) {
            let target = k.minus(&encoding.state(&world.all[w]).unwrap(), start).unwrap();
            if k.is_empty(&target) {
                continue;
            }
            let plan = WalkPlan { walks: 2000, depth: Some(1), ..PLAIN };
            let found = encoding.walks(&target, &plan, &mut ()).found;
            let (_, trace) = found.unwrap_or_else(|| panic!("{what}: {:?} is never drawn", world.all[w]));
            assert_eq!(world.state_of(&trace.steps[1]), world.state_of(&world.all[w]), "{what}");
            drawn += 1;
        }
    });
    assert!(drawn > 100, "{drawn}");
}
