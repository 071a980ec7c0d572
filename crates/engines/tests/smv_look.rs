//! Where values are multiplied, `verify` looks at the first states before it makes diagrams.

use std::time::{Duration, Instant};

use lurcher_engines::{LoadedRelation, Report, StateEngine, StateJob};
use lurcher_search::Budget;

fn check(text: &str, engine: StateEngine) -> Vec<Report> {
    let loaded = LoadedRelation::read("look.smv", text.to_owned(), &[]).expect("a valid model");
    let deadline = Some(Instant::now() + Duration::from_secs(60));
    let job = StateJob { engine, budget: Budget { deadline, ..Budget::default() }, cone: true, minimise: Some(10_000) };
    job.check(&loaded.relation, &loaded.relation.properties, &mut ()).expect("every trace is confirmed")
}

/// For each specification: the verdict, the engine, the steps of the trace.
fn found(reports: &[Report]) -> Vec<(&str, &str, Option<u32>)> {
    let steps = |r: &Report| r.counterexamples.first().map(|c| c.trace.length());
    reports.iter().map(|r| (r.verdict.name(), r.engine.as_str(), steps(r))).collect()
}

#[test]
fn few_states_need_no_diagrams_of_wide_products() {
    let text = "MODULE main VAR a : unsigned word[24]; b : unsigned word[24];
        ASSIGN init(a) := 0ud24_3; init(b) := 0ud24_5; next(a) := a * b; next(b) := b * b;
        INVARSPEC NAME good := a != 0ud24_2; INVARSPEC NAME bad := a != 0ud24_375;";
    assert_eq!(found(&check(text, StateEngine::Auto)), [("holds", "bfs", None), ("violated", "bfs", Some(2))]);
}

#[test]
fn many_states_get_diagrams_after_all() {
    let text = "MODULE main VAR a : 0..60; b : 0..60; c : array 1..12 of boolean;
        ASSIGN next(a) := (a * b) mod 61; next(b) := {b, (b + 1) mod 61};
        INVARSPEC NAME good := a + b < 121 | c[1] | c[2] | c[3]; INVARSPEC NAME bad := !(a = 7 & b = 9 & c[1] & c[12]);";
    let (auto, bdd) = (check(text, StateEngine::Auto), check(text, StateEngine::Bdd));
    assert_eq!(found(&auto)[0], ("holds", "bdd", None));
    let without_engine = |reports: &[Report]| -> Vec<(String, Option<u32>)> {
        found(reports).into_iter().map(|(verdict, _, steps)| (verdict.to_owned(), steps)).collect()
    };
    assert_eq!(without_engine(&auto), without_engine(&bdd));
}
