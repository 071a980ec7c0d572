use lurcher_heuristics::{GoalSet, LocalDistance, StateForm, Target};
use lurcher_ir::LocationId;
use lurcher_search::{Guidance, Scores};
use lurcher_system::ProcessId;

use super::{NONE, each_violated, interpreter, load, overestimated, read};

#[test]
fn admissible_heuristics_never_exceed_the_true_distance() {
    let mut checked = 0;
    let mut told = 0;
    each_violated(|name, interpreter, target, graph| {
        for form in [StateForm::Min, StateForm::Max, StateForm::Sum] {
            for goal_set in [GoalSet::Informative, GoalSet::Complete] {
                let heuristic = LocalDistance::states(interpreter, target, form, goal_set);
                if heuristic.admissible() {
                    let worst = overestimated(interpreter, &heuristic, graph);
                    assert_eq!(worst, None, "{name}: {target:?} {form:?} {goal_set:?}");
                    checked += 1;
                    let initial = interpreter.initial().expect("it starts");
                    told += u32::from(heuristic.of_state(&initial, NONE) > 0);
                }
            }
        }
    });
    assert!(checked >= 40, "only {checked} heuristics were checked");
    assert!(told >= 20, "only {told} heuristics say anything about the initial state");
}

#[test]
fn values_lie_between_0_and_the_maximum() {
    each_violated(|name, interpreter, target, graph| {
        let mut state = interpreter.initial().expect("it starts");
        let steps = LocalDistance::steps(interpreter, target);
        let sum = LocalDistance::states(interpreter, target, StateForm::Sum, GoalSet::Informative);
        for number in 0..graph.len() {
            let claim = graph.load(interpreter, number, &mut state);
            assert!(sum.of_state(&state, claim) <= sum.max(), "{name}");
            for transition in graph.transitions(number) {
                let Some(step) = transition.step else { continue };
                assert!(steps.of_step(&state, claim, step.process, step.branch) <= steps.max(), "{name}");
            }
        }
    });
}

#[test]
fn a_philosopher_prefers_the_second_fork_over_letting_go() {
    let model = read(include_str!("../../../../models/promela/philosophers.pml"));
    let interpreter = interpreter(&model);
    let heuristic = LocalDistance::steps(&interpreter, &Target::Deadlock);
    assert_eq!(heuristic.scores(), Scores::Steps);
    let mut state = interpreter.initial().expect("it starts");
    let mut scores = Vec::new();
    for _ in 0..6 {
        scores.push(heuristic.of_step(&state, NONE, ProcessId(0), 0));
        let mut moves = Vec::new();
        interpreter.moves(&state, &mut moves);
        let own = moves.iter().find(|m| m.process == ProcessId(0)).expect("it can move");
        interpreter.apply(&mut state, own);
    }
    // Tests the left fork, takes it: now it waits for the right one, the goal. Then the way around is long.
    assert_eq!(scores[1], 0, "{scores:?}");
    assert!(scores[0] > 0 && scores[2] > scores[1] && scores[5] < scores[3], "{scores:?}");
}

#[test]
fn an_assertion_that_fails_now_is_the_best_step_and_one_that_holds_is_not() {
    let model = read("byte x; active proctype P() { do :: x = 1 :: x = 0 :: assert(x == 0) od }");
    let interpreter = interpreter(&model);
    let heuristic = LocalDistance::steps(&interpreter, &Target::Assertion);
    let mut state = interpreter.initial().expect("it starts");
    let score = |state: &_, branch| heuristic.of_step(state, NONE, ProcessId(0), branch);
    assert_eq!([score(&state, 0), score(&state, 1), score(&state, 2)], [1, 1, 1]);
    let mut moves = Vec::new();
    interpreter.moves(&state, &mut moves);
    interpreter.apply(&mut state, &moves[0]);
    assert_eq!(score(&state, 2), 0);
}

#[test]
fn only_the_processes_that_the_property_names_have_goals() {
    let model = read(
        "active [3] proctype P() { skip; cs: skip; skip }
         ltl apart { [] !(P[0]@cs && P[2]@cs) }",
    );
    let invariant = match &model.properties[0].kind {
        lurcher_ir::PropertyKind::Ltl { atoms, .. } => {
            let both = atoms
                .iter()
                .map(|a| a.expr().clone())
                .reduce(|a, b| lurcher_ir::Expr::binary(lurcher_ir::BinaryOp::And, a, b));
            both.expect("atoms").negated()
        }
        other => panic!("{other:?}"),
    };
    let interpreter = interpreter(&model);
    let heuristic = LocalDistance::steps(&interpreter, &Target::Invariant(invariant));
    let state = interpreter.initial().expect("it starts");
    let scores = [0, 1, 2].map(|p| heuristic.of_step(&state, NONE, ProcessId(p), 0));
    assert_eq!(scores, [0, heuristic.max(), 0]);
}

#[test]
fn processes_that_the_model_itself_tells_apart_have_tables_of_their_own() {
    let model = read(
        "byte users;
         active [4] proctype P() {
            if :: _pid < 2 -> users++; assert(users == 1); users-- :: else -> skip fi
         }",
    );
    let interpreter = interpreter(&model);
    let heuristic = LocalDistance::steps(&interpreter, &Target::Assertion);
    let state = interpreter.initial().expect("it starts");
    let best = |p| (0..2).map(|b| heuristic.of_step(&state, NONE, ProcessId(p), b)).min().expect("two branches");
    assert_eq!([best(0), best(1)], [2, 2]);
    assert_eq!([best(2), best(3)], [heuristic.max(), heuristic.max()]);
}

#[test]
fn a_process_that_creates_the_one_with_the_assertion_is_on_the_way() {
    let model = read(
        "byte x;
         proctype Late() { x = 1; assert(x == 0) }
         init { skip; run Late() }",
    );
    let interpreter = interpreter(&model);
    let heuristic = LocalDistance::states(&interpreter, &Target::Assertion, StateForm::Min, GoalSet::Complete);
    assert!(heuristic.admissible());
    let state = interpreter.initial().expect("it starts");
    assert_eq!(heuristic.of_state(&state, NONE), 4);
}

#[test]
fn distances_can_be_written_edited_and_read_back() {
    let text = "byte x; active [2] proctype P() { x++; x++; assert(x < 4) }";
    let loaded = load(text);
    let model = loaded.processes().expect("a process model");
    let interpreter = interpreter(model);
    let initial = interpreter.initial().expect("it starts");
    let mut heuristic = LocalDistance::steps(&interpreter, &Target::Assertion);
    let written = heuristic.to_text(loaded.sources());
    let first = |g: &LocalDistance<'_>, p| g.of_step(&initial, LocationId(0), ProcessId(p), 0);
    let before = first(&heuristic, 0);
    heuristic.set_from_text(&written).expect("its own text");
    assert_eq!((heuristic.to_text(loaded.sources()), first(&heuristic, 0)), (written.clone(), before));
    let second = model.process_types[0].location(initial.location(ProcessId(0))).branches[0].target.0;
    let edited = format!("{written}P[1] | {second} | 77\n");
    heuristic.set_from_text(&edited).expect("a line more");
    assert_eq!((first(&heuristic, 0), first(&heuristic, 1), heuristic.max()), (before, 77, 77));
    for (bad, line) in
        [("", 1), ("guide other", 1), ("guide local-distance\nP | 99 | 1", 2), ("guide local-distance\n\nP | 2", 3)]
    {
        let error = heuristic.set_from_text(bad).expect_err("a damaged text").to_string();
        assert!(error.starts_with(&format!("line {line}: ")), "{error}");
    }
}
