//! Greedy best-first search finds the violations that the headers of models name, with few states.

mod support;

use lurcher::engines::Verdict;

use support::{Setup, header, name, open, promela_models, safety};

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
