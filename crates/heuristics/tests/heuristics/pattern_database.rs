use lurcher_heuristics::{PatternDatabase, PatternError, PatternSettings, ReachabilityGraph, Target};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Guidance, Prepared, Semantics};
use lurcher_system::{Interpreter, State};

use super::{
    NONE, SMALL, assert_consistent, each_violated, interpreter, model, models, open, overestimated, read, scrambled,
};

fn settings(states: usize) -> PatternSettings {
    PatternSettings { states, ..PatternSettings::default() }
}

fn assert_all_found(interpreter: &Interpreter<'_>, database: &PatternDatabase<'_>, graph: &ReachabilityGraph) {
    let mut state = State::empty(interpreter.layout());
    for number in 0..graph.len() {
        let claim = graph.load(interpreter, number, &mut state);
        assert!(database.look_up(&state, claim).is_some(), "a state is lost, keeping {:?}", database.kept());
    }
}

#[test]
fn estimates_never_exceed_the_true_distance_and_every_state_is_found() {
    let mut checked = 0;
    let mut told = 0;
    each_violated(|name, interpreter, target, graph| {
        for states in [2_000, 300, 20] {
            let database = match PatternDatabase::build(interpreter, target, &settings(states)) {
                Ok(database) => database,
                Err(PatternError::TooLarge) => continue,
                Err(error) => panic!("{name}: {error}"),
            };
            assert!(database.len() <= states);
            let worst = overestimated(interpreter, &database, graph);
            assert_eq!(worst, None, "{name} {target:?}, keeping {:?}", database.kept());
            assert_all_found(interpreter, &database, graph);
            checked += 1;
            told += u32::from(database.of_state(&interpreter.initial().expect("it starts"), NONE) > 0);
        }
    });
    assert!(checked >= 60, "only {checked} databases were checked");
    assert!(told >= 30, "only {told} databases say anything about the initial state");
}

#[test]
fn estimates_under_claims_never_exceed_the_distance_to_an_accepting_cycle() {
    let mut checked = 0;
    for path in models() {
        let model = open(&path);
        let is_claim = |p: &&Property| matches!(p.kind, PropertyKind::Never(_) | PropertyKind::Ltl { .. });
        for property in model.properties.iter().filter(is_claim) {
            let prepared = Prepared::new(&model, property, Semantics::default()).expect("a small formula");
            let target = Target::Claim(prepared.objective.claim.expect("an automaton"));
            let interpreter = prepared.interpreter();
            let Some(graph) = ReachabilityGraph::explore(&interpreter, &target, SMALL / 4) else { continue };
            if graph.distance(0).is_none() {
                continue;
            }
            for states in [2_000, 50] {
                let Ok(database) = PatternDatabase::build(&interpreter, &target, &settings(states)) else { continue };
                let worst = overestimated(&interpreter, &database, &graph);
                assert_eq!(worst, None, "{} {}, keeping {:?}", path.display(), property.name, database.kept());
                checked += 1;
            }
        }
    }
    assert!(checked >= 4, "only {checked} databases were checked");
}

#[test]
fn whatever_is_dropped_no_step_of_the_model_is_lost() {
    let mut checked = 0;
    for path in models() {
        let model = open(&path);
        let interpreter = interpreter(&model);
        for (which, target) in Target::of_property(&model, &PropertyKind::Safety, None).iter().enumerate() {
            let Some(graph) = ReachabilityGraph::explore(&interpreter, target, 3_000) else { continue };
            let Ok(database) = PatternDatabase::build(&interpreter, target, &settings(1)) else { continue };
            let names: Vec<String> = database.kept().into_iter().chain(database.dropped()).collect();
            for round in 0..4 {
                let dropped = |(n, _): &(usize, String)| scrambled(round * 1000 + n * 7 + which).is_multiple_of(3);
                let drop = names.iter().cloned().enumerate().filter(dropped).map(|(_, name)| name).collect();
                let chosen = PatternSettings { states: 1_500, drop };
                let Ok(database) = PatternDatabase::build(&interpreter, target, &chosen) else { continue };
                checked += 1;
                assert_all_found(&interpreter, &database, &graph);
                assert_consistent(&format!("{} {chosen:?}", path.display()), &interpreter, &database, &graph, true);
            }
        }
    }
    assert!(checked >= 150, "only {checked} databases were checked");
}

