//! Random specifications: what engines find is confirmed by the oracle, and where they find nothing, brute force over small
//! constants finds nothing.

use std::time::{Duration, Instant};

use lurcher_ir::timed::{Model, PropertyKind};
use lurcher_resources::{ResourceLimits, StopSignal};
use lurcher_system::timed::{Judgement, Options, Oracle, Outcome as Brute, Search, Stepper, valuations};
use lurcher_test_support::{Random, astral, astral_request, timed_specification};
use lurcher_timed::{Encoding, Ended, Error, Finding, Outcome, SetsSettings, TreeSettings};

/// How many specifications are tried.
fn rounds() -> u64 {
    std::env::var("LURCHER_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(25)
}

fn instance(seed: u64) -> (String, Model) {
    let text = timed_specification(&mut Random::new(seed));
    let model = astral("random", text.clone(), &astral_request("--process Own"));
    let model = model.unwrap_or_else(|said| panic!("seed {seed}:\n{text}\n{said}"));
    (text, model)
}

/// The result, unless it takes too long.
fn limited(seconds: u64, work: impl FnOnce() -> Result<Outcome, Error>) -> Option<Result<Outcome, Error>> {
    let limits = ResourceLimits::new(Instant::now(), Some(Duration::from_secs(seconds)), None, StopSignal::default());
    limits.bound(work).ok()
}

/// Whether the run of an outcome shows what was found.
fn is_confirmed(model: &Model, outcome: &Outcome) -> bool {
    let Some(run) = &outcome.run else { return false };
    let oracle = Oracle::new(model);
    match outcome.ended {
        Ended::Found(Finding::False(property)) => {
            oracle.judge(run, property) == Judgement::Violates { at: run.horizon }
        }
        Ended::Found(Finding::NoValue(property)) => {
            let name = &model.properties[property].name;
            matches!(oracle.judge(run, property), Judgement::Undefined { clause, .. } if clause == *name)
        }
        Ended::Found(_) => matches!(oracle.judge_run(run, PropertyKind::Schedule), Judgement::Undefined { .. }),
        _ => false,
    }
}

/// A violation of a property with small constants, in a few instants.
fn brute_force(model: &Model, property: usize) -> Option<String> {
    let kind = model.properties[property].kind;
    for constants in valuations(model, |_| (1, 3)) {
        let stepper = Stepper::new(model, &constants, Options { kind, tried: (0, 2), calls: 2 });
        let mut search = Search::new(&stepper, Some(property));
        for instant in 0..=7 {
            match search.advance(instant) {
                Brute::Violation(state) => return Some(format!("{:?}", state.run(&constants))),
                Brute::Defect(..) => break,
                Brute::Nothing if search.states() > 3000 => break,
                Brute::Nothing => {}
            }
        }
    }
    None
}

#[test]
fn what_is_found_is_confirmed_and_what_holds_has_no_small_violation() {
    let (mut found, mut held, mut refused, mut others) = (0, 0, 0, 0);
    let first: u64 = std::env::var("LURCHER_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    for seed in first..first + rounds() {
        let (text, model) = instance(seed);
        for property in 0..model.properties.len() {
            let name = &model.properties[property].name;
            let encoding = match Encoding::new(&model, &[property]) {
                Ok(encoding) => encoding,
                Err(Error::Unsupported(_)) => {
                    refused += 1;
                    continue;
                }
                Err(error) => panic!("seed {seed}, {name}: {error}\n{text}"),
            };
            let settings = SetsSettings { window: 3, rounds: 40 };
            let tree = TreeSettings { depth: 5, every_instant: true, last_layer: true, ..TreeSettings::default() };
            let sets = limited(1, || encoding.sets(&settings));
            let tree = limited(1, || encoding.tree(&tree, 0, 0));
            for outcome in [&sets, &tree].into_iter().flatten() {
                match outcome {
                    Ok(outcome) if matches!(outcome.ended, Ended::Found(_)) => {
                        assert!(
                            is_confirmed(&model, outcome),
                            "seed {seed}, {name}: {outcome:?}, and {:?}\n{text}",
                            outcome.run.as_ref().map(|run| Oracle::new(&model).judge(run, property))
                        );
                        found += 1;
                    }
                    Ok(outcome) if outcome.ended == Ended::Complete => {
                        let violation = brute_force(&model, property);
                        assert_eq!(violation, None, "seed {seed}, {name}: {outcome:?}\n{text}");
                        held += 1;
                    }
                    Ok(_) => others += 1,
                    Err(Error::Unsupported(_)) => refused += 1,
                    Err(error) => {
                        let kind = model.properties[property].kind;
                        let stepped = valuations(&model, |_| (1, 3)).into_iter().any(|constants| {
                            let options = Options { kind, tried: (0, 2), calls: 2 };
                            !Stepper::new(&model, &constants, options).initial().states.is_empty()
                        });
                        assert!(*error == Error::NoInitialState && !stepped, "seed {seed}, {name}: {error}\n{text}");
                        refused += 1;
                    }
                }
            }
        }
    }
    println!("{found} found, {held} held, {refused} refused, {others} others");
    assert!(rounds() < 25 || (found > 50 && held > 2));
}
