//! Cycles: formulas, never claims, non-progress, acceptance labels, with and without fairness.

use lurcher::{Model, Question};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::FoundKind;

use crate::minimised;
use crate::subject::{Subject, each_violated};

#[test]
fn lassos_of_all_models_stay_what_they_are_and_never_grow() {
    let mut count = 0;
    each_violated(|subject| {
        let shown = subject.search();
        let once = minimised(&subject, &shown, 50_000);
        assert_eq!(minimised(&subject, &shown, 50_000), once, "{}", subject.name);
        minimised(&subject, &shown, 500);
        count += 1;
    });
    assert!(count >= 20, "only {count} properties");
}

#[test]
fn lassos_of_walks_become_as_short_as_those_of_searches() {
    let (mut lengths, mut longest) = (Vec::new(), 0);
    each_violated(|subject| {
        let searched = subject.search();
        if searched.kind != FoundKind::Cycle {
            return;
        }
        let best = minimised(&subject, &searched, 50_000).length;
        for walked in (0..2).filter_map(|seed| subject.walk_lasso(seed, 2000, 200)) {
            let result = minimised(&subject, &walked, 50_000);
            longest = longest.max(result.found_length);
            lengths.push((f64::from(result.length) + 1.0) / (f64::from(best) + 1.0));
        }
    });
    assert!(lengths.len() >= 30 && longest >= 50, "{} lassos of at most {longest} steps", lengths.len());
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    assert!((0.95..=1.05).contains(&mean), "{mean} times as long on average");
}

#[test]
fn no_lasso_of_a_small_product_is_shorter() {
    let mut count = 0;
    each_violated(|subject| {
        let Some(shortest) = subject.shortest_lasso() else { return };
        let searched = Some(subject.search()).filter(|s| s.kind == FoundKind::Cycle);
        for shown in searched.into_iter().chain(subject.walk_lasso(1, 2000, 200)) {
            let length = minimised(&subject, &shown, 50_000).length;
            assert!(length <= shortest, "{}: {length} steps, {shortest} are enough", subject.name);
            count += 1;
        }
    });
    assert!(count >= 20, "only {count} lassos");
}

fn non_progress(_: &mut Model) -> Property {
    Property::built_in("non-progress", PropertyKind::NonProgress)
}

fn formula(model: &mut Model, text: &str) -> Property {
    model.resolve(&Question::Ltl("formula".to_owned(), text.to_owned())).expect("a formula").remove(0)
}

fn acceptance(_: &mut Model) -> Property {
    Property::built_in("acceptance", PropertyKind::Acceptance)
}

#[test]
fn a_cycle_is_as_short_as_can_be() {
    // Two ways into a cycle, and two cycles: 1 + 2 steps are the least.
    let text = "byte x; active proctype P() { if :: x = 1; x = 2; x = 3 :: x = 3 fi;
        accept: do :: x == 3 -> x = 4; x = 5; x = 3 :: x == 3 -> x = 3 od }";
    let subject = Subject::text(text, acceptance, false);
    let shown = subject.search();
    assert_eq!(shown.kind, FoundKind::Cycle);
    let result = minimised(&subject, &shown, 50_000);
    assert_eq!((result.length, result.path.cycle_start, result.optimal), (3, Some(1), true));
}

#[test]
fn a_fair_cycle_keeps_every_process_going() {
    let text = "byte x, y; active proctype P() { do :: x = 1 - x od } active proctype Q() { do :: y = 1 - y od }";
    let lengths = [false, true].map(|fair| {
        let subject = Subject::text(text, non_progress, fair);
        minimised(&subject, &subject.search(), 50_000).length
    });
    assert_eq!(lengths, [2, 4]);
}

#[test]
fn a_run_that_stops_is_a_lasso_without_a_cycle() {
    let text = "byte x; active proctype P() { do :: x < 9 -> x++ :: x > 1 -> break od }";
    let eventually = |model: &mut Model| formula(model, "<> (x == 10)");
    let subject = Subject::text(text, eventually, false);
    let result = minimised(&subject, &subject.search(), 50_000);
    assert_eq!((result.length, result.path.cycle_start), (6, Some(6)));
}

#[test]
fn the_claim_decides_which_cut_is_right() {
    // The cycle must pass x == 2, which needs the long way round.
    let text = "byte x; active proctype P() { do :: x = 0 :: x == 0 -> x = 1 :: x == 1 -> x = 2; x = 0 od }";
    let never = |model: &mut Model| formula(model, "<> [] (x != 2)");
    let subject = Subject::text(text, never, false);
    let result = minimised(&subject, &subject.search(), 50_000);
    assert_eq!((result.length, result.path.cycle_start), (5, Some(0)));
}
