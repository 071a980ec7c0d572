//! Directed and randomised searches agree with breadth-first search on every model: verdicts, stored states, and lengths
//! where a heuristic is admissible.

mod support;

use std::time::{Duration, Instant};

use lurcher::LoadOptions;
use lurcher::engines::{ENGINES, EngineError, Report, Verdict};
use lurcher_heuristics::registry::HEURISTICS;
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Scores, StopReason};

use support::{Setup, header, name, open, promela, promela_models, relation, safety, smv_models};

/// The most states of a search in these tests.
const STATES: u64 = 30_000;

const DIRECTED: [&str; 7] =
    ["best-first", "astar", "idastar", "random-best-first", "random-n-best", "random-successors", "random-dfs"];

/// A check within the limit on states; none if the engine refuses the property.
fn within(setup: Setup, model: &lurcher::Model, property: &Property) -> Option<Report> {
    let mut setup = setup;
    setup.budget.states = Some(STATES);
    match setup.check(model, std::slice::from_ref(property)) {
        Ok(mut reports) => Some(reports.remove(0)),
        Err(EngineError::Refused(_) | EngineError::Heuristic(..)) => None,
        Err(error) => panic!("{}: {error}", setup.engine),
    }
}

/// The names of heuristics for states, and none.
fn guides() -> Vec<&'static str> {
    HEURISTICS.iter().filter(|h| h.scores == Scores::States).map(|h| h.name).chain(["none"]).collect()
}

#[test]
fn every_directed_engine_finds_bad_states_and_invents_none() {
    let mut found = [0; DIRECTED.len()];
    for path in promela_models() {
        let model = open(&path);
        let violated = header(&path).get("expect").is_some_and(|e| e == "violated");
        for (at, engine) in DIRECTED.into_iter().enumerate() {
            let options = if engine.starts_with("random") { "trials=2" } else { "" };
            let Some(report) = within(Setup::hunt(engine, options), &model, &safety()) else { continue };
            match report.verdict {
                Verdict::Violated => found[at] += usize::from(violated),
                verdict => assert!(!violated || verdict == Verdict::Inconclusive, "{} by {engine}", name(&path)),
            }
            assert!(violated || report.verdict != Verdict::Violated, "{} by {engine}", name(&path));
        }
    }
    assert!(found.iter().all(|&n| n >= 20), "{found:?}");
}

#[test]
fn a_search_that_visits_everything_proves_and_stores_what_breadth_first_search_stores() {
    let mut proved = 0;
    for path in promela_models() {
        let model = open(&path);
        let Some(all) = within(Setup::verify("bfs", ""), &model, &safety()) else { continue };
        if all.verdict != Verdict::Holds || all.stats.stored > 3000 {
            continue;
        }
        for engine in ["best-first", "astar", "idastar", "random-dfs"] {
            let options = if engine == "random-dfs" { "trials=1" } else { "guide=none" };
            // IDA* makes one search for each length.
            if engine == "idastar" && all.stats.depth > 100 {
                continue;
            }
            let setup = Setup { options: Setup::hunt(engine, options).options, ..Setup::hunt(engine, "") };
            let mut setup = setup;
            setup.budget.states = Some(100 * STATES);
            let report = setup.check(&model, &[safety()]).expect("a search").remove(0);
            let who = format!("{} by {engine}", name(&path));
            assert_eq!((report.verdict, report.stop), (Verdict::Holds, StopReason::Complete), "{who}");
            assert_eq!(report.stats.stored, all.stats.stored, "{who}");
            proved += 1;
        }
    }
    assert!(proved > 60, "{proved}");
}

/// Compares lengths with breadth-first search; returns how many were said to be shortest.
fn compare_lengths(model: &lurcher::Model, property: &Property, who: &str) -> usize {
    let Some(bfs) = within(Setup::verify("bfs", ""), model, property) else { return 0 };
    let Some(expected) = bfs.counterexamples.first() else { return 0 };
    let mut compared = 0;
    for engine in ["astar", "idastar"] {
        for guide in guides() {
            let setup = Setup::hunt(engine, &format!("guide={guide} reduction=none"));
            let Some(report) = within(setup, model, property) else { continue };
            let Some(found) = report.counterexamples.first() else { continue };
            let who = format!("{who} by {engine} with {guide}");
            assert!(found.trace.length() >= expected.trace.length(), "{who}");
            if found.shortest && found.kind == expected.kind {
                compared += 1;
                assert_eq!(found.trace.length(), expected.trace.length(), "{who}");
            }
            if guide == "none" {
                assert!(found.shortest, "{who}");
            }
        }
    }
    compared
}

