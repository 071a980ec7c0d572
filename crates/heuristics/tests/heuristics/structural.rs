use lurcher_heuristics::Target;
use lurcher_heuristics::registry::Settings;
use lurcher_search::{Guidance, History};
use lurcher_system::{Interpreter, ProcessId, State};

use super::{NONE, interpreter, read, registered};

/// The state after the first move of each of these processes, one after the other.
fn after(interpreter: &Interpreter<'_>, movers: &[u16]) -> State {
    let mut state = interpreter.initial().expect("it starts");
    let mut moves = Vec::new();
    for &process in movers {
        interpreter.moves(&state, &mut moves);
        let own = moves.iter().find(|m| m.process == ProcessId(process)).expect("it can move");
        assert!(interpreter.apply(&mut state, own).is_none());
    }
    state
}

/// The value of the state after these moves, and the greatest value.
fn value(name: &str, text: &str, movers: &[u16]) -> (u32, u32) {
    let model = read(text);
    let interpreter = interpreter(&model);
    let guide = registered(name, &interpreter, &Target::Assertion, &Settings::default()).expect("a guide").guide;
    assert!(!guide.admissible());
    (guide.of_state(&after(&interpreter, movers), NONE), guide.max())
}

#[test]
fn processes_that_wait_are_blocked_and_those_that_have_ended_are_not() {
    let meeting = "chan c = [0] of { byte };
        active proctype A() { c!1 }
        active proctype B() { byte x; c?x }
        active proctype C() { false }";
    // Before the rendezvous both sides can move. Afterwards both have ended and cannot die, because C is younger.
    assert_eq!(value("most-blocked", meeting, &[]), (2, 3));
    assert_eq!(value("most-blocked", meeting, &[0]), (2, 3));
    let lone = "chan c = [0] of { byte }; byte x; active proctype A() { x = 1; c!1 } active proctype B() { c!2 }";
    assert_eq!(value("most-blocked", lone, &[]), (1, 2));
    assert_eq!(value("most-blocked", lone, &[0]), (0, 2));
    let creator = "byte x; proctype P() { false } init { run P(); run P(); x = 1 }";
    assert_eq!(value("most-blocked", creator, &[0, 0]), (253, 255));
}

#[test]
fn exclusive_control_blocks_nobody_and_takes_no_choice_away() {
    let text = "byte x, y;
        active proctype A() { atomic { x = 1; if :: x = 2 :: x = 3 fi; x = 4 } }
        active proctype B() { if :: y = 1 :: y = 2 fi }";
    assert_eq!(value("most-blocked", text, &[0]), (2, 2));
    assert_eq!(value("choose-free", text, &[0]), (2, 2));
}

#[test]
fn choices_are_branches_of_one_process() {
    let branches = "byte x;
        active proctype P() { if :: x = 1 :: x = 2 fi }
        active proctype Q() { do :: x == 0 -> x = 3 :: x > 1 -> x = 4 od }
        active proctype R() { x = 5 }";
    // Q has one enabled branch, whatever x is.
    assert_eq!(value("choose-free", branches, &[]), (1, 3));
    assert_eq!(value("choose-free", branches, &[0]), (0, 3));
    let partners = "chan c = [0] of { byte };
        active proctype S() { c!1 }
        active [2] proctype R() { byte x; c?x }
        active proctype T() { byte x; if :: c?x :: c?1 fi }";
    // Which receiver takes part is no choice of the sender; which of its receives is one of T.
    assert_eq!(value("choose-free", partners, &[]), (1, 4));
}

/// The history of these moves, the latest last.
fn history(movers: &[u16]) -> History {
    movers.iter().fold(History::default(), |history, &process| history.after(ProcessId(process)))
}

#[test]
fn moves_of_the_process_that_moved_last_make_a_schedule_worse() {
    let model = read("byte x; active [3] proctype P() { do :: x = 1 od }");
    let interpreter = interpreter(&model);
    let guide =
        registered("interleaving", &interpreter, &Target::Deadlock, &Settings::default()).expect("a guide").guide;
    assert!(guide.looks_back() && !guide.admissible());
    let state = interpreter.initial().expect("it starts");
    let value = |movers: &[u16]| guide.of_state_after(&state, NONE, history(movers));
    assert_eq!([value(&[]), value(&[0]), value(&[0, 1, 2])], [0, 0, 0]);
    assert_eq!([value(&[1, 1]), value(&[1, 0, 1]), value(&[1, 0, 2, 1])], [7 * 3, 6 * 3, 5 * 3]);
    assert_eq!(value(&[1, 1, 1]), (7 + 6) * 3);
    // Older moves are forgotten.
    assert_eq!([value(&[1, 0, 0, 0, 0, 0, 0, 1]), value(&[1, 0, 0, 0, 0, 0, 0, 0, 1])], [3, 0]);
    assert_eq!((value(&[1; 20]), guide.max()), ((7 + 6 + 5 + 4 + 3 + 2 + 1) * 3, 28 * 3));
}

#[test]
fn states_behind_moves_of_preferred_types_come_first() {
    let model = read(
        "byte x; active [2] proctype P() { x = 1 } active proctype Queue() { x = 2 } active proctype R() { x = 3 }",
    );
    let interpreter = interpreter(&model);
    let build = |names: &[&str]| {
        let settings = Settings { prefer: names.iter().map(|&n| n.to_owned()).collect(), ..Settings::default() };
        registered("prefer-threads", &interpreter, &Target::Deadlock, &settings).map_err(|why| why.to_string())
    };
    let state = interpreter.initial().expect("it starts");
    let guide = build(&["P", "R"]).expect("a guide").guide;
    assert!(guide.looks_back() && !guide.admissible());
    let value = |movers: &[u16]| guide.of_state_after(&state, NONE, history(movers));
    assert_eq!([value(&[]), value(&[0]), value(&[1]), value(&[2]), value(&[3]), value(&[3, 2])], [1, 0, 0, 1, 0, 1]);
    // Process 9 is dead.
    assert_eq!(value(&[9]), 1);
    let refused = |names: &[&str]| build(names).expect_err("no guide");
    assert_eq!(refused(&[]), "--prefer has to name the process types whose moves come first");
    assert_eq!(refused(&["P", "Queu"]), "there is no process type `Queu`; did you mean `Queue`?");
}

#[test]
fn structural_guides_are_read_from_no_file() {
    let model = read("active proctype P() { skip }");
    let settings = Settings { prefer: vec!["P".to_owned()], text: Some(String::new()), ..Settings::default() };
    for name in ["most-blocked", "choose-free", "interleaving", "prefer-threads"] {
        let refused = registered(name, &interpreter(&model), &Target::Deadlock, &settings).expect_err("no guide");
        assert_eq!(refused.to_string(), "it is computed from the state, and read from no file", "{name}");
    }
}
