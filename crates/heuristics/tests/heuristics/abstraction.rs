use std::time::{Duration, Instant};

use lurcher::engines::ProcessSystem;
use lurcher_heuristics::{Abstraction, AbstractionError, ReachabilityGraph, Target};
use lurcher_ir::{Model, Property, PropertyKind};
use lurcher_search::{Budget, Guidance, Prepared, Semantics};
use lurcher_system::{Interpreter, State};

use super::{NONE, assert_consistent, each_violated, interpreter, model, overestimated, read, scrambled};

fn budget() -> Budget {
    Budget::default().until(Instant::now() + Duration::from_secs(20)).with_memory(Some(16 << 20))
}

fn build(interpreter: &Interpreter<'_>, target: &Target, drop: &[String]) -> Result<Abstraction, AbstractionError> {
    Abstraction::build(interpreter, target, drop, &budget())
}

#[test]
fn distances_never_exceed_the_true_ones_whatever_is_dropped() {
    let (mut checked, mut told) = (0, 0);
    each_violated(|name, interpreter, target, graph| {
        if graph.len() > 8_000 {
            return;
        }
        let mut drop: Vec<String> = Vec::new();
        for round in 0..3 {
            let heuristic = match build(interpreter, target, &drop) {
                Ok(heuristic) => heuristic,
                Err(AbstractionError::Refused(why)) => {
                    println!("{name}: {why}");
                    return;
                }
                Err(AbstractionError::Stopped(stop)) => {
                    println!("{name}: stopped by {}", stop.name());
                    return;
                }
                Err(error) => panic!("{name}: {error}"),
            };
            if heuristic.admissible() {
                let worst = overestimated(interpreter, &heuristic, graph);
                assert_eq!(worst, None, "{name} {target:?}, keeping {:?}", heuristic.kept());
                assert_consistent(name, interpreter, &heuristic, graph, false);
                checked += 1;
                told += u32::from(heuristic.of_state(&interpreter.initial().expect("it starts"), NONE) > 0);
            }
            let chosen = |(n, _): &(usize, &String)| scrambled(round * 1000 + n * 7).is_multiple_of(3);
            drop = heuristic.kept().iter().enumerate().filter(chosen).map(|(_, name)| name.clone()).collect();
        }
    });
    assert!(checked >= 45, "only {checked} abstractions were checked");
    assert!(told >= 25, "only {told} abstractions say anything about the initial state");
}

#[test]
fn with_everything_kept_the_distances_are_true() {
    for name in ["philosophers", "mutex-flawed", "river-crossing"] {
        let model = model(name);
        let interpreter = interpreter(&model);
        let target = Target::of_property(&model, &PropertyKind::Safety, None).remove(0);
        let graph = ReachabilityGraph::explore(&interpreter, &target, 40_000).expect("small");
        // What no statement reads or writes again can go without loss; naming it keeps all the rest.
        let heuristic = build(&interpreter, &target, &["beyond".to_owned()]).expect("it can be translated");
        // The violation of an assertion is a step, and the state before it is where the rings begin.
        let last = u32::from(matches!(target, Target::Assertion));
        let initial = interpreter.initial().expect("it starts");
        assert_eq!(Some(heuristic.of_state(&initial, NONE) + last), graph.distance(0), "{name}");
        assert!(heuristic.admissible(), "{name}");
    }
}

#[test]
fn under_a_claim_the_distance_is_to_an_accepting_node() {
    let model = read(
        "bool wanted, granted;
         active proctype Client() { wanted = true; (granted) }
         active proctype Server() { do :: wanted -> skip od }
         ltl served { [] (wanted -> <> granted) }",
    );
    let prepared = Prepared::new(&model, &model.properties[0], Semantics::default()).expect("a small formula");
    let target = ProcessSystem::targets(&prepared).remove(0);
    let interpreter = prepared.interpreter();
    let heuristic = build(&interpreter, &target, &[]).expect("it can be translated");
    let graph = ReachabilityGraph::explore(&interpreter, &target, 1_000).expect("small");
    let mut state = State::empty(interpreter.layout());
    let claim = graph.load(&interpreter, 0, &mut state);
    assert!(heuristic.of_state(&state, claim) > 0, "nothing is wanted yet");
    let mut nearest = u32::MAX;
    for number in 0..graph.len() {
        let claim = graph.load(&interpreter, number, &mut state);
        nearest = nearest.min(heuristic.of_state(&state, claim));
    }
    assert_eq!(nearest, 0);
    assert!(!heuristic.admissible(), "a claim may move alone");
}

#[test]
fn abstractions_that_cannot_be_built_are_refused_with_the_reason() {
    let refused = |model: &Model, target: &Target, drop: &[&str]| {
        let drop: Vec<String> = drop.iter().map(|&name| name.to_owned()).collect();
        build(&interpreter(model), target, &drop).expect_err("it is refused").to_string()
    };
    let last = read("byte x; active proctype P() { x = _last; assert(x == 0) }");
    assert_eq!(refused(&last, &Target::Assertion, &[]), "`_last` cannot be translated to a relation");
    let plain = read("byte x; active proctype P() { x = 1; assert(x == 0) }");
    assert_eq!(refused(&plain, &Target::Assertion, &["y"]), "there is no variable `y` to drop");
    let safety = Property::built_in("safety", PropertyKind::Safety);
    let lossy =
        Prepared::new(&plain, &safety, Semantics { message_loss: true, ..Semantics::default() }).expect("no formula");
    let lossy = Abstraction::build(&lossy.interpreter(), &Target::Assertion, &[], &budget());
    assert_eq!(lossy.expect_err("it is refused").to_string(), "it knows no message loss");
    let late = Budget::default().until(Instant::now());
    let late = Abstraction::build(&interpreter(&plain), &Target::Assertion, &[], &late);
    assert_eq!(late.expect_err("no time is left").to_string(), "stopped by time");
}

#[test]
fn created_processes_are_followed_and_the_heuristic_is_not_admissible() {
    let model = read(
        "byte x;
         proctype Child() { x = x + 1 }
         init { run Child(); run Child(); (_nr_pr == 1); assert(x < 2) }",
    );
    let interpreter = interpreter(&model);
    let heuristic = build(&interpreter, &Target::Assertion, &[]).expect("it can be translated");
    assert!(!heuristic.admissible(), "more processes might be created than were foreseen");
    let graph = ReachabilityGraph::explore(&interpreter, &Target::Assertion, 1_000).expect("small");
    assert_eq!(overestimated(&interpreter, &heuristic, &graph), None, "keeping {:?}", heuristic.kept());
    assert!(heuristic.of_state(&interpreter.initial().expect("it starts"), NONE) > 0);
}
