//! Explicit walks of Promela models that follow the abstraction of symbolic searches.

mod support;

use std::time::{Duration, Instant};

use lurcher::engines::{EngineError, Report, StopReason, Verdict};

use support::{Setup, header, name, open, promela, promela_models, safety};

fn hunt(engine: &'static str, options: &str) -> Setup {
    let mut setup = Setup::hunt(engine, "depth=1000 walks=40").with(options);
    setup.budget.resources.deadline = Some(Instant::now() + Duration::from_secs(60));
    setup.budget.resources.memory = Some(32 << 20);
    setup
}

/// What a report says that must not depend on the number of threads.
fn said(report: &Report) -> String {
    let found: Vec<String> = report.counterexamples.iter().map(|c| format!("{} {:?}", c.message, c.trace)).collect();
    let walks = report.walks.as_ref().expect("walks were made");
    format!("{} {:?} {} steps: {}", report.verdict.name(), walks.unit, walks.steps, found.join("; "))
}

#[test]
fn guided_walks_find_violations_where_there_are_some_and_none_where_there_are_none() {
    let (mut flawed, mut found, mut refused) = (0, 0, 0);
    for path in promela_models() {
        let violated = header(&path).get("expect").is_some_and(|verdict| verdict == "violated");
        let (model, who) = (open(&path), path.display());
        for engine in ["walk", "trail"] {
            let report = match hunt(engine, "guide=abstraction").check(&model, &[safety()]) {
                Ok(mut reports) => reports.remove(0),
                Err(EngineError::Heuristic(_, why)) => {
                    println!("{who}: {why}");
                    refused += 1;
                    break;
                }
                Err(error) => panic!("{who}: {error}"),
            };
            if report.stop == StopReason::Memory {
                println!("{who}: no memory for the guide");
                assert_eq!(report.walks.as_ref().map(|w| w.walks), Some(0), "{who}");
                refused += 1;
                break;
            }
            assert!(violated || report.verdict == Verdict::Inconclusive, "{who}: {}", report.verdict.name());
            if report.walks.is_some() {
                assert!(report.guide.as_deref().is_some_and(|g| g.starts_with("abstraction")), "{:?}", report.guide);
            }
            flawed += u32::from(violated);
            found += u32::from(report.verdict == Verdict::Violated);
        }
    }
    println!("{found} of {flawed} hunts found the violation, {refused} models refused");
    assert!(flawed >= 50, "only {flawed} hunts in flawed models");
    assert!(found * 10 >= flawed * 8, "only {found} of {flawed} hunts found the violation");
}

const PHILOSOPHERS: &str = include_str!("../../../models/promela/philosophers.pml");

#[test]
fn the_number_of_threads_changes_nothing() {
    let model = promela(&PHILOSOPHERS.replace("#define N 4", "#define N 12"));
    let on = |jobs| said(&hunt("walk", "guide=abstraction").on(jobs).report(&model, &safety()));
    assert_eq!(on(1), on(3));
}

#[test]
fn the_guide_leads_to_the_violation_and_reversed_away_from_it() {
    let steps = |model: &str, options: &str| {
        let path = promela_models().into_iter().find(|p| name(p) == model).expect("the model");
        let model = open(&path);
        let count = |seed: u64| {
            let report = Setup { seed, ..hunt("walk", "walks=100").with(options) }.report(&model, &safety());
            report.walks.expect("walks were made").steps
        };
        (1..=10).map(count).sum::<u64>()
    };
    let towards = steps("mutex-flawed", "guide=abstraction");
    let unguided = steps("mutex-flawed", "");
    let away = steps("mutex-flawed", "guide=abstraction reverse-guide");
    println!("mutex-flawed: {towards} steps towards, {unguided} without a guide, {away} away");
    assert!(towards < unguided && unguided < away, "{towards} {unguided} {away}");
    let (towards, unguided) = (steps("river-crossing", "guide=abstraction"), steps("river-crossing", ""));
    println!("river-crossing: {towards} steps towards, {unguided} without a guide");
    assert!(10 * towards < unguided, "{towards} {unguided}");
}

#[test]
fn properties_take_turns_at_walks_of_one_kind() {
    let text = "byte x; active proctype P() { do :: x++ :: x-- od }";
    let mut model = promela(text);
    let check = model.hunt().engine("walk").invariant("x >= 0").invariant("x != 3");
    // The first invariant holds; its walks alone would use up the time.
    let outcome = check.time(std::time::Duration::from_secs(600)).run().expect("walks can watch invariants");
    assert!(outcome.is_violated());
}