#[test]
fn with_an_admissible_heuristic_counterexamples_are_shortest() {
    let mut compared = 0;
    for path in promela_models() {
        let model = open(&path);
        compared += compare_lengths(&model, &safety(), &name(&path));
    }
    for path in smv_models() {
        let model = open(&path);
        let invariants = relation(&model).properties.iter().filter(|p| matches!(p.kind, PropertyKind::Invariant(_)));
        for property in invariants.take(2) {
            compared += compare_lengths(&model, property, &name(&path));
        }
    }
    assert!(compared > 100, "{compared} lengths were compared");
}

#[test]
fn a_weight_makes_the_search_greedier_and_its_paths_are_not_called_shortest() {
    let path = promela_models().into_iter().find(|p| name(p) == "mutex-flawed").expect("the model");
    let run = |options: &str| {
        Setup::hunt("astar", &format!("guide=pattern-database {options}")).report(&open(&path), &safety())
    };
    let (plain, greedy) = (run(""), run("weight=5"));
    assert!(plain.counterexamples[0].shortest && !greedy.counterexamples[0].shortest);
    assert!(greedy.stats.expanded <= plain.stats.expanded, "{} {}", greedy.stats.expanded, plain.stats.expanded);
}

#[test]
fn trials_have_one_result_for_any_number_of_threads() {
    for path in promela_models().into_iter().filter(|p| header(p).get("expect").is_some_and(|e| e == "violated")) {
        let model = open(&path);
        for engine in ["random-best-first", "random-n-best", "random-successors", "random-dfs"] {
            let result = |jobs| {
                let mut setup = Setup::hunt(engine, "trial-states=300 trials=8").on(jobs);
                setup.seed = 3;
                let report = setup.check(&model, &[safety()]).ok()?.remove(0);
                let length = report.counterexamples.first().map(|c| c.trace.length());
                let stats = lurcher_search::Stats { memory: 0, ..report.stats };
                Some((report.verdict, report.stop, length, stats, report.trials))
            };
            assert_eq!(result(1), result(3), "{} by {engine}", name(&path));
        }
    }
}

#[test]
fn trials_differ_from_each_other() {
    let model = open(&promela_models().into_iter().find(|p| name(p) == "wrong-lock").expect("the model"));
    for engine in ["random-best-first", "random-n-best", "random-successors", "random-dfs"] {
        let mut expanded: Vec<u64> = Vec::new();
        for seed in 1..=20 {
            let setup = Setup { seed, ..Setup::hunt(engine, "trials=1") };
            expanded.push(setup.report(&model, &safety()).stats.expanded);
        }
        expanded.sort_unstable();
        expanded.dedup();
        assert!(expanded.len() > 2, "{engine}: {expanded:?}");
    }
}

#[test]
fn bits_of_states_refute_and_never_prove() {
    let (mut found, mut open_ended) = (0, 0);
    for path in promela_models() {
        let violated = header(&path).get("expect").is_some_and(|e| e == "violated");
        let mut setup = Setup::hunt("idastar", "guide=none storage=bitstate restarts=1");
        setup.memory = Some(16 << 20);
        let Some(report) = within(setup, &open(&path), &safety()) else { continue };
        match report.verdict {
            Verdict::Violated => found += u32::from(violated),
            Verdict::Inconclusive => open_ended += u32::from(report.stop == StopReason::Storage),
            Verdict::Holds => panic!("{} is proved with bits of states", name(&path)),
        }
        assert!(violated || report.verdict != Verdict::Violated, "{}", name(&path));
    }
    assert!(found >= 15 && open_ended >= 5, "{found} {open_ended}");
}

