//! Deadlocks, assertions and faults.

use lurcher::{Model, Question};
use lurcher_search::{Budget, FoundKind, StateGraph, bfs, dfs};
use lurcher_system::{Move, Path, Violation};

use crate::minimised;
use crate::subject::{Shown, Subject, headers, safety};

/// The name of a kind of violation in headers.
fn name(kind: &FoundKind) -> &'static str {
    match kind {
        FoundKind::Deadlock => "deadlock",
        FoundKind::Step(Violation::Assertion(_)) => "assertion",
        FoundKind::Step(Violation::Fault { fault, .. }) => fault.kind(),
        _ => "other",
    }
}

/// The length of a shortest trace to the same violation.
fn shortest(subject: &Subject, kind: &FoundKind) -> Option<u32> {
    let mut system = StateGraph::new(subject.interpreter(), Vec::new(), true);
    let budget = Budget { all_errors: true, ..Budget::default() };
    let outcome = bfs(&mut system, &budget, &mut ());
    let found = outcome.found.into_iter().find(|f| f.kind == *kind)?;
    let moves: Vec<Move> = found.path.steps.iter().filter_map(|s| s.system).collect();
    let (last, before) = moves.split_last()?;
    let violation = match kind {
        FoundKind::Step(v) => Some(v),
        _ => None,
    };
    Some(before.iter().map(Move::length).sum::<u32>() + last.length_with(violation))
}

#[test]
fn walks_to_the_violations_of_all_models_become_nearly_shortest() {
    let (mut ratios, mut wrong) = (Vec::new(), Vec::new());
    for (model, _, header) in headers().iter().filter(|(_, _, h)| h.get("expect").is_some_and(|e| e == "violated")) {
        let subject = Subject::safety(model, &[]);
        for seed in 0..3 {
            // Some violations are possible only near the initial state.
            let shown = subject.walk(seed, 5000, 200).or_else(|| subject.walk(seed, 40, 500_000));
            let Some(shown) = shown else {
                wrong.push(format!("{model}: no walk finds anything"));
                break;
            };
            let result = minimised(&subject, &shown, 200_000);
            let stated = header["shortest"].parse::<u32>().ok().filter(|_| header["property"] == name(&shown.kind));
            let best = match stated {
                // Another violation of the same kind may be nearer.
                Some(stated) if stated == result.length => stated,
                _ => shortest(&subject, &shown.kind).expect("it is there"),
            };
            ratios.push(f64::from(result.length) / f64::from(best));
            if result.length < best || (result.optimal && result.length != best) {
                wrong.push(format!("{model}, seed {seed}: {} where {best} is shortest", result.length));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ratios.len() >= 100, "only {} walks", ratios.len());
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    assert!(mean <= 1.02, "{mean} times the shortest on average");
}

#[test]
fn philosophers_need_two_steps_each() {
    for n in ["3", "5", "30"] {
        let subject = Subject::safety("philosophers", &[("N", n)]);
        let shown = subject.walk(7, 50_000, 10).expect("a deadlock");
        let result = minimised(&subject, &shown, 50_000);
        assert_eq!(result.length, 2 * n.parse::<u32>().unwrap(), "{n} philosophers");
        assert_eq!(result.optimal, n != "30");
    }
}

#[test]
fn larger_instances_come_near_the_shortest() {
    let cases = [("mutex-flawed", 20, 9), ("leader-flawed", 6, 4 * 6 + 13), ("peterson-n-flawed", 4, 84)];
    for (model, n, best) in cases {
        let subject = Subject::safety(model, &[("N", &n.to_string())]);
        let shown = subject.walk(1, 20_000, 50).expect("an assertion fails");
        let result = minimised(&subject, &shown, 100_000);
        assert!(result.length * 10 <= best * 11, "{model} {n}: {} of {best}", result.length);
    }
}

#[test]
fn a_broken_invariant_stays_one() {
    let text = "byte x, y; active proctype P() { do :: x < 9 -> x++ :: x > 0 -> x-- od }
        active proctype Q() { do :: y = 1 - y od }";
    let invariant = |model: &mut Model| model.resolve(&Question::invariant("x != 5")).expect("an expression").remove(0);
    let subject = Subject::text(text, invariant, false);
    let mut system =
        StateGraph::new(subject.interpreter(), subject.question.invariant.iter().cloned().collect(), false);
    let outcome = dfs(&mut system, &Budget::default(), &mut ());
    let moves: Vec<Move> = outcome.found[0].path.steps.iter().filter_map(|s| s.system).collect();
    let result = minimised(&subject, &Shown { kind: FoundKind::Invariant, path: Path::finite(moves) }, 10_000);
    assert_eq!((result.length, result.optimal), (10, true));
}

#[test]
fn a_rendezvous_counts_two_steps() {
    let text = "chan c = [0] of { byte }; byte x; active proctype P() { do :: c!1 :: x = 1 - x od }
        active proctype Q() { byte b; do :: c?b; assert(x == 0 || b == 0) :: x = 1 - x od }";
    let subject = Subject::text(text, |_| safety(), false);
    let shown = subject.walk(1, 1000, 50).expect("the assertion fails");
    let result = minimised(&subject, &shown, 10_000);
    assert_eq!((result.length, result.optimal), (4, true));
}

#[test]
fn minimising_again_gives_the_same() {
    for (model, n) in [("mutex-flawed", "5"), ("leader-flawed", "4"), ("philosophers", "12")] {
        let subject = Subject::safety(model, &[("N", n)]);
        let shown = subject.walk(3, 20_000, 50).expect("a violation");
        let once = minimised(&subject, &shown, 20_000);
        assert_eq!(minimised(&subject, &shown, 20_000), once, "the same trace");
        let twice = minimised(&subject, &Shown { path: once.path.clone(), ..shown }, 20_000);
        assert_eq!((twice.length, twice.path), (once.length, once.path), "its own result");
    }
}

#[test]
fn without_a_budget_only_loops_go() {
    let subject = Subject::safety("philosophers", &[("N", "4")]);
    let shown = subject.walk(2, 20_000, 10).expect("a deadlock");
    let result = minimised(&subject, &shown, 0);
    let interpreter = subject.interpreter();
    let mut state = interpreter.initial().unwrap();
    let mut seen = vec![state.clone()];
    for step in &result.path.steps {
        interpreter.apply(&mut state, step);
        assert!(!seen.contains(&state), "a state comes twice");
        seen.push(state.clone());
    }
    let taken: Vec<&Move> = shown.path.steps.iter().collect();
    let mut rest = taken.iter();
    assert!(result.path.steps.iter().all(|m| rest.any(|t| **t == *m)), "moves were added");
}

#[test]
fn an_interrupt_gives_the_best_so_far() {
    use lurcher_trace::minimise::{MinimiseBudget, minimise};
    let subject = Subject::safety("philosophers", &[("N", "6")]);
    let shown = subject.walk(2, 20_000, 10).expect("a deadlock");
    let budget = MinimiseBudget::default();
    budget.resources.stop.interrupt();
    let result = minimise(&subject.interpreter(), &subject.question, &shown.kind, false, &shown.path, &budget);
    assert!(!result.finished && !result.optimal);
    assert!(subject.shows(&shown.kind, &result.path));
}
