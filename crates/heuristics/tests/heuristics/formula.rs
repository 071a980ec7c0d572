use lurcher::Question;
use lurcher_heuristics::{FormulaForm, FormulaHeuristic, ReachabilityGraph, Target};
use lurcher_ir::{Atom, Expr, Model, PropertyKind};
use lurcher_search::Guidance;
use lurcher_system::{Interpreter, ProcessId, State};

use super::{NONE, SMALL, assert_consistent, each_violated, interpreter, load, models, open, overestimated, read};

use FormulaForm::{Max, Sum};

fn heuristic<'m>(interpreter: &Interpreter<'m>, target: &Target, form: FormulaForm) -> FormulaHeuristic<'m> {
    match target {
        Target::Deadlock => FormulaHeuristic::deadlock(interpreter, None, form).expect("no labels").0,
        _ => FormulaHeuristic::new(interpreter, target, form).expect("it is no claim"),
    }
}

/// Checks the maximum form; returns whether it says anything about the initial state.
fn assert_admissible(name: &str, interpreter: &Interpreter<'_>, target: &Target, graph: &ReachabilityGraph) -> bool {
    let heuristic = heuristic(interpreter, target, Max);
    assert_eq!(overestimated(interpreter, &heuristic, graph), None, "{name}: {target:?}");
    assert_consistent(name, interpreter, &heuristic, graph, false);
    heuristic.of_state(&interpreter.initial().expect("it starts"), NONE) > 0
}

#[test]
fn the_maximum_form_never_exceeds_the_true_distance() {
    let (mut checked, mut told) = (0, 0);
    each_violated(|name, interpreter, target, graph| {
        told += u32::from(assert_admissible(name, interpreter, target, graph));
        checked += 1;
    });
    assert!(checked >= 25 && told >= 20, "{told} of {checked} heuristics say something about the initial state");
}

/// The conditions that the properties of a model speak of.
fn atoms(model: &Model) -> Vec<Expr> {
    let atoms = model.properties.iter().flat_map(|property| match &property.kind {
        PropertyKind::Ltl { atoms, .. } => atoms.clone(),
        PropertyKind::Invariant(atom) => vec![atom.clone()],
        _ => Vec::new(),
    });
    atoms.map(|atom: Atom| atom.expr().clone()).collect()
}

#[test]
fn the_maximum_form_is_a_lower_bound_for_every_condition_of_a_property() {
    let mut checked = 0;
    for path in models() {
        let model = open(&path);
        let interpreter = interpreter(&model);
        for atom in atoms(&model) {
            for target in [Target::Invariant(atom.clone()), Target::Invariant(atom.negated())] {
                let Some(graph) = ReachabilityGraph::explore(&interpreter, &target, SMALL / 4) else { continue };
                assert_admissible(&path.display().to_string(), &interpreter, &target, &graph);
                checked += 1;
            }
        }
    }
    assert!(checked >= 40, "only {checked} conditions were checked");
}

/// A model in which channel `q` holds two red messages and a green one.
const CHANNELS: &str = "
    mtype = { red, green };
    byte x = 3, y = 5, i = 1;
    bool a = true, b, flags[2];
    mtype m = red;
    chan q = [4] of { mtype, byte };
    chan r = [2] of { byte };
    active proctype Sender() { q!red(1); q!red(2); q!green(3); wait: (false) }
    active proctype Other() { one: skip; two: skip; three: skip; (false) }";

/// The state in which the first process is blocked.
fn after_the_first_process(interpreter: &Interpreter<'_>) -> State {
    let mut state = interpreter.initial().expect("it starts");
    let mut moves = Vec::new();
    loop {
        interpreter.moves_of(&state, ProcessId(0), &mut moves);
        let Some(first) = moves.first() else { return state };
        assert!(interpreter.apply(&mut state, first).is_none());
    }
}

/// H_f and its dual, in a form; none where the formula cannot be had.
fn values(text: &str, formula: &str, form: FormulaForm) -> [Option<u32>; 2] {
    let mut loaded = load(text);
    let property = loaded.resolve(&Question::invariant(formula)).expect("an expression").remove(0);
    let PropertyKind::Invariant(atom) = property.kind else { panic!("{property:?}") };
    let model = loaded.processes().expect("a process model");
    let interpreter = interpreter(model);
    let state = after_the_first_process(&interpreter);
    [atom.expr().clone().negated(), atom.expr().clone()].map(|invariant| {
        let heuristic = heuristic(&interpreter, &Target::Invariant(invariant), form);
        Some(heuristic.of_state(&state, NONE)).filter(|&value| value < heuristic.max())
    })
}