#[test]
fn a_bounded_open_list_proves_nothing() {
    let model = promela(
        "byte a, b; active proctype P() { do :: a < 9 -> a++ :: b < 9 -> b++ :: a == 9 && b == 9 -> break od }",
    );
    let verdict = |options: &str| {
        let report = Setup::hunt("best-first", options).report(&model, &safety());
        (report.verdict, report.stop)
    };
    assert_eq!(verdict("guide=none frontier=2"), (Verdict::Inconclusive, StopReason::Frontier));
    assert_eq!(verdict("guide=none frontier=none"), (Verdict::Holds, StopReason::Complete));
}

#[test]
fn claims_are_searched_for_bad_prefixes() {
    let text = "byte x; active proctype P() { do :: x < 20 -> x++ od }
        never { do :: x < 7 :: x == 7 -> break od }";
    let mut model = promela(text);
    let never = support::resolve(&mut model, lurcher::Question::Named("never".to_owned()));
    for engine in DIRECTED {
        let options = if engine == "random-dfs" { "" } else { "guide=none" };
        let report = Setup::hunt(engine, options).report(&model, &never);
        assert_eq!(report.verdict, Verdict::Violated, "{engine}");
        let length = report.counterexamples[0].trace.length();
        assert_eq!(length, 14, "{engine}: seven steps of P, each after one of the claim");
    }
    let guided = Setup::hunt("best-first", "guide=formula").report(&model, &never);
    assert_eq!((guided.verdict, guided.guide.as_deref()), (Verdict::Violated, Some("formula")));
    let text = "byte x; active proctype P() { do :: x < 20 -> x++ od } ltl live { <> (x == 30) }";
    let mut model = promela(text);
    let live = support::resolve(&mut model, lurcher::Question::Named("live".to_owned()));
    let refused = Setup::hunt("astar", "guide=none").check(&model, &[live]);
    assert!(refused.is_err_and(|e| e.to_string().contains("no finite prefix violates it")));
}

#[test]
fn a_heuristic_for_steps_is_refused_with_those_that_fit() {
    let model = open(&promela_models().into_iter().find(|p| name(p) == "philosophers").expect("the model"));
    let refused = Setup::hunt("astar", "guide=local-distance").check(&model, &[safety()]);
    let why = refused.expect_err("it scores steps").to_string();
    assert!(why.contains("scores steps") && why.contains("local-distance-sum"), "{why}");
}

#[test]
fn fewer_active_processes_lead_to_a_deadlock() {
    // Each of ten processes takes two locks; the deadlock needs all of them to hold one.
    let text = "bool lock[10]; active [10] proctype P() { do
        :: atomic { !lock[_pid] -> lock[_pid] = 1 }; atomic { !lock[(_pid + 1) % 10] -> lock[(_pid + 1) % 10] = 1 };
           lock[_pid] = 0; lock[(_pid + 1) % 10] = 0 od }";
    let model = promela(text);
    let report = Setup::hunt("best-first", "guide=active-processes").report(&model, &safety());
    assert_eq!((report.verdict, report.guide.as_deref()), (Verdict::Violated, Some("active-processes")));
    assert!(report.stats.stored < 500, "{} states stored", report.stats.stored);
    let assertion = promela("active proctype P() { assert(false) }");
    let refused = Setup::hunt("walk", "guide=active-processes").check(&assertion, &[safety()]);
    assert!(refused.is_err_and(|e| e.to_string().contains("leads to deadlocks only")));
}

/// Ten processes that take two locks each; the deadlock needs all of them to hold one. `LABEL` is where they wait for the
/// second.
const LOCKS: &str = "bool lock[10]; active [10] proctype P() { do
    :: atomic { !lock[_pid] -> lock[_pid] = 1 };
       LABEL: atomic { !lock[(_pid + 1) % 10] -> lock[(_pid + 1) % 10] = 1 };
       lock[_pid] = 0; lock[(_pid + 1) % 10] = 0 od }";

