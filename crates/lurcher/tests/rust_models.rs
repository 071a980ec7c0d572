//! Models written in Rust are hunted, proved, minimised, replayed, saved and resumed like others.

#[path = "../examples/replicated_log.rs"]
mod replicated_log;

use std::time::Duration;

use lurcher::engines::{OwnTrace, Report, Trace, Verdict};
use lurcher::{Outcome, OwnStep, RustModel, StateMachine, Subject};
use replicated_log::ReplicatedLog;

fn flawed() -> RustModel<ReplicatedLog> {
    RustModel::new(ReplicatedLog { remembers: false })
}

fn fixed() -> RustModel<ReplicatedLog> {
    RustModel::new(ReplicatedLog { remembers: true })
}

fn trace(report: &Report) -> &OwnTrace {
    match report.counterexamples.first().map(|c| &c.trace) {
        Some(Trace::Own(trace)) => trace,
        other => panic!("{other:?}"),
    }
}

/// A hunt by walks of one kind.
fn walks(options: &[(&str, &str)], jobs: usize) -> Outcome {
    let mut model = flawed();
    let check = model.hunt().engine("walk").jobs(jobs);
    options.iter().fold(check, |check, (name, value)| check.option(name, value)).run().expect("a hunt")
}

#[test]
fn a_lost_acknowledgement_is_found_minimised_and_replayed() {
    for engine in ["auto", "walk", "trail", "lurch", "bfs", "dfs", "best-first", "astar", "idastar", "random-dfs"] {
        // LURCH goes on past violations until its time is over.
        let outcome = flawed().hunt().engine(engine).time(Duration::from_secs(2)).run().expect("a hunt");
        let report = &outcome.reports[0];
        assert_eq!(report.verdict, Verdict::Violated, "{engine}");
        let counterexample = &report.counterexamples[0];
        // Send, append, replicate, acknowledge, lose, repeat, append.
        assert_eq!((trace(report).length(), counterexample.shortest), (7, true), "{engine}");
        assert!(counterexample.found_length >= 7, "{engine}");
        let run = flawed().replay(&trace(report).path).expect("it replays");
        let (_, last) = run.last().expect("a state");
        assert!(!ReplicatedLog { remembers: false }.invariant(last), "{engine}");
        assert_eq!(format!("{last:?}"), *trace(report).states.last().expect("a state"));
    }
    assert_eq!(flawed().replay(&[OwnStep::Initial(0), OwnStep::Action(9)]).expect_err("no such action"), 1);
}

#[test]
fn the_repaired_model_is_proved() {
    for engine in ["auto", "bfs", "dfs"] {
        let outcome = fixed().verify().engine(engine).run().expect("a proof");
        let report = &outcome.reports[0];
        assert_eq!(report.verdict, Verdict::Holds, "{engine}");
        assert!(report.stats.stored > 1000, "{}", report.stats.stored);
    }
    let stored = |engine: &str| fixed().verify().engine(engine).run().expect("a proof").reports[0].stats.stored;
    assert_eq!(stored("bfs"), stored("dfs"));
}

#[test]
fn formulas_speak_of_propositions() {
    let verdict = |formula: &str| fixed().verify().ltl(formula).run().expect("a verdict").reports.remove(0);
    assert_eq!(verdict("[] (acknowledged -> stored)").verdict, Verdict::Holds);
    let report = verdict("<> done");
    assert_eq!(report.verdict, Verdict::Violated);
    assert!(trace(&report).cycle_start.is_some_and(|start| start < trace(&report).path.len()));
    for engine in ["ndfs", "indfs", "astar-indfs"] {
        let verdict = |formula: &str| {
            let outcome = fixed().verify().engine(engine).ltl(formula).run().expect("a verdict");
            outcome.reports[0].verdict
        };
        assert_eq!(verdict("[] (acknowledged -> stored)"), Verdict::Holds, "{engine}");
        assert_eq!(verdict("<> done"), Verdict::Violated, "{engine}");
    }
    let hunted = fixed().hunt().engine("walk").ltl("<> done").run().expect("a hunt");
    assert_eq!(hunted.reports[0].verdict, Verdict::Violated);
    let wrong = fixed().verify().ltl("<> finished").run().expect_err("no such proposition").to_string();
    assert_eq!(wrong, "there is no proposition `finished`; there are done, acknowledged, stored");
}

#[test]
fn walks_do_not_depend_on_threads_and_a_heuristic_shortens_them() {
    let steps = |outcome: &Outcome| outcome.reports[0].walks.as_ref().expect("walks").steps;
    let plain = walks(&[("walks", "100000")], 1);
    let parallel = walks(&[("walks", "100000")], 3);
    assert_eq!((steps(&plain), trace(&plain.reports[0])), (steps(&parallel), trace(&parallel.reports[0])));
    let total = |guide: &[(&str, &str)]| -> u64 {
        let hunt = |seed| {
            let mut model = flawed();
            let check = model.hunt().engine("walk").jobs(1).seed(seed).option("depth", "40");
            steps(&guide.iter().fold(check, |check, (name, value)| check.option(name, value)).run().expect("a hunt"))
        };
        (1..=40).map(hunt).sum()
    };
    let (guided, uniform) = (total(&[("guide", "own")]), total(&[]));
    assert!(guided < uniform, "{guided} guided, {uniform} uniform");
}

#[test]
fn a_saved_hunt_continues_where_it_was_stopped() {
    let hunt = |model: &mut RustModel<ReplicatedLog>, walks: &str, saved| {
        let check = model.hunt().engine("walk").option("walks", walks).jobs(1);
        let check = check.save(Duration::MAX, |_| ());
        let check = if let Some(saved) = saved { check.resume(saved) } else { check };
        check.run().expect("a hunt")
    };
    let whole = hunt(&mut fixed(), "300", None);
    let half = hunt(&mut fixed(), "150", None);
    let resumed = hunt(&mut fixed(), "300", half.saved);
    let counts = |outcome: &Outcome| outcome.reports[0].walks.as_ref().map(|w| (w.walks, w.steps));
    assert_eq!(counts(&whole), counts(&resumed));
    let saved = hunt(&mut fixed(), "150", None).saved.expect("a saved hunt");
    let other = flawed().hunt().engine("walk").seed(2).resume(saved).run();
    assert!(other.is_err());
}
