//! Greedy best-first search finds the violations that the headers of models name, with few states.

mod support;

use lurcher::engines::Verdict;

use support::{Setup, header, name, open, promela, promela_models, safety};

#[test]
fn bad_states_are_found() {
    let (mut found, mut missed) = (0, Vec::new());
    for path in promela_models() {
        let violated = header(&path).get("expect").is_some_and(|e| e == "violated");
        let mut setup = Setup::hunt("best-first", "");
        setup.budget.states = Some(200_000);
        let report = match setup.check(&open(&path), &[safety()]) {
            Ok(mut reports) => reports.remove(0),
            // Some models have no heuristic.
            Err(_) => continue,
        };
        match (violated, report.verdict) {
            (true, Verdict::Violated) => found += 1,
            (true, _) => missed.push(name(&path)),
            (false, verdict) => assert_eq!(verdict, Verdict::Inconclusive, "{}", name(&path)),
        }
    }
    assert!(found >= 25 && missed.len() <= 3, "{found} found, not {missed:?}");
}

#[test]
fn it_stores_fewer_states_than_breadth_first_search() {
    let path = promela_models().into_iter().find(|p| name(p) == "mutex-flawed").expect("the model");
    let stored = |engine| Setup::hunt(engine, "").report(&open(&path), &safety()).stats.stored;
    let (best_first, breadth_first) = (stored("best-first"), stored("bfs"));
    assert!(best_first * 2 < breadth_first, "{best_first} by best-first search, {breadth_first} breadth first");
}

#[test]
fn fewer_active_processes_lead_to_a_deadlock() {
    // Each of ten processes takes two locks; the deadlock needs all of them to hold one.
    let text = "bool lock[10]; active [10] proctype P() { do
        :: atomic { !lock[_pid] -> lock[_pid] = 1 }; atomic { !lock[(_pid + 1) % 10] -> lock[(_pid + 1) % 10] = 1 };
           lock[_pid] = 0; lock[(_pid + 1) % 10] = 0 od }";
    let model = promela(text);
    let hunt = |options: &str| {
        let mut setup = Setup::hunt("best-first", options);
        setup.budget.states = Some(100_000);
        setup.report(&model, &safety())
    };
    let report = hunt("guide=active-processes");
    assert_eq!((report.verdict, report.guide.as_deref()), (Verdict::Violated, Some("active-processes")));
    assert!(report.stats.stored < 5_000, "{} states stored", report.stats.stored);
    let assertion = promela("active proctype P() { assert(false) }");
    let refused = Setup::hunt("walk", "guide=active-processes").check(&assertion, &[safety()]);
    assert!(refused.is_err_and(|e| e.to_string().contains("leads to deadlocks only")));
}
