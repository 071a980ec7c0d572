//! Real-time specifications on the command line: proofs, hunts, replays, and what is refused.

mod support;

use serde_json::Value;
use support::{json, lurcher, model, run, scratch_file};

const SIZE: [&str; 6] = ["-D", "n_tracks=2", "-D", "min_speed=15", "-D", "max_speed=20"];

/// Runs a command on a variant of the railroad crossing with two tracks, whose speeds are given.
fn crossing<'a>(command: &'a str, path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [command, path].into_iter().chain(SIZE).chain(more.iter().copied()).collect()
}

fn gate(name: &str) -> String {
    model(&format!("railroad-crossing{name}.astral"))
}

/// Dang and Kemmerer (2000), table 1: all mutants but the eighth are wrong, the ninth too, which they call correct.
#[test]
fn the_gate_and_its_eighth_mutant_are_proved_and_the_others_refuted() {
    for name in ["", "-m8"] {
        let report = json(&lurcher(&crossing("verify", &gate(name), &["--json"])));
        let verdicts: Vec<&Value> =
            report["properties"].as_array().expect("a list").iter().map(|p| &p["verdict"]).collect();
        assert_eq!(verdicts, ["holds"; 5], "{name}: {report}");
    }
    for (number, schedule) in [(1, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 2), (9, 1), (10, 2)] {
        let path = gate(&format!("-m{number}"));
        let report = json(&lurcher(&crossing("hunt", &path, &["--json", "--time", "60s"])));
        assert_eq!(report["verdict"], "violated", "M{number}: {report}");
        assert_eq!(report["property"]["name"], format!("Gate.schedule.{schedule}"), "M{number}");
        assert!(report["trace"]["length"].as_u64() > Some(0), "M{number}: {report}");
    }
}

/// The paper's nodes to the violation, with both conjuncts of the schedule checked one by one; those of complete trees are ours.
#[test]
fn the_tree_has_as_many_nodes_as_published() {
    for (number, schedule, nodes, depth) in [
        (1, 2, 23, 10),
        (2, 1, 23, 10),
        (4, 1, 23, 10),
        (6, 1, 7, 10),
        (7, 2, 10, 10),
        (8, 1, 266, 10),
        (9, 1, 129, 12),
        (10, 2, 5, 10),
    ] {
        let (path, property, depth) =
            (gate(&format!("-m{number}")), format!("Gate.schedule.{schedule}"), depth.to_string());
        let mut more = vec!["--engine", "tree", "--depth", &depth, "--json", "--property", &property];
        more.extend((number == 9).then_some("--last-layer"));
        let report = json(&lurcher(&crossing("hunt", &path, &more)));
        assert_eq!(report["polyhedra"]["nodes"], nodes, "M{number}: {report}");
        assert_eq!(report["verdict"], if number == 8 { "inconclusive" } else { "violated" }, "M{number}");
    }
}

#[test]
fn walk_numbers_and_seeds_decide_what_is_left_to_chance() {
    let path = gate("-m2");
    let walks = |seed: &str| {
        let more = ["--engine", "tree-walk", "--partial-image", "--walks", "4", "--seed", seed, "--json"];
        let report = json(&lurcher(&crossing("hunt", &path, &more)));
        (report["verdict"].clone(), report["trials"].clone(), report["polyhedra"].clone())
    };
    assert_eq!(walks("7"), walks("7"));
    let different: Vec<_> = ["1", "2", "3", "4"].into_iter().map(walks).collect();
    assert!(different.iter().any(|walks| *walks != different[0]), "{different:?}");
}

#[test]
fn a_trace_replays_on_its_model_and_breaks_a_rule_of_another() {
    let (path, trace) = (gate("-m9"), scratch_file("m9.json", "").display().to_string());
    let (status, out, _) = run(&crossing("hunt", &path, &["--trace", &trace]));
    assert_eq!(status, 1, "{out}");
    for line in ["constants  n_tracks = 2", "raise ends, up starts", "the schedule does not hold"] {
        assert!(out.contains(line), "{line}: {out}");
    }
    let (status, out, errors) = run(&["replay", &path, &trace].into_iter().chain(SIZE).collect::<Vec<_>>());
    assert_eq!((status, errors.as_str()), (1, ""), "{out}");
    assert!(out.contains("shows a violation of Gate.schedule.1"), "{out}");
    let right = gate("");
    let (status, _, errors) = run(&["replay", &right, &trace].into_iter().chain(SIZE).collect::<Vec<_>>());
    assert_eq!(status, 2);
    assert!(errors.contains("entry rule") && errors.contains("railroad-crossing-m9.astral"), "{errors}");
}

#[test]
fn what_does_not_fit_is_refused_in_one_sentence() {
    let refused = |args: &[&str]| {
        let (status, out, errors) = run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        errors
    };
    let (path, promela) = (gate(""), model("peterson-n.pml"));
    assert!(refused(&["verify", &path]).contains("`n_tracks` must have a value"));
    assert!(refused(&crossing("hunt", &path, &["--process", "Gait"])).contains("there is no process `Gait`"));
    assert!(refused(&crossing("hunt", &path, &["--engine", "walk"])).contains("--engine sets"));
    assert!(refused(&crossing("hunt", &path, &["--engine", "tree", "--depth", "none"])).contains("--depth none"));
    assert!(refused(&crossing("verify", &path, &["--ltl", "[] x"])).contains("invariants, schedules and constraints"));
    assert!(refused(&["verify", &promela, "--engine", "sets"]).contains("not for process models"));
    assert!(refused(&["verify", &promela, "--process", "P"]).contains("--process"));
    let right = model("watchdog.astral");
    assert!(refused(&["simulate", &right]).contains("not simulated"));
    assert!(refused(&["analyze", &right]).contains("not analysed"));
}
