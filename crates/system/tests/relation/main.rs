//! Successors of relations against the oracle and all valuations.

mod brute;
mod effort;
mod generate;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use brute::{Brute, Valuation, state_of};
use generate::Numbers;
use lurcher_ir::relation::Relation;
use lurcher_system::relation::{Formulas, Oracle, Packing, Stepper};

/// How many random relations are tried.
fn rounds() -> u64 {
    std::env::var("LURCHER_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(2000)
}

fn listed(stepper: &mut Stepper, now: &[i64]) -> Vec<(usize, Valuation, Valuation)> {
    let mut all = Vec::new();
    let done = stepper.successors(now, |step| {
        all.push((step.transition, step.now.to_vec(), step.next.to_vec()));
        ControlFlow::Continue(())
    });
    done.expect("small relations take little effort");
    all
}

fn agrees(relation: &Relation, brute: &Brute, numbers: &mut Numbers) {
    let oracle = Oracle::new(relation);
    let mut stepper = Stepper::new(relation);
    let mut initial = BTreeSet::new();
    stepper
        .initial(|state| {
            initial.insert(state.to_vec());
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(initial, brute.initial);
    let sampled = stepper.sample_initial(|n| numbers.below(n), |_| true).unwrap().map(<[i64]>::to_vec);
    assert_eq!(sampled.is_some(), !initial.is_empty());
    assert!(sampled.is_none_or(|s| initial.contains(&s)));
    let states: BTreeSet<Valuation> = brute.moments.iter().map(|m| state_of(relation, m)).collect();
    for now in &states {
        let steps = listed(&mut stepper, now);
        for (transition, before, after) in &steps {
            assert!(oracle.steps(before, after).any(|t| t == *transition), "{before:?} {after:?}");
        }
        let found: BTreeSet<Valuation> = steps.into_iter().map(|s| s.2).collect();
        let expected = brute.successors(relation, now);
        assert_eq!(found, expected, "from {now:?}");
        samples(&mut stepper, now, &expected, numbers);
    }
}

/// Draws every successor, each time without those drawn before, and then none.
fn samples(stepper: &mut Stepper, now: &[i64], expected: &BTreeSet<Valuation>, numbers: &mut Numbers) {
    let mut drawn: BTreeSet<Valuation> = BTreeSet::new();
    loop {
        let accept = |step: lurcher_system::relation::Step<'_>| !drawn.contains(step.next);
        let Some(step) = stepper.sample_successor(now, |n| numbers.below(n), accept).unwrap() else { break };
        let next = step.next.to_vec();
        drawn.insert(next);
    }
    assert_eq!(&drawn, expected);
}

#[test]
fn states_and_successors_are_those_of_the_oracle() {
    let mut useful = 0;
    for round in 0..rounds() {
        let mut numbers = Numbers(round);
        let relation = generate::relation(&mut numbers, 18);
        let brute = Brute::new(&relation);
        useful += u64::from(!brute.initial.is_empty());
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| agrees(&relation, &brute, &mut numbers)));
        assert!(result.is_ok(), "round {round}: {relation:#?}");
    }
    assert!(useful * 3 > rounds(), "only {useful} relations have initial states");
}

#[test]
fn fixed_inputs_are_taken_from_the_state() {
    for round in 0..rounds() / 4 {
        let mut numbers = Numbers(round + 1_000_000);
        let relation = generate::relation(&mut numbers, 12);
        let inputs: Vec<_> = relation.variables().map(|(id, _)| id).collect();
        let brute = Brute::new(&relation);
        let mut stepper = Stepper::with_inputs(&relation, &inputs, &[]);
        for now in &brute.moments {
            let found: BTreeSet<Valuation> = listed(&mut stepper, now).into_iter().map(|s| s.2).collect();
            assert_eq!(found, brute.steps[now], "round {round}, from {now:?}");
        }
    }
}

#[test]
fn formulas_have_the_oracles_values_and_packing_keeps_states_apart() {
    for round in 0..rounds() / 4 {
        let mut numbers = Numbers(round + 2_000_000);
        let mut relation = generate::relation(&mut numbers, 18);
        let terms: Vec<_> = (0..3).map(|_| generate::about_state(&mut numbers, &mut relation, true)).collect();
        let brute = Brute::new(&relation);
        let (oracle, packing) = (Oracle::new(&relation), Packing::new(&relation));
        let mut formulas = Formulas::new(&relation, &terms);
        let (mut bytes, mut back) = (Vec::new(), vec![0; relation.variables.len()]);
        let mut packed = BTreeSet::new();
        for now in &brute.moments {
            formulas.evaluate(now);
            for (index, &term) in terms.iter().enumerate() {
                assert_eq!(formulas.value(index), oracle.value(term, now));
            }
            packing.pack(now, &mut bytes);
            packing.unpack(&bytes, &mut back);
            assert_eq!(back, state_of(&relation, now));
            packed.insert(bytes.clone());
        }
        let states: BTreeSet<Valuation> = brute.moments.iter().map(|m| state_of(&relation, m)).collect();
        assert_eq!(packed.len(), states.len());
    }
}
