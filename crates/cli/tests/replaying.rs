//! A trace records all that its replay needs.

mod support;

use support::{model, run, run_json, run_with, scratch_file};

/// Checks a model, writes the trace and replays it without any other option.
fn replayed(path: &str, args: &[&str]) -> (i32, String, String) {
    let name = format!("replayed-{:?}.json", std::thread::current().id());
    let trace = scratch_file(&name, "").display().to_string();
    let (status, out, err) = run(&[&["verify", path, "--trace", &trace], args].concat());
    assert_eq!(status, 1, "{args:?}: {out}{err}");
    run(&["replay", path, &trace])
}

#[test]
fn formulas_and_invariants_of_the_command_line_are_found_again() {
    let path = scratch_file("count.pml", "byte x; active proctype P() { do :: x < 3 -> x++ :: x = 0 od }");
    let path = path.display().to_string();
    for args in [["--ltl", "[] (x < 2)"], ["--ltl", "<> (x == 3)"], ["--invariant", "x < 3"]] {
        let (status, out, err) = replayed(&path, &args);
        assert_eq!((status, err.as_str()), (1, ""), "{args:?}: {out}");
    }
    let several = ["--invariant", "x < 9", "--invariant", "x < 2"];
    let (status, out, _) = replayed(&path, &several);
    assert!(status == 1 && out.contains("a violation of invariant_1"), "{out}");
    let smv = model("mutex-flawed-4.smv");
    for args in [["--ltl", "G u1.state != critical"], ["--invariant", "u1.state != critical"]] {
        let (status, out, err) = replayed(&smv, &args);
        assert_eq!((status, err.as_str()), (1, ""), "{args:?}: {out}");
    }
}

#[test]
fn definitions_are_those_of_the_trace() {
    let (status, out, err) = replayed(&model("philosophers.pml"), &["-D", "N=6"]);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("Philosopher[5]"), "{out}");
}

#[test]
fn lost_messages_are_lost_again() {
    let path = scratch_file("lossy.pml", "chan c = [1] of { byte }; active proctype P() { c!1; c!2; assert(false) }");
    let (status, out, err) = replayed(&path.display().to_string(), &["--message-loss"]);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
}

#[test]
fn a_changed_model_is_named_as_the_reason() {
    let path = scratch_file("changing.pml", "byte x; active proctype P() { x = 1; assert(x == 0) }");
    let (path, trace) = (path.display().to_string(), scratch_file("changing.json", "").display().to_string());
    run(&["verify", &path, "--trace", &trace]);
    std::fs::write(&path, "byte x; active proctype P() { x = 1; assert(x == 0) } /* a remark */")
        .expect("a scratch file");
    let (status, _, err) = run(&["replay", &path, &trace]);
    assert!(status == 1 && err.contains("changing.pml has changed since the trace was written"), "{err}");
    std::fs::write(&path, "byte x; active proctype P() { false }").expect("a scratch file");
    let (status, _, err) = run(&["replay", &path, &trace]);
    assert!(status == 2 && err.contains("changing.pml has changed since the trace was written"), "{err}");
}

#[test]
fn the_model_and_the_definitions_of_the_trace_are_named_where_they_differ() {
    let write = |name: &str, text: &str| scratch_file(name, text).display().to_string();
    let counter = write("counter.pml", "byte x; active proctype P() { x = 1; assert(x == 0) }");
    let remarked = write("remarked.pml", "byte x; active proctype P() { x = 1; assert(x == 0) } /* */");
    let trace = write("counter.json", "");
    run(&["verify", &counter, "--trace", &trace]);
    let (status, again) = run_json(&["replay", &remarked, &trace]);
    let warnings = again["warnings"].as_array().cloned().unwrap_or_default();
    let said = warnings.first().and_then(|w| w.as_str()).unwrap_or_default();
    assert!(
        status == 1 && said.contains("counter.pml, whose text differs from ") && said.contains("remarked.pml"),
        "{again}"
    );

    let smv = "MODULE main\nDEFINE N := 4;\nVAR x : 0..10;\nASSIGN init(x) := 0; next(x) := x < N ? x + 1 : x;\nINVARSPEC x < 3";
    let (smv, states) = (write("counter.smv", smv), write("counter-smv.json", ""));
    run(&["verify", &smv, "-D", "N=7", "--trace", &states]);
    let (status, _, err) = run(&["replay", &smv, &states, "-D", "N=1"]);
    assert!(status == 2 && err.contains("the trace was made with --define N=7"), "{err}");
    let (_, _, err) = run(&["replay", &counter, &states]);
    assert!(err.contains("it is a trace of an SMV model"), "{err}");
    let (_, _, err) = run(&["replay", &smv, &trace]);
    assert!(err.contains("it is a trace of a Promela model"), "{err}");
}

#[test]
fn formulas_of_the_command_line_are_shown() {
    let path = scratch_file("shown.pml", "byte x; active proctype P() { do :: x < 3 -> x++ :: x = 0 od }");
    let (path, trace) = (path.display().to_string(), scratch_file("shown.json", "").display().to_string());
    let (_, out, _) = run(&["verify", &path, "--ltl", "[] (x < 2)", "--ltl", "[] (x <  9)", "--trace", &trace]);
    assert!(out.contains(": violated — ltl ltl_0: [] (x < 2)\n"), "{out}");
    assert!(out.contains(": holds — ltl ltl_1: [] (x < 9)\n"), "{out}");
    let (_, out, _) = run(&["replay", &path, &trace]);
    assert!(out.contains("a violation of ltl_0: [] (x < 2)") || out.contains("violates ltl_0: [] (x < 2)"), "{out}");
    let asserting =
        scratch_file("asserting-replay.pml", "byte x; init { x = 1; assert(x == 0) }").display().to_string();
    run(&["verify", &asserting, "--trace", &trace]);
    let (_, out, _) = run(&["replay", &asserting, &trace]);
    assert!(out.contains("a violation of safety: assert(x == 0)"), "{out}");
}

#[test]
fn a_trail_is_judged_by_what_was_stated() {
    let path =
        scratch_file("rounds.pml", "byte x; active proctype P() { do :: x = 1 :: x = 0 od }").display().to_string();
    let trail = scratch_file("rounds.trail", "").display().to_string();
    let (status, out, err) = run(&["verify", &path, "--ltl", "<> [] (x == 1)", "--trail", &trail]);
    assert_eq!(status, 1, "{out}{err}");
    let (_, out, err) = run(&["replay", &path, &trail]);
    assert!(!out.contains("non-progress") || err.contains("judged by non-progress"), "{out}{err}");
    let (status, out, err) = run(&["replay", &path, &trail, "--ltl", "<> [] (x == 1)"]);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("the cycle violates ltl: <> [] (x == 1)"), "{out}");
}

#[test]
fn a_trace_may_come_from_standard_input() {
    let path = scratch_file("piped.pml", "init { assert(false) }").display().to_string();
    let (_, trace, _) = run(&["verify", &path, "--trace", "-"]);
    let (status, out, err) = run_with(&["replay", &path, "-"], &trace);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    let (status, _, err) = run_with(&["replay", "-", "-"], &trace);
    assert!(status == 2 && err.contains("only one of the model and the trace"), "{err}");
}