#[test]
fn with_everything_kept_the_distances_are_true() {
    for name in ["philosophers", "mutex-flawed", "two-stage", "water-jugs"] {
        let model = model(name);
        let interpreter = interpreter(&model);
        let target = Target::of_property(&model, &PropertyKind::Safety, None).remove(0);
        let graph = ReachabilityGraph::explore(&interpreter, &target, SMALL).expect("small");
        let database = PatternDatabase::build(&interpreter, &target, &settings(100_000)).expect("small");
        let initial = interpreter.initial().expect("it starts");
        assert_eq!(Some(database.of_state(&initial, NONE)), graph.distance(0), "{name}: {:?}", database.dropped());
    }
}

#[test]
fn irrelevant_and_named_items_are_dropped() {
    let model = read(
        "byte x, y, noise;
         active proctype P() { x = 1; y = x; assert(y == 0) }
         active proctype Q() { do :: noise < 200 -> noise++ :: noise > 0 -> noise-- od }",
    );
    let interpreter = interpreter(&model);
    let database = PatternDatabase::build(&interpreter, &Target::Assertion, &settings(1000)).expect("small");
    assert_eq!(database.dropped(), ["noise", "Q[1].location"]);
    assert_eq!(database.of_state(&interpreter.initial().expect("it starts"), NONE), 3);
    let named = PatternSettings { drop: vec!["y".to_owned()], ..settings(1000) };
    let database = PatternDatabase::build(&interpreter, &Target::Assertion, &named).expect("small");
    assert!(database.dropped().contains(&"y".to_owned()));
    let unknown = PatternSettings { drop: vec!["z".to_owned()], ..settings(1000) };
    let error = PatternDatabase::build(&interpreter, &Target::Assertion, &unknown).expect_err("no such name");
    assert_eq!(error, PatternError::UnknownName("z".to_owned()));
}

#[test]
fn a_few_processes_stand_for_many() {
    let text = include_str!("../../../../models/promela/philosophers.pml").replace("#define N 4", "#define N 200");
    let model = read(&text);
    let interpreter = interpreter(&model);
    let database = PatternDatabase::build(&interpreter, &Target::Deadlock, &settings(20_000)).expect("it fits");
    let kept = database.kept();
    assert!(kept.contains(&"Philosopher[2].location".to_owned()), "{kept:?}");
    assert!(!kept.contains(&"Philosopher[9].location".to_owned()), "{kept:?}");
    assert!(kept.contains(&"taken[1]".to_owned()) && !kept.contains(&"taken[50]".to_owned()), "{kept:?}");
    assert!(database.of_state(&interpreter.initial().expect("it starts"), NONE) > 0);
}

#[test]
fn a_loaded_database_has_the_values_of_the_saved_one() {
    let model = read(include_str!("../../../../models/promela/mutex-flawed.pml"));
    let interpreter = interpreter(&model);
    let database = PatternDatabase::build(&interpreter, &Target::Assertion, &settings(5_000)).expect("small");
    let text = database.save();
    let loaded = PatternDatabase::load(&interpreter, &Target::Assertion, &text).expect("it was just saved");
    let graph = ReachabilityGraph::explore(&interpreter, &Target::Assertion, SMALL).expect("small");
    let mut state = State::empty(interpreter.layout());
    for number in 0..graph.len() {
        graph.load(&interpreter, number, &mut state);
        assert_eq!(database.look_up(&state, NONE), loaded.look_up(&state, NONE));
    }
    assert_eq!(loaded.save(), text);
    assert!(PatternDatabase::load(&interpreter, &Target::Deadlock, &text).is_err());
    let other = text.replace("keep inside", "keep outside");
    let error = PatternDatabase::load(&interpreter, &Target::Assertion, &other).expect_err("no such variable");
    assert!(error.message.contains("nothing of this name"), "{error}");
}

#[test]
fn distances_never_exceed_the_true_ones_where_random_programs_showed_it() {
    for text in [
        // A process of another type takes the number of a kept one, and dies.
        "chan q1[2] = [1] of { byte };
         init { run P0(0) }
         active proctype P0(chan c) { q1[(_pid % 2)]?1 }
         active proctype P1() { q1[0]!1 }",
        // A sorted send compares a value that is truncated when it is stored.
        "byte g0; chan q1 = [2] of { mtype, byte, int };
         active proctype P2() { do :: q1!!0, 2147483647, (1 - g0); g0 = 1 od }",
    ] {
        let model = read(text);
        let interpreter = interpreter(&model);
        let graph = ReachabilityGraph::explore(&interpreter, &Target::Deadlock, SMALL).expect("small");
        assert!(graph.distance(0).is_some(), "{text}");
        let database = PatternDatabase::build(&interpreter, &Target::Deadlock, &settings(10_000)).expect("small");
        assert_eq!(overestimated(&interpreter, &database, &graph), None, "{text}");
    }
}
