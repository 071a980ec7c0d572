//! SMV models on the command line, as a user meets them.

mod support;

use serde_json::Value;

use support::{model, run, run_json, run_with, scratch, scratch_file};

#[test]
fn every_engine_of_verify_gives_the_same_verdict_and_the_same_shortest_length() {
    let mutex = model("mutex-flawed-4.smv");
    for engine in ["auto", "bdd", "bfs"] {
        let (status, object) = run_json(&["verify", &mutex, "--property", "exclusion", "--engine", engine]);
        assert_eq!((status, object["verdict"].as_str()), (1, Some("violated")), "{engine}");
        assert_eq!((object["trace"]["length"].as_u64(), object["trace"]["optimal"].as_bool()), (Some(6), Some(true)));
    }
    for engine in ["bdd", "bfs", "dfs"] {
        let model = model("mutex-4.smv");
        let args = ["verify", &model, "--property", "deadlock", "--engine", engine, "--reduction", "none"];
        let (status, object) = run_json(&args);
        assert_eq!((status, object["verdict"].as_str(), object["complete"].as_bool()), (0, Some("holds"), Some(true)));
        assert_eq!(object["states"]["stored"], 48, "{engine}");
    }
}

#[test]
fn every_engine_of_hunt_finds_the_violation_and_its_trace_replays() {
    let mutex = model("mutex-flawed-4.smv");
    let engines = ["auto", "walk", "trail", "bfs", "lurch", "bdd", "sgmc", "symbolic-walk", "symbolic-trail"];
    for engine in engines {
        let file = scratch(&format!("{engine}.json")).display().to_string();
        let args = ["hunt", &mutex, "--property", "exclusion", "--engine", engine, "--time", "60s", "--trace", &file];
        let (status, object) = run_json(&args);
        assert_eq!((status, object["verdict"].as_str()), (1, Some("violated")), "{engine}");
        let (status, object) = run_json(&["replay", &mutex, &file]);
        assert_eq!((status, object["verdict"].as_str()), (1, Some("violated")), "{engine}");
        assert_eq!(object["property"]["name"], "exclusion");
    }
}

#[test]
fn the_cone_of_influence_is_named_and_can_be_turned_off() {
    let counter = model("counter-up-down.smv");
    let asked = |args: &[&str]| {
        let (status, object) = run_json(&[args, &[&counter, "--property", "never_top"]].concat());
        assert_eq!(status, 1, "{args:?}");
        object["reduction"].clone()
    };
    for engine in ["bdd", "bfs"] {
        assert_eq!(asked(&["verify", "--engine", engine]), "cone-of-influence", "{engine}");
    }
    assert_eq!(asked(&["verify", "--reduction", "none"]), Value::Null);
    for engine in ["auto", "walk", "sgmc", "symbolic-trail"] {
        assert_eq!(asked(&["hunt", "--engine", engine]), "cone-of-influence", "{engine}");
    }
    // LURCH watches all invariants in one search of the whole model, and mutual exclusion reads all of it.
    assert_eq!(asked(&["hunt", "--engine", "lurch"]), Value::Null);
    let (_, whole) = run_json(&["verify", &model("mutex-flawed-4.smv"), "--property", "exclusion"]);
    assert_eq!(whole["reduction"], Value::Null);
}

#[test]
fn guided_walks_name_their_guide() {
    let mutex = model("mutex-flawed-8.smv");
    for engine in ["walk", "trail", "symbolic-trail"] {
        let args = ["hunt", &mutex, "--property", "exclusion", "--engine", engine, "--guide", "abstraction"];
        let (status, object) = run_json(&args);
        assert_eq!((status, object["guide"].as_str()), (1, Some("abstraction (auto)")), "{engine}");
    }
}

#[test]
fn formulas_from_the_command_line_are_checked() {
    let mutex = model("mutex-flawed-4.smv");
    let asked = [
        ("--invariant", "!(u0.state = critical & u1.state = critical)", "violated"),
        ("--ltl", "G (u0.state = critical -> O u0.state = trying)", "holds"),
        ("--ltl", "G F u0.state = critical", "violated"),
        ("--ctl", "AG EF u0.state = critical", "holds"),
        ("--ctl", "AF u0.state = critical", "violated"),
    ];
    for (option, formula, verdict) in asked {
        let (_, object) = run_json(&["verify", &mutex, option, formula]);
        assert_eq!(object["verdict"], verdict, "{formula}");
    }
    let (status, _, err) = run(&["verify", &mutex, "--ltl", "G u0.sate = critical"]);
    assert_eq!(status, 2);
    assert!(err.contains("sate"), "{err}");
}

#[test]
fn a_trace_that_was_changed_does_not_replay() {
    let mutex = model("mutex-flawed-4.smv");
    let file = scratch("changed.json");
    let path = file.display().to_string();
    let (status, ..) = run(&["verify", &mutex, "--property", "exclusion", "--trace", &path]);
    assert_eq!(status, 1);
    let text = std::fs::read_to_string(&file).expect("a trace");
    std::fs::write(&file, text.replacen("\"trying\"", "\"critical\"", 1)).expect("it can be written");
    let (status, _, err) = run(&["replay", &mutex, &path]);
    assert_eq!(status, 2);
    assert!(err.contains("cannot follow"), "{err}");
    std::fs::write(&file, "{}").expect("it can be written");
    assert_eq!(run(&["replay", &mutex, &path]).0, 2);
}

