//! `--json`: one document on standard output, whatever happens.

mod support;

use serde_json::{Value, json};
use support::{errors, json, lurcher, model, run_json, scratch, scratch_file, text};

#[test]
fn the_steps_of_the_trace_are_in_the_document() {
    let (status, object) = run_json(&["verify", &model("philosophers.pml")]);
    assert_eq!(status, 1);
    let steps = object["trace"]["steps"].as_array().expect("steps");
    assert_eq!(json!(steps.len()), object["trace"]["length"]);
    assert_eq!(steps[1]["step"], 2);
    assert_eq!(steps[1]["process"], "Philosopher[0]");
    assert_eq!(steps[1]["action"], "taken[LEFT] = true");
    assert_eq!(steps[1]["changes"], json!({"taken[0]": "1"}));
    assert!(steps[1]["where"].as_str().is_some_and(|place| place.starts_with("philosophers.pml:")), "{}", steps[1]);
    assert_eq!(object["trace"]["steps_left_out"], 0);
    let (_, object) = run_json(&["verify", &model("mutex-flawed-4.smv"), "--property", "exclusion"]);
    let steps = object["trace"]["steps"].as_array().expect("steps");
    // The first is the initial state.
    assert_eq!(json!(steps.len() - 1), object["trace"]["length"]);
    assert_eq!(steps[0]["changes"]["lock"], "FALSE");
    let (_, object) = run_json(&["simulate", &model("philosophers.pml"), "--steps", "3"]);
    assert_eq!(object["trace"]["steps"].as_array().map(Vec::len), Some(3));
}

#[test]
fn the_middle_of_very_long_traces_is_left_out() {
    let source = "short x; active proctype P() { do :: x < 12000 -> x++ :: else -> break od; assert(false) }";
    let (_, object) = run_json(&["verify", &scratch_file("long.pml", source).display().to_string()]);
    let trace = &object["trace"];
    let shown = trace["steps"].as_array().map_or(0, Vec::len) as u64;
    assert_eq!(shown, 10_000);
    assert_eq!(trace["steps_left_out"].as_u64().map(|n| n + shown), trace["length"].as_u64());
}

