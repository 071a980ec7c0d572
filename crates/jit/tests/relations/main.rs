//! Native plans against the stepper: the same states in the same order with the same effort.

#[path = "../../../system/tests/relation/generate.rs"]
#[allow(dead_code, reason = "shared with the tests of the stepper")]
mod generate;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use generate::Numbers;
use lurcher_ir::relation::Relation;
use lurcher_jit::{Budget, CompiledPlans, NotCompiled};
use lurcher_search::Draws;
use lurcher_system::relation::{EFFORT, Halt, Stepper};
use lurcher_test_support::{repository_models, smv_file};

/// Number of random relations.
fn rounds() -> u64 {
    std::env::var("LURCHER_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(2000)
}

type Valuation = Vec<i64>;
type Listed = (Vec<(usize, Valuation, Valuation)>, Result<(), Halt>);

/// The first steps from a state, or the first initial states.
fn listed(stepper: &mut Stepper, now: Option<&[i64]>, most: usize) -> Listed {
    let mut all = Vec::new();
    let go_on = |len: usize| if len < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let end = match now {
        Some(now) => stepper.successors(now, |step| {
            all.push((step.transition, step.now.to_vec(), step.next.to_vec()));
            go_on(all.len())
        }),
        None => stepper.initial(|state| {
            all.push((0, Vec::new(), state.to_vec()));
            go_on(all.len())
        }),
    };
    (all, end)
}

/// The states of a random walk.
fn walked(stepper: &mut Stepper, seed: u64, steps: usize) -> Vec<Valuation> {
    let mut draws = Draws::of(seed, 0);
    let mut run = Vec::new();
    let first = stepper.sample_initial(|n| draws.below(n), |_| true);
    let Ok(Some(state)) = first else { return run };
    let mut state = state.to_vec();
    for _ in 0..steps {
        run.push(state.clone());
        let step = stepper.sample_successor(&state, |n| draws.below(n), |_| true);
        let Ok(Some(step)) = step else { break };
        state = step.next.to_vec();
    }
    run
}

/// Compares both steppers; returns the number of steps compared.
fn compare(relation: &Relation, states: usize) -> Result<u64, String> {
    let mut plain = Stepper::new(relation);
    let mut native = plain.clone();
    let code = CompiledPlans::new(&native, Budget::default()).map_err(|e| e.to_string())?;
    native.run_natively(Arc::new(code));
    let mut compared = 0;
    let mut known: BTreeSet<Valuation> = BTreeSet::new();
    let mut open: Vec<Option<Valuation>> = vec![None];
    while let Some(now) = open.pop() {
        for effort in [EFFORT, 5, 40] {
            [&mut plain, &mut native].into_iter().for_each(|s| s.set_effort(effort));
            let expected = listed(&mut plain, now.as_deref(), 200);
            let got = listed(&mut native, now.as_deref(), 200);
            if expected != got {
                return Err(format!("from {now:?} with effort {effort}: {expected:?}\nnot {got:?}"));
            }
            compared += expected.0.len() as u64;
            for (_, _, next) in expected.0 {
                if known.len() < states && known.insert(next.clone()) {
                    open.push(Some(next));
                }
            }
        }
    }
    [&mut plain, &mut native].into_iter().for_each(|s| s.set_effort(EFFORT));
    for seed in 0..3 {
        let (expected, got) = (walked(&mut plain, seed, 100), walked(&mut native, seed, 100));
        if expected != got {
            return Err(format!("walk {seed}: {expected:?}\nnot {got:?}"));
        }
        compared += expected.len() as u64;
    }
    Ok(compared)
}

#[test]
fn random_relations_step_alike() {
    let mut compared = 0;
    for round in 0..rounds() {
        let relation = generate::relation(&mut Numbers(round + 3_000_000), 18);
        match compare(&relation, 20) {
            Ok(steps) => compared += steps,
            Err(difference) => panic!("round {round}: {difference}\n{relation:#?}"),
        }
    }
    println!("{compared} steps");
    assert!(compared > rounds() * 10, "only {compared} steps in {} rounds", rounds());
}

#[test]
fn every_smv_model_of_the_repository_steps_alike() {
    let paths = repository_models("smv");
    assert!(paths.len() >= 20, "only {} models", paths.len());
    let (mut compared, mut wrong, mut large) = (0, Vec::new(), 0);
    let too_large = NotCompiled::Instructions(Budget::default().instructions).to_string();
    for path in paths {
        let name = path.display();
        let relation = smv_file(&path).unwrap_or_else(|| panic!("{name} is refused"));
        match compare(&relation, 60) {
            Ok(steps) => compared += steps,
            Err(why) if why == too_large => large += 1,
            Err(difference) => wrong.push(format!("{name}: {}", &difference[..difference.len().min(2000)])),
        }
    }
    println!("{compared} steps compared, {large} models too large");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(large < 5, "{large} models are too large");
}