#[test]
fn simulate_offers_initial_states_and_steps_and_takes_them_back() {
    let mutex = model("mutex-flawed-4.smv");
    let (status, out, _) = run_with(&["simulate", &mutex, "--interactive"], "1\n1\nv\nu\nu\nu\nnonsense\nq\n");
    assert_eq!(status, 0);
    assert!(out.contains("initial states") && out.contains("step 1") && out.contains("this is the start"), "{out}");
    let (status, out, _) = run(&["simulate", &mutex, "--steps", "5", "--seed", "3"]);
    assert_eq!(status, 0);
    assert_eq!(out, run(&["simulate", &mutex, "--steps", "5", "--seed", "3"]).1, "a seed is a run");
    assert!(out.contains("stopped after 5 steps"), "{out}");
}

#[test]
fn analyze_shows_the_layers_of_a_property() {
    let (status, object) = run_json(&["analyze", &model("flight-guidance.smv"), "--property", "at_most_one_lateral"]);
    assert_eq!(status, 0);
    let property = &object["properties"][0];
    let layers = property["layers"].as_array().expect("layers");
    assert!(layers.len() >= 2 && !property["outside"].as_array().expect("a list").is_empty(), "{property}");
}

#[test]
fn errors_of_a_model_are_reported_with_their_place() {
    let file = scratch("wrong.smv");
    std::fs::write(&file, "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := x + 1;\n  init(y) := 0;\n").expect("written");
    let (status, _, err) = run(&["verify", &file.display().to_string()]);
    assert_eq!(status, 2);
    assert!(err.contains("wrong.smv:4") && err.contains('y'), "{err}");
    std::fs::write(&file, "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := x + 1;\n").expect("written");
    let (status, _, err) = run(&["verify", &file.display().to_string()]);
    assert_eq!(status, 2);
    assert!(err.contains("wrong.smv:3") && err.contains('4'), "{err}");
}

#[test]
fn options_of_the_other_language_are_refused() {
    let mutex = model("mutex-flawed-4.smv");
    for args in [&["--fair"][..], &["--no-claims"], &["--trail", "x.trail"]] {
        let (status, _, err) = run(&[&["verify", mutex.as_str()], args].concat());
        assert_eq!(status, 2, "{args:?}");
        assert!(err.contains("Promela"), "{err}");
    }
}

#[test]
fn a_simulation_reports_violated_invariants_and_its_run_can_be_saved() {
    let counter = scratch_file(
        "counter.smv",
        "MODULE main\nVAR n : 0..9;\nASSIGN init(n) := 0; next(n) := (n + 1) mod 10;\nINVARSPEC NAME small := n < 4;\n",
    );
    let (path, trace) = (counter.display().to_string(), scratch_file("counter.json", "").display().to_string());
    let (status, out, _) = run(&["simulate", &path, "--trace", &trace]);
    assert_eq!(status, 1);
    assert!(out.contains("the invariant `small` does not hold") && out.contains("  n = 4"), "{out}");
    let (status, out, err) = run(&["replay", &path, &trace]);
    assert_eq!(status, 1, "{err}");
    assert!(out.contains("shows a violation of small"), "{out}");
    let (status, out, _) = run(&["simulate", &path, "--follow", &trace]);
    assert_eq!(status, 0);
    assert!(out.contains("→ n = 4"), "{out}");
}

#[test]
fn the_menu_runs_many_steps_explains_wrong_answers_and_saves() {
    let counter =
        scratch_file("menu.smv", "MODULE main\nVAR n : 0..9;\nASSIGN init(n) := 0; next(n) := (n + 1) mod 10;\n");
    let (path, trace) = (counter.display().to_string(), scratch_file("menu.json", "").display().to_string());
    let commands = format!("1\n7\nr 5\nr x\ns\ns {trace}\nblah\nq\n");
    let (status, out, _) = run_with(&["simulate", &path, "--interactive"], &commands);
    assert_eq!(status, 0);
    for said in [
        "there is no step 7; take 1 to 1",
        "→ n = 5",
        "`x` is no number of steps",
        "is missing",
        "`blah` is no command",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    assert_eq!(run(&["replay", &path, &trace]).0, 0);
}

#[test]
fn paths_that_end_before_their_first_step_do_not_outlast_the_time() {
    // No state has a successor, so that LURCH's paths never take a step.
    let stuck = scratch_file("stuck.smv", "MODULE main\nVAR n : 0..3;\nINIT n = 0\nTRANS FALSE\nINVARSPEC n < 4;\n");
    let started = std::time::Instant::now();
    let args = ["hunt", &stuck.display().to_string(), "--engine", "lurch", "--time", "1s"];
    assert_eq!(run(&args).0, 0);
    assert!(started.elapsed() < std::time::Duration::from_secs(30));
}

#[test]
fn walks_through_states_with_more_successors_than_can_be_listed_are_reported_as_found() {
    let text =
        "MODULE main\nVAR a : array 0..39 of boolean;\nTRANS next(a[0]) != a[0]\nINVARSPEC !(a[0] & a[1] & a[2])\n";
    let wide = scratch_file("wide.smv", text).display().to_string();
    for engine in ["walk", "trail", "lurch"] {
        let (status, out, err) = run(&["hunt", &wide, "--engine", engine, "--time", "30s"]);
        assert_eq!(status, 1, "{engine}: {out}{err}");
    }
}
