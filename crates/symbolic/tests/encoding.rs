//! The encoding of tiny relations against the oracle, for every valuation.

mod tiny;

use std::collections::BTreeSet;

use lurcher_symbolic::{Encoding, Strategy};
use tiny::{World, about_state, budget, for_many};

#[test]
fn initial_states_and_steps_are_those_of_the_oracle() {
    let mut steps = 0;
    for_many(400, 16, |seed, _, relation| {
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &budget()).expect("within the budget");
        for (index, valuation) in world.all.iter().enumerate() {
            let what = format!("{seed}, {valuation:?}");
            assert_eq!(encoding.holds(encoding.all_states(), valuation), world.states[index], "{what}");
            assert_eq!(encoding.holds(encoding.initial(), valuation), world.initial[index], "{what}");
            let after = encoding.image(&encoding.state_with_inputs(valuation).unwrap()).unwrap();
            let before = encoding.preimage_with_inputs(&encoding.state(valuation).unwrap()).unwrap();
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
    for_many(400, 24, |seed, numbers, mut relation| {
        let terms: Vec<_> = (0..6).map(|i| about_state(numbers, &mut relation, i >= 3)).collect();
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &budget()).expect("within the budget");
        for term in terms {
            let truth = encoding.truth(term).unwrap();
            for valuation in &world.all {
                let expected = world.oracle.holds(term, valuation);
                assert_eq!(encoding.holds(&truth, valuation), expected, "{seed}, {term:?}, {valuation:?}");
            }
        }
    });
}

#[test]
fn reachability_agrees_with_explicit_search_whatever_the_strategy() {
    let (mut violated, mut held) = (0, 0);
    for_many(300, 24, |seed, numbers, mut relation| {
        let term = about_state(numbers, &mut relation, false);
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &budget()).expect("within the budget");
        let distances = world.distances();
        let reached: Vec<usize> = (0..world.all.len()).filter(|&v| distances[v].is_some()).collect();
        let states: BTreeSet<Vec<i64>> = reached.iter().map(|&v| world.state_of(&world.all[v])).collect();
        let reachable = encoding.reachable(&mut ()).unwrap();
        assert_eq!(encoding.count(&reachable).exact(), Some(states.len() as u128), "{seed}");
        let moving = reached.iter().filter(|&&v| !world.after[v].is_empty());
        let moving: BTreeSet<Vec<i64>> = moving.map(|&v| world.state_of(&world.all[v])).collect();
        let deadlocks = encoding.kernel().and(&encoding.deadlocks().unwrap(), &reachable).unwrap();
        assert_eq!(encoding.count(&deadlocks).exact(), Some((states.len() - moving.len()) as u128), "{seed}");
        let bad = reached.iter().filter(|&&v| !world.oracle.holds(term, &world.all[v]));
        let shortest = bad.filter_map(|&v| distances[v]).min();
        *if shortest.is_some() { &mut violated } else { &mut held } += 1;
        for strategy in [Strategy::Forward, Strategy::Chaining] {
            let found = encoding.reach(&tiny::violating(&encoding, term), strategy, &mut ()).unwrap();
            assert_eq!(found.trace.is_some(), shortest.is_some(), "{seed}, {strategy:?}");
            if let Some(trace) = &found.trace {
                world.assert_violates(trace, term, seed);
                assert!(!found.shortest || Some(trace.length() as usize) == shortest, "{seed}, {strategy:?}");
            }
        }
    });
    assert!(violated > 50 && held > 30, "{violated} and {held}");
}