/// The error of a command that is refused.
fn error(args: &[&str]) -> Value {
    let output = lurcher(&[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", errors(&output));
    assert!(!errors(&output).is_empty(), "people are told too");
    let object = json(&output);
    assert_eq!(object["tool"], "lurcher");
    object["error"].clone()
}

#[test]
fn bad_input_is_an_error_object() {
    let bad = scratch_file("bad.pml", "byte x;\nactive proctype P() {\n  y = 1 }\n").display().to_string();
    let philosophers = model("philosophers.pml");
    for command in ["hunt", "verify", "simulate", "analyze"] {
        let error = error(&[command, &bad]);
        assert_eq!(error["kind"], "input");
        assert!(error["message"].as_str().is_some_and(|m| m.ends_with("bad.pml: 1 error")), "{error}");
        let first = &error["diagnostics"][0];
        assert_eq!((&first["severity"], &first["line"], &first["column"]), (&json!("error"), &json!(3), &json!(3)));
    }
    let missing = error(&["verify", "/no/such/model.pml"]);
    assert!(missing["message"].as_str().is_some_and(|m| m.contains("cannot read /no/such/model.pml")), "{missing}");
    let formula = error(&["verify", &philosophers, "--ltl", "[] ("]);
    assert!(formula["diagnostics"][0]["message"].is_string(), "{formula}");
    assert_eq!(error(&["verify", &philosophers, "--property", "nonsense"])["kind"], "input");
    assert_eq!(error(&["replay", &philosophers, "/no/such/trace.json"])["kind"], "input");
    assert_eq!(error(&["experiment", "/no/such/file.toml"])["kind"], "input");
    for usage in [
        &["hunt", &philosophers, "--engine", "nonsense"][..],
        &["hunt", &philosophers, "--time", "soon"],
        &["hunt", &philosophers, "--nonsense"],
        &["hunt"],
        &["nonsense"],
    ] {
        let error = error(usage);
        assert_eq!(error["kind"], "usage", "{error}");
        assert!(error["message"].as_str().is_some_and(|m| !m.is_empty() && !m.contains('\x1b')), "{error}");
    }
}

#[test]
fn a_trace_on_standard_output_stands_alone() {
    let philosophers = model("philosophers.pml");
    let output = lurcher(&["verify", &philosophers, "--trace", "-"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&output)["format"], "lurcher-trace-1");
    assert!(errors(&output).contains("violated"), "{}", errors(&output));
    let trace = scratch("stdout.json");
    std::fs::write(&trace, &output.stdout).expect("a scratch file");
    assert_eq!(lurcher(&["replay", &philosophers, &trace.display().to_string()]).status.code(), Some(1));
    let output = lurcher(&["verify", &philosophers, "--export", "text=-"]);
    assert!(text(&output).contains("  1 ┌ Philosopher[0]   philosophers.pml:24 "), "{}", text(&output));
    assert!(!text(&output).contains("violated"), "{}", text(&output));
    let output = lurcher(&["simulate", &philosophers, "--steps", "3", "--trace", "-"]);
    assert_eq!(json(&output)["steps"].as_array().map(Vec::len), Some(3));
    assert!(errors(&output).contains("stopped after 3 steps"), "{}", errors(&output));
    let output = lurcher(&["replay", &philosophers, &trace.display().to_string(), "--to-json", "-"]);
    assert_eq!(json(&output)["format"], "lurcher-trace-1");
    // Nothing is found, so there is nothing to write.
    let output = lurcher(&["verify", &model("peterson.pml"), "--no-claims", "--trace", "-"]);
    assert_eq!(text(&output), "");
}

#[test]
fn with_json_the_trace_is_a_part_of_the_document() {
    let philosophers = model("philosophers.pml");
    let (status, object) = run_json(&["verify", &philosophers, "--trace", "-"]);
    assert_eq!(status, 1);
    assert_eq!(object["trace"]["file"], "-");
    let document = &object["trace"]["document"];
    assert_eq!(document["format"], "lurcher-trace-1");
    let trace = scratch_file("document.json", &document.to_string()).display().to_string();
    assert_eq!(lurcher(&["replay", &philosophers, &trace]).status.code(), Some(1));
    let refused = error(&["verify", &philosophers, "--export", "text=-"]);
    assert!(refused["message"].as_str().is_some_and(|m| m.contains("one JSON document")), "{refused}");
    let refused = error(&["verify", &philosophers, "--trace", "-", "--trail", "-"]);
    assert!(refused["message"].as_str().is_some_and(|m| m.contains("only one trace")), "{refused}");
}

#[test]
fn there_is_one_document_and_the_verdict_in_it_whatever_becomes_of_files() {
    let (philosophers, peterson) = (model("philosophers.pml"), model("peterson-n.pml"));
    for file in ["--trace", "--trail"] {
        for command in ["hunt", "verify"] {
            let output = lurcher(&[command, &philosophers, "--json", file, "/dev/full"]);
            let object = json(&output);
            assert_eq!((&object["verdict"], &object["trace"]["file"]), (&json!("violated"), &Value::Null), "{object}");
            assert_eq!(output.status.code(), Some(1), "{command}");
            assert!(errors(&output).contains("cannot write /dev/full"), "{}", errors(&output));
        }
    }
    let output = lurcher(&["hunt", &peterson, "-D", "N=6", "--walks", "20", "--json", "--save", "/dev/full"]);
    assert_eq!((&json(&output)["verdict"], output.status.code()), (&json!("inconclusive"), Some(2)));
    let output = lurcher(&["simulate", &philosophers, "--json", "--steps", "5", "--trace", "/dev/full"]);
    assert_eq!(json(&output)["steps"], 5);
}

#[test]
fn a_run_that_is_stopped_before_it_has_results_has_all_keys() {
    let object = json(&lurcher(&["verify", &model("philosophers.pml"), "--time", "0", "--json"]));
    for key in ["property", "engine", "walks", "steps", "states", "trace", "time", "memory_bytes", "stop_reason"] {
        assert!(object.get(key).is_some(), "{key}: {object}");
    }
}
