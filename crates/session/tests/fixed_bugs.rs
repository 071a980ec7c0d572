//! The smallest inputs that once went wrong. The numbers are those of Spin 6.5.2.

use lurcher_ir::Property;
use lurcher_search::Budget;
use lurcher_session::{Engine, Job, LoadOptions, Loaded, Report, load_text, safety};

fn read(text: &str) -> Loaded {
    load_text("fixed.pml", text.to_owned(), &LoadOptions::default()).expect("a valid model")
}

fn check(loaded: &Loaded, property: &Property) -> Report {
    let budget = Budget { all_errors: true, ..Budget::default() };
    let job = Job { engine: Engine::Dfs, budget, fair: false, message_loss: false, minimise: None };
    job.check(loaded.model(), &loaded.sources, property, &mut ()).expect("every trace is confirmed")
}

fn stored(text: &str) -> u64 {
    check(&read(text), &safety()).stats.stored
}

#[test]
fn last_is_still_the_process_before_while_a_statement_is_executed() {
    assert_eq!(stored("byte g; active proctype P() { g = _last } init { skip }"), 11);
}

#[test]
fn a_record_declared_behind_a_statement_is_a_step() {
    assert_eq!(stored("typedef R { short f[2] }\nactive proctype P() { skip; R r }"), 4);
}

#[test]
fn a_claim_counts_as_a_process_in_nr_pr() {
    let loaded = read("byte x; active proctype P() { x = _nr_pr; assert(x == 1) } never { do :: true od }");
    assert!(check(&loaded, &safety()).counterexamples.is_empty());
    let claim = check(&loaded, &loaded.model().properties[0]);
    assert_eq!(claim.counterexamples.first().map(|c| c.kind), Some("assertion"));
}

#[test]
fn a_claim_that_comes_to_its_end_needs_no_further_step_of_the_system() {
    let loaded = read("byte x; active proctype P() { x = 1; x = 2 } never { do :: x == 1 -> break :: else od }");
    let claim = check(&loaded, &loaded.model().properties[0]);
    assert_eq!(claim.counterexamples.first().map(|c| (c.kind, c.replayed.length())), Some(("never", 1)));
}

#[test]
fn a_cycle_through_an_atomic_chain_starts_where_the_chain_has_ended() {
    let text = "byte x; active proctype P() { do :: atomic { x = 1; x = 2; x = 0 } od }\nltl p { <> (x == 7) }";
    let loaded = read(text);
    let report = check(&loaded, &loaded.model().properties[0]);
    let lasso = &report.counterexamples.first().expect("a violation").replayed;
    let start = lasso.cycle_start.expect("a cycle");
    assert!(lasso.state(start).exclusive.is_none());
    assert_eq!(lasso.state(start), lasso.last());
}
