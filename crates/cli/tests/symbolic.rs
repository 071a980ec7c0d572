//! Symbolic engines on Promela models, as a user meets them.

mod support;

use serde_json::Value;

use support::{errors, lurcher, model, run, run_json, scratch, text};

#[test]
fn every_symbolic_engine_finds_the_deadlock_and_its_trace_replays() {
    let philosophers = model("philosophers.pml");
    let guided = ["--guide", "abstraction"];
    for (engine, more, name, guide) in [
        ("bdd", [].as_slice(), "bdd", Value::Null),
        ("sgmc", &[], "sgmc", "abstraction (auto)".into()),
        ("symbolic-walk", &[], "srmc", Value::Null),
        ("symbolic-trail", &[], "srmc", Value::Null),
        ("symbolic-walk", &guided, "sgrmc", "abstraction (auto)".into()),
        ("symbolic-trail", &guided, "sgrmc", "abstraction (auto)".into()),
        (
            "symbolic-trail",
            &["--guide", "abstraction", "--reverse-guide"],
            "sgrmc",
            "abstraction (auto, reversed)".into(),
        ),
    ] {
        let trace = scratch(&format!("{engine}-{}.json", more.len()));
        let place = trace.display().to_string();
        let args = ["hunt", &philosophers, "--engine", engine, "--no-claims", "--trace", &place];
        let (status, object) = run_json(&[&args, more].concat());
        assert_eq!(status, 1, "{engine} {more:?}");
        assert_eq!((&object["engine"], &object["guide"]), (&name.into(), &guide), "{engine} {more:?}");
        assert_eq!(object["property"]["kind"], "deadlock", "{engine}");
        let (status, out, err) = run(&["replay", &philosophers, &place]);
        assert_eq!(status, 1, "{engine}: {out}{err}");
    }
}

#[test]
fn a_guide_that_does_not_fit_into_memory_is_a_limit_and_not_a_usage_error() {
    let walk = ["--engine", "walk", "--guide", "abstraction"];
    let philosophers = model("philosophers.pml");
    let numbers = scratch("numbers.smv");
    let text = "MODULE main VAR x : word[16]; y : word[16]; ASSIGN next(x) := x * y; INVARSPEC x * y != 0ud16_65521";
    std::fs::write(&numbers, text).expect("a scratch file");
    let numbers = numbers.display().to_string();
    for more in [&[&philosophers, "--define", "N=60", "--no-claims"][..], &[&numbers]] {
        let (status, object) = run_json(&[&["hunt", "--memory", "1M"], &walk[..], more].concat());
        assert_eq!(status, 3, "{object}");
        assert_eq!((&object["verdict"], &object["stop_reason"]), (&"inconclusive".into(), &"memory".into()));
        assert_eq!(object["walks"], 0, "{object}");
    }
}

#[test]
fn the_abstraction_leads_walks_from_state_to_state() {
    let crossing = model("river-crossing.pml");
    let asked = ["hunt", &crossing, "--property", "assertion", "--guide", "abstraction"];
    let args = [&asked[..], &["--no-minimise", "--seed", "3"]].concat();
    for engine in ["walk", "trail"] {
        let guided = |jobs: &str| run_json(&[&args[..], &["--engine", engine, "--jobs", jobs]].concat());
        let (status, object) = guided("1");
        assert_eq!((status, &object["engine"], &object["guide"]), (1, &engine.into(), &"abstraction".into()));
        assert_eq!(object["trace"], guided("2").1["trace"], "{engine}");
    }
    let drop = scratch("drop-one").display().to_string();
    std::fs::write(&drop, "beyond\n").expect("a scratch file");
    let (status, object) = run_json(&[&args[..], &["--engine", "walk", "--drop", &drop]].concat());
    assert_eq!((status, &object["guide"]), (1, &"abstraction".into()));
    let (status, mixed) = run_json(&asked);
    assert_eq!((status, &mixed["verdict"]), (1, &"violated".into()));
}

