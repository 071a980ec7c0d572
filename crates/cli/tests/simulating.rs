//! Runs that the user ends: they are told and written.

mod support;

use std::io::{Read, Write};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use support::{errors, json, lurcher, model, program, run_with, scratch, text};

#[test]
fn an_interrupted_run_is_written() {
    let trace = scratch("interrupted.json").display().to_string();
    let ring = model("token-ring.pml");
    let mut command = program(&["simulate", &ring, "--steps", "100000000", "--trace", &trace]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("lurcher starts");
    let mut out = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut all = Vec::new();
        out.read_to_end(&mut all).map(|_| all)
    });
    std::thread::sleep(Duration::from_millis(300));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("lurcher ends").code(), Some(3));
    let out = reader.join().expect("no panic").expect("text");
    let out = String::from_utf8_lossy(&out);
    assert!(out.contains("interrupted after "), "{}", &out[out.len().saturating_sub(500)..]);
    let replayed = lurcher(&["replay", &ring, &trace, "--json"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", errors(&replayed));
}

#[test]
fn a_run_with_a_time_limit_is_written_within_it() {
    let trace = scratch("timed.json").display().to_string();
    let ring = model("token-ring.pml");
    for time in ["300ms", "1s"] {
        let output = lurcher(&["simulate", &ring, "--steps", "100000000", "--trace", &trace, "--time", time, "--json"]);
        assert_eq!(output.status.code(), Some(3), "{}", errors(&output));
        assert!(json(&output)["trace"]["steps"].as_array().is_some_and(|steps| steps.len() == 10_000));
        assert_eq!(lurcher(&["replay", &ring, &trace]).status.code(), Some(0));
    }
}

#[test]
fn the_menu_writes_its_run_when_it_is_interrupted() {
    let trace = scratch("menu.json").display().to_string();
    let philosophers = model("philosophers.pml");
    let mut command = program(&["simulate", &philosophers, "-i", "--trace", &trace]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("lurcher starts");
    let mut input = child.stdin.take().expect("it reads");
    input.write_all(b"r 5\n").expect("it reads");
    std::thread::sleep(Duration::from_millis(500));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("lurcher ends").code(), Some(3));
    assert_eq!(lurcher(&["replay", &philosophers, &trace]).status.code(), Some(0));
}

#[test]
fn the_menu_and_one_json_document_exclude_each_other() {
    let (status, out, errors) = run_with(&["simulate", &model("philosophers.pml"), "-i", "--json"], "q\n");
    assert_eq!(status, 2, "{errors}");
    assert!(errors.contains("--json") && !out.contains("> "), "{out}{errors}");
    assert!(text(&lurcher(&["simulate", "--help"])).contains("--interactive"));
}
