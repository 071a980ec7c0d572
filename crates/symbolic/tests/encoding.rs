//! What the encoding says of tiny relations is what the oracle says of every valuation.

mod tiny;

use std::collections::BTreeSet;

use lurcher_ir::relation::Relation;
use lurcher_symbolic::{Encoding, Strategy, Trace};
use tiny::{MOMENT, Random, STATE, World};

fn for_many(count: u64, mut check: impl FnMut(u64, &mut Random, Relation)) {
    for seed in 0..count {
        let mut random = Random(seed);
        let relation = tiny::relation(&mut random, 40);
        check(seed, &mut random, relation);
    }
}

#[test]
fn initial_states_and_steps_are_those_of_the_oracle() {
    let mut steps = 0;
    for_many(400, |seed, _, relation| {
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        for (index, valuation) in world.all.iter().enumerate() {
            let what = format!("seed {seed}, {valuation:?}");
            assert_eq!(encoding.holds(encoding.all_states(), valuation), world.states[index], "{what}");
            assert_eq!(encoding.holds(encoding.initial(), valuation), world.initial[index], "{what}");
            let after = encoding.image(&encoding.moment(valuation).unwrap()).unwrap();
            let before = encoding.preimage_moments(&encoding.state(valuation).unwrap()).unwrap();
            if !world.states[index] {
                continue;
            }
            for (other, state) in world.all.iter().enumerate() {
                let follows = world.after[index].contains(&other);
                assert_eq!(encoding.holds(&after, state), follows, "{what} to {state:?}");
                let precedes = world.after[other].contains(&index);
                assert_eq!(encoding.holds(&before, state), precedes, "{what} from {state:?}");
                steps += u32::from(follows);
            }
        }
    });
    assert!(steps > 10_000, "the relations have steps: {steps}");
}

#[test]
fn terms_are_true_where_the_oracle_says_so() {
    for_many(400, |seed, random, mut relation| {
        let terms: Vec<_> =
            (0..6).map(|i| tiny::test(random, &mut relation, if i < 3 { STATE } else { MOMENT }, 3)).collect();
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        for term in terms {
            let truth = encoding.truth(term).unwrap();
            for valuation in &world.all {
                let expected = world.oracle.holds(term, valuation);
                assert_eq!(encoding.holds(&truth, valuation), expected, "seed {seed}, {term:?}, {valuation:?}");
            }
        }
    });
}

/// The trace is a run, and ends in a state where the term is false.
fn assert_violates(world: &World<'_>, trace: &Trace, term: lurcher_ir::relation::TermId) {
    assert!(world.oracle.is_initial(&trace.states[0]));
    for pair in trace.states.windows(2) {
        assert!(world.oracle.steps(&pair[0], &pair[1]).next().is_some(), "{pair:?}");
    }
    assert!(!world.oracle.holds(term, trace.states.last().unwrap()));
}

#[test]
fn reachability_agrees_with_explicit_search_whatever_the_strategy() {
    let (mut violated, mut held) = (0, 0);
    for_many(300, |seed, random, mut relation| {
        let term = tiny::test(random, &mut relation, STATE, 3);
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        let distances = world.distances();
        let reached: Vec<usize> = (0..world.all.len()).filter(|&v| distances[v].is_some()).collect();
        let states: BTreeSet<Vec<i64>> = reached.iter().map(|&v| world.state_of(&relation, v)).collect();
        let reachable = encoding.reachable(&mut ()).unwrap();
        assert_eq!(encoding.count(&reachable).exact(), Some(states.len() as u128), "seed {seed}");
        let stuck: BTreeSet<Vec<i64>> = {
            let moves = |s: &Vec<i64>| {
                (0..world.all.len()).any(|v| world.state_of(&relation, v) == *s && !world.after[v].is_empty())
            };
            states.iter().filter(|s| !moves(s)).cloned().collect()
        };
        let deadlocks = encoding.kernel().and(&encoding.deadlocks().unwrap(), &reachable).unwrap();
        assert_eq!(encoding.count(&deadlocks).exact(), Some(stuck.len() as u128), "seed {seed}");
        let bad = reached.iter().filter(|&&v| !world.oracle.holds(term, &world.all[v]));
        let shortest = bad.filter_map(|&v| distances[v]).min();
        *if shortest.is_some() { &mut violated } else { &mut held } += 1;
        for strategy in [Strategy::Forward, Strategy::Backward, Strategy::Chaining] {
            let found = encoding.violates(term, strategy, &mut ()).unwrap();
            assert_eq!(found.trace.is_some(), shortest.is_some(), "seed {seed}, {strategy:?}");
            if let Some(trace) = &found.trace {
                assert_violates(&world, trace, term);
                assert!(!found.shortest || Some(trace.len()) == shortest, "seed {seed}, {strategy:?}");
            }
        }
    });
    assert!(violated > 50 && held > 30, "{violated} and {held}");
}

#[test]
fn invariants_about_steps_agree_with_the_oracle() {
    let (mut violated, mut held) = (0, 0);
    for_many(300, |seed, random, mut relation| {
        let term = tiny::test(random, &mut relation, tiny::STEP, 3);
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        let distances = world.distances();
        let reached = (0..world.all.len()).filter(|&v| distances[v].is_some());
        let is_true = |a: usize, b: usize| world.oracle.values(term, &world.all[a], &world.all[b]).first() != Some(&0);
        let bad = reached.filter(|&v| world.after[v].iter().any(|&w| !is_true(v, w)));
        let shortest = bad.filter_map(|v| distances[v]).min().map(|d| d + 1);
        let found = encoding.violates_step(term, Strategy::Forward, &mut ()).unwrap();
        assert_eq!(found.trace.as_ref().map(Trace::len), shortest, "seed {seed}");
        *if shortest.is_some() { &mut violated } else { &mut held } += 1;
        if let Some(Trace { states, .. }) = found.trace {
            assert!(states.windows(2).all(|p| world.oracle.steps(&p[0], &p[1]).next().is_some()), "seed {seed}");
            let [.., before, after] = &states[..] else { panic!("there is a step") };
            assert_eq!(world.oracle.values(term, before, after).first(), Some(&0), "seed {seed}");
        }
    });
    assert!(violated > 50 && held > 30, "{violated} and {held}");
}