#[test]
fn walks_of_a_seed_are_the_same_and_keep_to_their_time() {
    let philosophers = model("philosophers.pml");
    let args = ["hunt", &philosophers, "--engine", "symbolic-trail", "--no-claims", "--no-minimise", "--seed", "7"];
    let (first, again) = (run_json(&args).1, run_json(&args).1);
    assert_eq!(first["trace"]["length"], again["trace"]["length"]);
    assert_eq!(first["steps"], again["steps"]);
    let peterson = model("peterson.pml");
    let (status, endless) =
        run_json(&["hunt", &peterson, "--engine", "symbolic-walk", "--no-claims", "--time", "300ms"]);
    assert_eq!((status, &endless["stop_reason"], &endless["verdict"]), (0, &"time".into(), &"inconclusive".into()));
}

#[test]
fn formulas_are_checked_with_bdds() {
    let (dekker, valve) = (model("dekker.pml"), model("valve-never-end.pml"));
    for (path, property, status, kind) in
        [(&dekker, "exclusion", 0, "ltl"), (&dekker, "no_lockout", 1, "ltl"), (&valve, "never", 1, "never")]
    {
        for engine in ["bdd", "dfs"] {
            let (ended, object) =
                run_json(&["verify", path, "--property", property, "--engine", engine, "--reduction", "none"]);
            assert_eq!((ended, &object["property"]["kind"]), (status, &kind.into()), "{property} by {engine}");
        }
    }
}

#[test]
fn symbolic_engines_refuse_what_they_cannot_check_in_one_sentence() {
    let (philosophers, dekker) = (model("philosophers.pml"), model("dekker.pml"));
    let priorities = model("priority-inversion.pml");
    let drop = scratch("drop").display().to_string();
    std::fs::write(&drop, "# one that there is, and one that is not\ntaken[0]\nnobody\n").expect("a scratch file");
    for (args, said) in [
        (
            ["hunt", &priorities, "--no-claims", "--engine", "walk", "--guide", "abstraction"].as_slice(),
            "process priorities",
        ),
        (&["hunt", &philosophers, "--engine", "walk", "--guide", "abstraction", "--message-loss"], "no message loss"),
        (
            &["hunt", &philosophers, "--engine", "walk", "--guide", "abstraction", "--drop", &drop],
            "no variable `nobody`",
        ),
        (&["hunt", &philosophers, "--engine", "sgmc", "--guide", "local-distance"], "is called abstraction"),
        (&["hunt", &philosophers, "--engine", "sgmc", "--save", "night.json"], "only walks can be saved"),
        (&["hunt", &dekker, "--engine", "sgmc", "--property", "no_lockout"], "looks for bad states"),
        (&["verify", &dekker, "--engine", "bdd", "--property", "no_lockout", "--fair"], "no weak fairness"),
        (&["verify", &philosophers, "--engine", "bdd", "--message-loss"], "no message loss"),
        (&["verify", &priorities, "--engine", "bdd", "--no-claims"], "process priorities"),
    ] {
        let (status, out, err) = run(args);
        assert_eq!(status, 2, "{args:?}: {out}{err}");
        assert!(err.contains(said), "{args:?}: {err}");
    }
}

#[test]
fn symbolic_walks_end_at_the_depth_that_help_names() {
    for args in [&["hunt", "--engine", "symbolic-walk"][..], &["hunt", "--engine", "symbolic-trail"]] {
        let endless = model("philosophers-right-4.smv");
        let output = lurcher(&[args, &[&endless, "--walks", "3", "--property", "deadlock"]].concat());
        assert!(text(&output).contains("\n3 walks, "), "{}{}", text(&output), errors(&output));
        assert!(!text(&output).contains("0 distinct states"), "{}", text(&output));
    }
    let output = lurcher(&["hunt", &model("philosophers-right-4.smv"), "--engine", "symbolic-walk", "--walks", "2"]);
    assert!(text(&output).contains("2 walks, 20,000 steps, the longest 10,000"), "{}", text(&output));
}