#[test]
fn every_construct_has_the_values_of_the_paper() {
    // Formula, H_f, its dual, and both in the maximum form.
    let never = u32::MAX;
    let table = [
        ("true", [0, never, 0, never]),
        ("a", [0, 1, 0, 1]),
        ("b", [1, 0, 1, 0]),
        ("!b", [0, 1, 0, 1]),
        ("flags[1]", [1, 0, 1, 0]),
        ("flags[i]", [1, 0, 1, 0]),
        ("x == 5", [2, 0, 1, 0]),
        ("x != 3", [1, 0, 1, 0]),
        ("x < 3", [1, 0, 1, 0]),
        ("x <= 1", [2, 0, 1, 0]),
        ("x > 7", [5, 0, 1, 0]),
        ("x >= 7", [4, 0, 1, 0]),
        ("x < y", [0, 2, 0, 1]),
        ("x + 1 == y - 1", [0, 1, 0, 1]),
        ("m == green", [1, 0, 1, 0]),
        ("b && x == 5", [3, 0, 1, 0]),
        ("a && x == 3", [0, 1, 0, 1]),
        ("b || x == 5", [1, 0, 1, 0]),
        ("a || x == 3", [0, 2, 0, 1]),
        ("!(b || x != 5)", [2, 0, 1, 0]),
        ("(b -> y == 9 : x == 4)", [1, 0, 1, 0]),
        ("full(q)", [1, 0, 1, 0]),
        ("full(r)", [2, 0, 2, 0]),
        ("empty(q)", [3, 0, 3, 0]),
        ("empty(r)", [0, 1, 0, 1]),
        ("nfull(q)", [0, 1, 0, 1]),
        ("nempty(r)", [1, 0, 1, 0]),
        ("nempty(q)", [0, 3, 0, 3]),
        ("len(q) == 0", [3, 0, 3, 0]),
        ("len(q) > 3", [1, 0, 1, 0]),
        ("len(q) + len(r) < 1", [3, 0, 2, 0]),
        ("q?[green,3]", [2, 0, 2, 0]),
        ("q?[red,1]", [0, 1, 0, 1]),
        ("q?[green,9]", [4, 0, 4, 0]),
        ("q??[green,3]", [0, 1, 0, 1]),
        ("q??[green,9]", [1, 0, 1, 0]),
        ("r?[7]", [1, 0, 1, 0]),
        ("Other@three", [2, 0, 2, 0]),
        ("Other@one", [0, 1, 0, 1]),
        ("Sender@wait", [0, 1, 0, 1]),
        ("Other[1]@two && empty(q)", [4, 0, 3, 0]),
        ("pc_value(1) == pc_value(0)", [1, 0, 1, 0]),
    ];
    for (formula, expected) in table {
        let [sum, dual] = values(CHANNELS, formula, Sum);
        let [max, max_dual] = values(CHANNELS, formula, Max);
        let found = [sum, dual, max, max_dual].map(|value| value.unwrap_or(never));
        assert_eq!(found, expected, "{formula}");
    }
}

#[test]
fn a_location_behind_the_process_is_never_reached_again() {
    assert_eq!(values(CHANNELS, "Sender@wait && Other@one", Sum)[0], Some(0));
    let ahead = CHANNELS.replace("q!red(1);", "start: q!red(1);");
    assert_eq!(values(&ahead, "Sender@start", Sum)[0], None);
    assert_eq!(values(&ahead, "Sender@start", Max)[0], None);
}

#[test]
fn lower_bounds_of_channels_hold_although_steps_do_more_than_one_thing() {
    // One step sends twice, one adds a message in front, and one replaces the channel.
    for (statement, formula, expected) in [
        ("d_step { r!1; r!2 }", "full(r)", 1),
        ("r!!1", "q?[green,3]", 1),
        ("q = r", "empty(q)", 1),
        ("x = 4", "full(r)", 2),
    ] {
        let text = format!("{CHANNELS} active proctype Another() {{ {statement} }}");
        assert_eq!(values(&text, formula, Max)[0], Some(expected), "{statement}");
    }
}

