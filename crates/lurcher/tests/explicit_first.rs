//! Where values are multiplied, `verify` explores the first states of an SMV model explicitly before it makes BDDs.

mod support;

use std::time::{Duration, Instant};

use lurcher::engines::Report;

use support::{Setup, relation, smv};

fn check(text: &str, engine: &'static str) -> Vec<Report> {
    let model = smv(text);
    let mut setup = Setup { minimise: Some(10_000), ..Setup::verify(engine, "reduction=auto") };
    setup.budget.resources.deadline = Some(Instant::now() + Duration::from_secs(60));
    setup.check(&model, &relation(&model).properties).expect("every trace is confirmed")
}

/// For each property: the verdict, the engine, the length of the trace.
fn found(reports: &[Report]) -> Vec<(&str, &str, Option<u32>)> {
    let steps = |r: &Report| r.counterexamples.first().map(|c| c.trace.length());
    reports.iter().map(|r| (r.verdict.name(), r.engine.as_str(), steps(r))).collect()
}

#[test]
fn models_with_few_states_need_no_bdds_of_wide_products() {
    let text = "MODULE main VAR a : unsigned word[24]; b : unsigned word[24];
        ASSIGN init(a) := 0ud24_3; init(b) := 0ud24_5; next(a) := a * b; next(b) := b * b;
        INVARSPEC NAME good := a != 0ud24_2; INVARSPEC NAME bad := a != 0ud24_375;";
    assert_eq!(found(&check(text, "auto")), [("holds", "bfs", None), ("violated", "bfs", Some(2))]);
}

#[test]
fn models_with_many_states_are_checked_with_bdds() {
    let text = "MODULE main VAR a : 0..60; b : 0..60; c : array 1..12 of boolean;
        ASSIGN next(a) := (a * b) mod 61; next(b) := {b, (b + 1) mod 61};
        INVARSPEC NAME good := a + b < 121 | c[1] | c[2] | c[3]; INVARSPEC NAME bad := !(a = 7 & b = 9 & c[1] & c[12]);";
    let (auto, bdd) = (check(text, "auto"), check(text, "bdd"));
    assert_eq!(found(&auto)[0], ("holds", "bdd", None));
    let without_engine = |reports: &[Report]| -> Vec<(String, Option<u32>)> {
        found(reports).into_iter().map(|(verdict, _, steps)| (verdict.to_owned(), steps)).collect()
    };
    assert_eq!(without_engine(&auto), without_engine(&bdd));
}
