//! The program as its users meet it: arguments in, text or JSON and an exit status out.

mod support;

use std::process::Output;

use serde_json::Value;

use support::{errors, json, lurcher, model, run_with, scratch_file, text};

#[test]
fn hunting_the_philosophers_finds_their_deadlock() {
    let output = lurcher(&["hunt", &model("philosophers.pml")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("invalid end state"), "{}", text(&output));
    assert!(text(&output).contains("the shortest possible"));
}

#[test]
fn json_has_the_keys_of_the_contract() {
    let output = lurcher(&["verify", &model("philosophers.pml"), "--json", "--no-claims"]);
    assert_eq!(output.status.code(), Some(1));
    let object = json(&output);
    assert_eq!(object["tool"], "lurcher");
    assert_eq!(object["verdict"], "violated");
    assert_eq!(object["property"]["kind"], "deadlock");
    assert_eq!(object["trace"]["length"], 8);
    assert_eq!(object["trace"]["optimal"], true);
    for key in ["version", "model", "seed", "stop_reason", "complete", "engine", "guide", "walks", "steps", "states"] {
        assert!(object.get(key).is_some(), "no `{key}`");
    }
    for key in ["stored", "matched", "transitions", "expanded", "depth"] {
        assert!(object["states"][key].is_u64(), "no `states.{key}`");
    }
    for key in ["load", "compile", "guide", "search", "minimise", "total"] {
        assert!(object["time"][key].is_f64(), "no `time.{key}`");
    }
    assert!(object["memory_bytes"].is_u64());
}

#[test]
fn the_reduction_is_named_and_can_be_turned_off() {
    let asked = |more: &[&str]| {
        let output = lurcher(&[["verify", &model("elevator.pml"), "--no-claims", "--json"].as_slice(), more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        json(&output)
    };
    let (reduced, full) = (asked(&[]), asked(&["--reduction", "none"]));
    assert_eq!(reduced["reduction"], "partial-order");
    assert_eq!(full["reduction"], Value::Null);
    assert_eq!(full["states"]["stored"], 17664);
    assert!(reduced["states"]["stored"].as_u64() < Some(10_000));
    let output = lurcher(&["verify", &model("priority-inversion.pml"), "--no-claims"]);
    assert!(text(&output).contains("no partial-order reduction: priorities"), "{}", text(&output));
}

#[test]
fn several_properties_are_several_results_with_the_violated_one_first() {
    let output = lurcher(&["verify", &model("peterson.pml"), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let object = json(&output);
    assert_eq!(object["property"]["name"], "turns");
    assert_eq!(object["results"].as_array().map(Vec::len), Some(4));
}

#[test]
fn weak_fairness_changes_the_answer_where_it_should() {
    let output = lurcher(&["verify", &model("peterson.pml"), "--property", "turns", "--fair"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("holds"));
    assert!(text(&output).contains("under weak fairness"));
}

#[test]
fn formulas_and_invariants_come_from_the_command_line_too() {
    let path = scratch_file("steps.pml", "byte x; active proctype P() { x = 1; x = 2; x = 3 }");
    let path = path.display().to_string();
    let verdict = |args: &[&str]| {
        let all: Vec<&str> = ["verify", &path].into_iter().chain(args.iter().copied()).collect();
        lurcher(&all).status.code()
    };
    assert_eq!(verdict(&["--ltl", "X (x == 1) && X X (x == 2)"]), Some(0));
    assert_eq!(verdict(&["--ltl", "X (x == 2)"]), Some(1));
    assert_eq!(verdict(&["--ltl", "<> [] (x == 3)"]), Some(0));
    assert_eq!(verdict(&["--invariant", "x < 4"]), Some(0));
    assert_eq!(verdict(&["--invariant", "x < 3"]), Some(1));
    assert_eq!(verdict(&["--invariant", "y < 3"]), Some(2));
}

#[test]
fn a_define_overrides_the_model() {
    let stored = |n: &str| {
        let define = format!("N={n}");
        let output = lurcher(&["verify", &model("philosophers.pml"), "--define", &define, "--all-errors", "--json"]);
        json(&output)["states"]["stored"].as_u64().expect("a number")
    };
    assert!(stored("2") < stored("3"));
    assert!(stored("3") < stored("5"));
}

#[test]
fn traces_written_as_json_and_as_trails_replay_to_the_same_violation() {
    for (name, property) in [("philosophers.pml", "safety"), ("peterson.pml", "turns"), ("leader-flawed.pml", "safety")]
    {
        let trace = scratch_file(&format!("{name}.json"), "");
        let trail = scratch_file(&format!("{name}.trail"), "");
        let (trace, trail) = (trace.display().to_string(), trail.display().to_string());
        let found =
            lurcher(&["verify", &model(name), "--property", property, "--json", "--trace", &trace, "--trail", &trail]);
        let found = json(&found);
        for file in [&trace, &trail] {
            let output = lurcher(&["replay", &model(name), file, "--json"]);
            assert_eq!(output.status.code(), Some(1), "{name}: {}", errors(&output));
            let again = json(&output);
            assert_eq!(again["property"]["kind"], found["property"]["kind"], "{name}");
            assert_eq!(again["trace"]["length"], found["trace"]["length"], "{name}");
        }
    }
}

#[test]
fn replay_shortens_a_trace_to_the_length_of_breadth_first_search() {
    for (name, engine, property) in [
        ("philosophers.pml", "dfs", "safety"),
        ("peterson.pml", "dfs", "turns"),
        ("mutex-flawed-4.smv", "walk", "exclusion"),
    ] {
        let (path, command) = (model(name), if engine == "walk" { "hunt" } else { "verify" });
        let long = scratch_file(&format!("{name}.long.json"), "").display().to_string();
        let short = scratch_file(&format!("{name}.short.json"), "").display().to_string();
        let about = ["--property", property, "--json"];
        let found =
            lurcher(&[&[command, &path, "--engine", engine, "--no-minimise", "--trace", &long], &about[..]].concat());
        let found = json(&found)["trace"]["length"].as_u64().expect("a length");
        let output = lurcher(&["replay", &path, &long, "--shorten", "--json", "--to-json", &short]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", errors(&output));
        let shortened = json(&output)["trace"].clone();
        let length = shortened["length"].as_u64().expect("a length");
        assert!(length < found && shortened["found_length"] == found, "{name}: {found} to {length}");
        assert_eq!(json(&lurcher(&["replay", &path, &short, "--json"]))["trace"]["length"], length, "{name}");
        if property != "turns" {
            let shortest =
                json(&lurcher(&[&["verify", &path, "--engine", "bfs", "--reduction", "none"], &about[..]].concat()));
            assert_eq!(shortest["trace"]["length"], length, "{name}");
            assert_eq!(shortened["optimal"], true, "{name}");
        }
        let output = lurcher(&["replay", &path, &long, "--shorten=1000"]);
        assert!(text(&output).contains(" to ") && text(&output).contains("shortened from"), "{}", text(&output));
    }
}

#[test]
fn a_trail_that_does_not_fit_is_refused() {
    let nonsense = scratch_file("nonsense.trail", "1:0:0\n2:7:3\n3:0:1\n");
    let output = lurcher(&["replay", &model("philosophers.pml"), &nonsense.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("does not replay"), "{}", errors(&output));
    let garbage = scratch_file("garbage.trail", "hello\n");
    let output = lurcher(&["replay", &model("philosophers.pml"), &garbage.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("line 1"), "{}", errors(&output));
}

#[test]
fn bad_models_are_refused_with_every_error_at_its_place() {
    let path =
        scratch_file("bad.pml", "byte count;\nactive proctype P() { coumt = 1; goto nowhere }\nc_code { int x; }\n");
    let output = lurcher(&["verify", &path.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    let said = errors(&output);
    assert!(said.contains("embedded C (`c_code`) is not supported"), "{said}");
    let path = scratch_file("bad2.pml", "byte count;\nactive proctype P() { coumt = 1; goto nowhere }\n");
    let output = lurcher(&["verify", &path.display().to_string()]);
    let said = errors(&output);
    assert!(said.contains("bad2.pml:2:23") && said.contains("did you mean `count`?"), "{said}");
    assert!(said.contains("undefined label `nowhere`") && said.contains("2 errors"), "{said}");
}

#[test]
fn limits_stop_a_search_with_what_is_known() {
    for (memory, engine, stored) in [("200K", "bfs", 100), ("200K", "dfs", 100), ("2K", "bfs", 0), ("2K", "dfs", 0)] {
        let path = model("elevator.pml");
        let arguments =
            ["verify", &path, "--no-claims", "--reduction", "none", "--memory", memory, "--engine", engine, "--json"];
        let output = lurcher(&arguments);
        assert_eq!(output.status.code(), Some(3));
        let object = json(&output);
        assert_eq!(object["verdict"], "inconclusive");
        assert_eq!(object["stop_reason"], "memory");
        assert!(object["states"]["stored"].as_u64() >= Some(stored));
    }
    let output = lurcher(&["verify", &model("elevator.pml"), "--no-claims", "--depth", "3", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(json(&output)["stop_reason"], "depth");
    let output = lurcher(&["hunt", &model("elevator.pml"), "--no-claims", "--depth", "3"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output).contains("not proved"));
}

#[test]
fn a_simulation_is_the_same_for_the_same_seed() {
    let run = |seed: &str| text(&lurcher(&["simulate", &model("leader-ring.pml"), "--seed", seed, "--steps", "60"]));
    assert_eq!(run("3"), run("3"));
    assert_ne!(run("3"), run("4"));
}

#[test]
fn the_menu_takes_steps_and_undoes_them() {
    let args = ["simulate", &model("philosophers.pml"), "--interactive"];
    let (status, said, _) = run_with(&args, "1\n1\nv\nu\n99\nq\n");
    assert_eq!(status, 0);
    assert!(said.contains("step 2") && said.matches("step 1\n").count() >= 2, "{said}");
    assert!(said.contains("taken[3] = 1"), "{said}");
}

#[test]
fn all_errors_reports_one_for_each_kind_and_place() {
    let path = scratch_file(
        "two.pml",
        "byte x;\nactive proctype P() {\n  if\n  :: x = 1; assert(x == 0)\n  :: x = 2; assert(x == 1)\n  :: false\n  fi;\n  false\n}\n",
    );
    let output = lurcher(&["verify", &path.display().to_string(), "--all-errors", "--json"]);
    let results = json(&output)["results"].as_array().cloned().expect("several results");
    let kinds: Vec<&str> = results.iter().filter_map(|r| r["property"]["kind"].as_str()).collect();
    assert_eq!(kinds.iter().filter(|k| **k == "assertion").count(), 2, "{kinds:?}");
    assert!(kinds.contains(&"deadlock"), "{kinds:?}");
}

#[test]
fn traces_about_claims_are_shown_with_the_claim_counted() {
    // `_nr_pr` counts a claim, so the values in a trace depend on it.
    let text = "byte n; active proctype P() { n = _nr_pr; do :: skip od }\nltl p { [] (n < 2) }\n";
    let path = scratch_file("nr_pr.pml", text).display().to_string();
    let output = lurcher(&["verify", &path, "--property", "p"]);
    assert!(text_of_step(&output, "n = _nr_pr").contains("n = 2"), "{}", self::text(&output));
    let trace = scratch_file("nr_pr.json", "").display().to_string();
    lurcher(&["verify", &path, "--property", "p", "--trace", &trace]);
    let output = lurcher(&["replay", &path, &trace]);
    assert!(text_of_step(&output, "n = _nr_pr").contains("n = 2"), "{}", self::text(&output));
}

/// The line below the first line of a trace that contains a statement.
fn text_of_step(output: &Output, statement: &str) -> String {
    let all = text(output);
    all.lines().skip_while(|l| !l.contains(statement)).nth(1).unwrap_or_default().to_owned()
}

#[test]
fn an_option_without_the_one_it_needs_is_refused() {
    let file = model("philosophers.pml");
    for (command, given, needed) in [
        ("hunt", ["--load-guide", &file], "--guide NAME"),
        ("hunt", ["--chain", "4"], "--restart random"),
        ("verify", ["--hash-functions", "4"], "--storage bitstate"),
    ] {
        let engine = if command == "hunt" { "walk" } else { "dfs" };
        let output = lurcher(&[&[command, &*file, "--engine", engine], &given[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{given:?}");
        assert!(errors(&output).contains(&format!("{} needs {needed}", given[0])), "{}", errors(&output));
    }
}

#[test]
fn random_steps_of_the_menu_do_not_count_the_initial_state_and_all_choices_can_be_listed() {
    let counter = "MODULE main\nVAR x : 0..99;\nASSIGN init(x) := 0;\nTRANS next(x) != x;\n";
    let path = scratch_file("menu.smv", counter).display().to_string();
    let args = ["simulate", &path, "--interactive"];
    let (_, said, _) = run_with(&args, "r 3\nq\n");
    assert!(said.contains("\nstep 3\n") && !said.contains("\nstep 4\n"), "{said}");
    let (_, said, _) = run_with(&args, "\n80\nm\n80\nq\n");
    assert!(said.contains("there is no step 80; take 1 to 40") && said.contains("\nstep 1\n"), "{said}");
}