#[test]
fn the_inferred_formula_of_a_deadlock_leads_there_and_labels_make_it_sharper() {
    let run = |label: &str, options: &str| {
        let model = promela(&LOCKS.replace("LABEL", label));
        Setup::hunt("best-first", &format!("guide=deadlock {options}")).report(&model, &safety())
    };
    let reports = [run("second", ""), run("danger", ""), run("second", "danger=sec")];
    for report in &reports {
        assert_eq!((report.verdict, report.guide.as_deref()), (Verdict::Violated, Some("deadlock")));
    }
    let [inferred, labelled, named] = reports.map(|report| (report.stats.stored, report.guide_range));
    assert!(inferred.0 < 500 && labelled.0 <= inferred.0, "{inferred:?} {labelled:?}");
    assert_eq!(labelled, named);
    let (least, greatest) = labelled.1.expect("a heuristic gave values");
    assert!(least == 0 && greatest >= 20, "{least} to {greatest}: each process takes two steps to its label");
    let unknown = Setup::hunt("best-first", "guide=deadlock danger=nowhere")
        .check(&promela(&LOCKS.replace("LABEL", "second")), &[safety()]);
    assert!(unknown.is_err_and(|e| e.to_string().contains("no label begins with `nowhere`")));
}

#[test]
fn reports_have_the_range_of_the_heuristic() {
    let range = |guide: &str| {
        let model = promela(&LOCKS.replace("LABEL", "second"));
        Setup::hunt("best-first", &format!("guide={guide}")).report(&model, &safety()).guide_range
    };
    assert_eq!(range("active-processes"), Some((0, 10)));
    assert_eq!(range("none"), None);
}

#[test]
fn the_formula_of_a_violation_leads_to_it() {
    let counters = promela(
        "byte x, y; active proctype P() { do :: x < 100 -> x++ :: x > 0 -> x-- od }
         active proctype Q() { do :: y < 100 -> y++ :: y > 0 -> y-- od }
         active proctype M() { (x == 60); assert(y != 70) }",
    );
    let states = |guide: &str| {
        let report = Setup::hunt("best-first", &format!("guide={guide}")).report(&counters, &safety());
        assert_eq!(report.verdict, Verdict::Violated, "{guide}");
        report.stats.stored
    };
    assert!(states("formula") * 4 < states("none"), "{} {}", states("formula"), states("none"));
    let relation = support::smv(
        "MODULE main VAR x : 0..300; y : 0..300;
         ASSIGN init(x) := 0; init(y) := 0;
         next(x) := {x, (x + 1) mod 301, (x + 300) mod 301}; next(y) := {y, (y + 1) mod 301, (y + 300) mod 301};
         INVARSPEC !(x = 40 & y = 90)",
    );
    let property = support::relation(&relation).properties[0].clone();
    let states = |guide: &str| {
        let report = Setup::hunt("best-first", &format!("guide={guide}")).report(&relation, &property);
        assert_eq!(report.verdict, Verdict::Violated, "{guide}");
        report.stats.stored
    };
    assert!(states("formula") * 4 < states("none"), "{} {}", states("formula"), states("none"));
    let refused = Setup::hunt("walk", "guide=formula").check(&promela("active proctype P() { (false) }"), &[safety()]);
    assert!(refused.is_err_and(|e| e.to_string().contains("the guide deadlock infers one")));
}

#[test]
fn every_directed_engine_is_in_the_registry() {
    assert!(DIRECTED.iter().all(|name| ENGINES.iter().any(|engine| engine.info().name == *name)));
}

#[test]
fn trials_that_are_not_small_run_as_native_code_and_are_counted_at_a_time_limit() {
    let path = promela_models().into_iter().find(|p| name(p) == "philosophers-right").expect("the model");
    let options = LoadOptions { defines: vec![("N".to_owned(), "12".to_owned())], ..LoadOptions::default() };
    let model = lurcher::Model::load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
    for engine in ["random-best-first", "random-dfs"] {
        for jobs in [1, 2] {
            let mut setup = Setup::hunt(engine, "").on(jobs);
            setup.budget = setup.budget.until(Instant::now() + Duration::from_secs(1));
            let report = setup.report(&model, &safety());
            assert_eq!((report.stop, report.executor), (StopReason::Time, Some("jit")), "{engine}");
            assert!(report.stats.stored > 10_000, "{engine}: {} states", report.stats.stored);
        }
    }
}