#[test]
fn a_process_may_die_and_come_back_as_another() {
    let model = read(
        "byte x;
         proctype Short() { skip }
         proctype Long() { skip; skip; skip; there: skip }
         init { run Short(); run Long(); x = 1 }
         ltl never_there { [] !(Long[1]@there) }",
    );
    let interpreter = interpreter(&model);
    let target = Target::Invariant(atoms(&model).remove(0).negated());
    let graph = ReachabilityGraph::explore(&interpreter, &target, SMALL).expect("small");
    assert!(assert_admissible("created", &interpreter, &target, &graph));
}

#[test]
fn an_invariant_whose_evaluation_may_fault_is_one_step_from_its_violation() {
    for condition in ["10 / x > 2", "flags[x] == 0", "len(c) == 0"] {
        let mut loaded = load(
            "byte x = 1; bool flags[3]; chan c = [2] of { byte }; chan none;
             active proctype P() { x++; x++; c = none; x = 0 }",
        );
        let property = loaded.resolve(&Question::invariant(condition)).expect("an expression").remove(0);
        let PropertyKind::Invariant(atom) = property.kind else { panic!("{property:?}") };
        let model = loaded.processes().expect("a process model");
        let interpreter = interpreter(model);
        let target = Target::Invariant(atom.expr().clone());
        let graph = ReachabilityGraph::explore(&interpreter, &target, SMALL).expect("small");
        assert!(graph.distance(0).is_some(), "{condition}");
        assert!(assert_admissible(condition, &interpreter, &target, &graph));
    }
}

#[test]
fn an_assertion_fails_at_its_location_when_its_condition_is_false() {
    let text = "byte x, y;
        proctype Late() { skip; assert(y == 0) }
        active proctype P() { skip; skip; assert(x < 3 || y > 0) }";
    // Two steps to the location, three to the condition, and the assertion itself; or a new process in three steps.
    for (run, expected) in [("", [6, 3]), ("init { run Late() }", [3, 3])] {
        let model = read(&format!("{text} {run}"));
        let interpreter = interpreter(&model);
        let initial = interpreter.initial().expect("it starts");
        let found = [Sum, Max].map(|form| heuristic(&interpreter, &Target::Assertion, form).of_state(&initial, NONE));
        assert_eq!(found, expected, "{run}");
    }
}

/// The values of the deadlock formula in the initial state: sum, maximum.
fn deadlock(text: &str) -> [u32; 2] {
    let model = read(text);
    let interpreter = interpreter(&model);
    let initial = interpreter.initial().expect("it starts");
    [Sum, Max].map(|form| heuristic(&interpreter, &Target::Deadlock, form).of_state(&initial, NONE))
}

#[test]
fn a_deadlock_needs_every_process_at_a_dangerous_location_with_nothing_executable() {
    for (text, expected) in [
        // Two steps to the condition, which is false there.
        ("bool go; active proctype P() { skip; skip; (go); skip }", [2, 2]),
        ("bool go = true; active proctype P() { skip; skip; (go); skip }", [3, 2]),
        ("bool go; active [2] proctype P() { skip; skip; (go); skip }", [4, 2]),
        // Every alternative has to be disabled, and an alternative that always can be executed is no danger.
        ("bool a = 1, b = 1; active proctype P() { do :: a -> skip :: b -> skip od }", [2, 1]),
        ("bool a; active proctype P() { skip; if :: a :: skip fi; (a); (a) }", [2, 2]),
        // Channels.
        ("chan c = [3] of { byte }; active proctype P() { do :: c!1 od }", [3, 3]),
        ("chan c = [3] of { byte }; active proctype P() { do :: c?1 :: c?_ od }", [0, 0]),
        // A rendezvous is executable if both are there with the same message.
        ("chan c = [0] of { byte }; active proctype A() { do :: c!1 od } active proctype B() { do :: c?1 od }", [2, 1]),
        ("chan c = [0] of { byte }; active proctype A() { do :: c!1 od } active proctype B() { do :: c?2 od }", [0, 0]),
        (
            "chan c = [0] of { byte }; active proctype A() { do :: c!1 od } active [3] proctype B() { do :: c?_ od }",
            [6, 1],
        ),
        // A valid end is not dangerous while another location is; at the end of a process it is.
        ("bool go; active proctype P() { end: (go); (!go); skip }", [2, 0]),
        ("active proctype P() { skip; skip }", [3, 2]),
        // `timeout` is true in a deadlock, so this process is never blocked: the greatest values.
        ("bool go; active proctype P() { do :: (go || timeout) od }", [5, 2]),
        ("bool go; active proctype P() { do :: (go && timeout) od }", [0, 0]),
        ("bool go; active proctype P() provided (go) { do :: skip od }", [0, 0]),
    ] {
        assert_eq!(deadlock(text), expected, "{text}");
    }
}

