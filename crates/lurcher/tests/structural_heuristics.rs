//! Structural heuristics guide searches and walks: with interpreter and native code, on any number of threads, with claims.

mod support;

use lurcher::Question;
use lurcher::engines::{EngineError, Report, Verdict};
use lurcher_ir::Property;
use lurcher_search::Stats;

use support::{Setup, open, processes, promela, promela_models, safety};

const ENGINES: [(&str, &str); 5] = [
    ("best-first", ""),
    ("astar", ""),
    ("idastar", ""),
    ("random-best-first", "trials=2 trial-states=300"),
    ("walk", "walks=8 depth=200 select=all-children"),
];

const GUIDES: [&str; 4] = ["most-blocked", "interleaving", "choose-free", "prefer-threads"];

/// A check with at most 2000 states.
fn check(setup: &Setup, model: &lurcher::Model, property: &Property) -> Result<Report, EngineError> {
    let mut setup = setup.clone();
    setup.budget.states = Some(2000);
    setup.check(model, std::slice::from_ref(property)).map(|mut reports| reports.remove(0))
}

/// What has to be the same for every executor and any number of threads.
fn outcome(report: &Report) -> String {
    let stats = Stats { memory: 0, ..report.stats };
    let lengths: Vec<u32> = report.counterexamples.iter().map(|c| c.trace.length()).collect();
    format!("{:?} {:?} {lengths:?} {stats:?} {:?} {:?}", report.verdict, report.stop, report.trials, report.guide)
}

#[test]
fn native_code_and_threads_change_nothing() {
    let mut compared = 0;
    for path in promela_models().into_iter().step_by(3) {
        let model = open(&path);
        let first = &processes(&model).system_types().next().expect("a process type").1.name;
        for guide in GUIDES {
            let prefer = if guide == "prefer-threads" { format!("prefer={first}") } else { String::new() };
            for (engine, options) in ENGINES {
                let options = format!("guide={guide} {prefer} {options}");
                let setup = Setup::hunt(engine, &options);
                let who = format!("{} by {engine} {options}", path.display());
                let report = check(&setup, &model, &safety()).unwrap_or_else(|why| panic!("{who}: {why}"));
                let interpreted = check(&setup.clone().with("exec=interp").on(3), &model, &safety()).expect("the same");
                assert_eq!(outcome(&report), outcome(&interpreted), "{who}");
                compared += usize::from(report.stats.transitions > 0 || report.walks.is_some());
            }
        }
    }
    assert!(compared > 300, "{compared} pairs were compared");
}

/// P and Q count to 60; something is wrong when Q has counted to 30.
const COUNTERS: &str =
    "byte p, q; active proctype P() { do :: p < 60 -> p++ od } active proctype Q() { do :: q < 60 -> q++ od }";

#[test]
fn the_moves_of_preferred_processes_come_first_with_and_without_a_claim() {
    let alone = promela(&COUNTERS.replace("q++", "q++; assert(q < 30)"));
    let mut watched = promela(&format!("{COUNTERS} never {{ do :: q < 30 :: q == 30 -> break od }}"));
    let never = support::resolve(&mut watched, Question::Named("never".to_owned()));
    for (model, property) in [(&alone, &safety()), (&watched, &never)] {
        let expanded = |prefer: &str| {
            let setup = Setup::hunt("best-first", &format!("guide=prefer-threads prefer={prefer} reduction=none"));
            let report = setup.report(model, property);
            assert_eq!(report.verdict, Verdict::Violated, "{}", property.name);
            report.stats.expanded
        };
        let (q, p) = (expanded("Q"), expanded("P"));
        assert!(q < 100 && p > 5 * q, "{}: {q} states with Q first, {p} with P first", property.name);
    }
}

#[test]
fn an_error_of_alternating_processes_is_found_by_schedules_that_switch() {
    let text = "byte last = 9, streak, moves[2];
        active [2] proctype P() { do
            :: atomic { moves[_pid] < 40 -> moves[_pid]++;
                if :: last != _pid -> streak++ :: else -> streak = 0 fi; last = _pid; assert(streak < 25) } od }";
    let expanded = |guide: &str| {
        let report = Setup::hunt("best-first", &format!("guide={guide}")).report(&promela(text), &safety());
        assert_eq!(report.verdict, Verdict::Violated, "{guide}");
        report.stats.expanded
    };
    let (guided, blind) = (expanded("interleaving"), expanded("none"));
    assert!(guided * 4 < blind, "{guided} states with the guide, {blind} without");
}

#[test]
fn walks_remember_who_moved() {
    let text = COUNTERS.replace("q++", "q++; assert(q < 30)");
    let mean = |prefer: &str| {
        let setup = Setup::hunt("walk", &format!("guide=prefer-threads prefer={prefer} walks=40 depth=130"));
        setup.report(&promela(&text), &safety()).verdict
    };
    // The assertion needs 89 of 130 steps to be made by Q: more than two thirds.
    assert_eq!((mean("Q"), mean("P")), (Verdict::Violated, Verdict::Inconclusive));
}

#[test]
fn options_of_other_guides_are_refused() {
    let model = promela(COUNTERS);
    let refused = |options: &str| Setup::hunt("best-first", options).check(&model, &[safety()]).expect_err("refused");
    let why = refused("guide=prefer-threads").to_string();
    assert!(why.contains("--prefer has to name the process types"), "{why}");
    let idle = Setup::hunt("best-first", "guide=most-blocked prefer=P").options.refuse_idle();
    assert_eq!(idle, Err("--prefer needs --guide prefer-threads".to_owned()));
}