#[test]
fn philosophers_reach_for_the_second_fork() {
    let model = super::model("philosophers");
    let interpreter = interpreter(&model);
    let sum = heuristic(&interpreter, &Target::Deadlock, Sum);
    let graph = ReachabilityGraph::explore(&interpreter, &Target::Deadlock, SMALL).expect("small");
    let mut state = interpreter.initial().expect("it starts");
    let initial = sum.of_state(&state, NONE);
    let goals: Vec<usize> = (0..graph.len()).filter(|&n| graph.distance(n) == Some(0)).collect();
    assert!(!goals.is_empty());
    for goal in goals {
        let claim = graph.load(&interpreter, goal, &mut state);
        assert_eq!(sum.of_state(&state, claim), 0, "in a deadlock nothing is left to do");
    }
    assert!(initial >= 2, "{initial}");
}

#[test]
fn labels_say_which_locations_are_dangerous() {
    let text = "bool go = true; active proctype P() { skip; (go); skip; LABEL: (go); skip }";
    let model = |label: &str| read(&text.replace("LABEL", label));
    let value = |label: &str, prefix: Option<&str>| {
        let model = model(label);
        let interpreter = interpreter(&model);
        let (heuristic, notes) =
            FormulaHeuristic::deadlock(&interpreter, prefix, Sum).expect("labels that can be used");
        (heuristic.of_state(&interpreter.initial().expect("it starts"), NONE), notes)
    };
    let note = |count: u32, how: &str| vec![format!("P: {count} dangerous locations, {how}")];
    assert_eq!(value("there", None), (2, note(2, "inferred")));
    assert_eq!(value("danger_ahead", None), (4, note(1, "labelled")));
    assert_eq!(value("stuck", Some("stuck")), (4, note(1, "labelled")));
    let refused = |label: &str, prefix: Option<&str>| {
        let model = model(label);
        FormulaHeuristic::deadlock(&interpreter(&model), prefix, Sum).expect_err("it is refused")
    };
    assert_eq!(refused("there", Some("stuck")), "no label begins with `stuck`");
    let blocks_nowhere = read("active proctype P() { dangerous: skip; (false) }");
    let why = FormulaHeuristic::deadlock(&interpreter(&blocks_nowhere), None, Sum).expect_err("it is refused");
    assert_eq!(why, "P cannot block at the label `dangerous`");
    // Labels are no lower bound, so the maximum form ignores them.
    let model = model("danger");
    let interpreter = interpreter(&model);
    let (heuristic, notes) = FormulaHeuristic::deadlock(&interpreter, None, Max).expect("labels do not matter");
    assert_eq!((heuristic.of_state(&interpreter.initial().expect("it starts"), NONE), notes), (1, Vec::new()));
}

#[test]
fn claims_have_the_guards_of_their_next_step() {
    let model = read(
        "byte x; active proctype P() { do :: x < 20 -> x++ od }
         never { do :: x < 7 :: x == 7 -> break od }",
    );
    let claim = model.process_types.iter().position(|p| p.role == lurcher_ir::ProcessRole::Claim).expect("a claim");
    let id = lurcher_ir::ProcessTypeId(claim as u16);
    let target = Target::Claim(lurcher_search::Claim::Alone(id));
    let interpreter = interpreter(&model);
    let heuristic = FormulaHeuristic::new(&interpreter, &target, Sum).expect("a claim with guards");
    let mut state = interpreter.initial().expect("it starts");
    let at = model.process_type(id).initial;
    let mut values = Vec::new();
    for _ in 0..7 {
        values.push(heuristic.of_state(&state, at));
        let mut moves = Vec::new();
        for _ in 0..2 {
            interpreter.moves(&state, &mut moves);
            interpreter.apply(&mut state, &moves[0]);
        }
    }
    assert!(values.is_sorted_by(|a, b| a > b), "each step of the counter is progress: {values:?}");
    let refused = FormulaHeuristic::new(&interpreter, &target, Max).expect_err("no lower bound");
    assert!(refused.contains("a claim may move after the system has stopped"));
}
