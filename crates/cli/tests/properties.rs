//! Which properties are checked, and what is said of each: selections, refusals, first lines and the table.

mod support;

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use support::{errors, lurcher, model, run, run_json, scratch, scratch_file, text};

/// An assertion fails, one formula holds and one does not.
const ASSERTING: &str = "byte x;
active proctype P() { do :: x < 5 -> x++ :: x == 5 -> assert(x != 5); x = 0 od }
ltl bounded { [] (x <= 5) }
ltl small { [] (x < 3) }
";

/// The lines of the table: property, verdict, and the rest.
fn table(text: &str) -> Vec<(String, String, String)> {
    let lines = text.lines().skip_while(|line| !line.starts_with("property "));
    let row = |line: &str| {
        let mut words = line.splitn(2, ' ').map(str::trim);
        let (name, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (verdict, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        (name.to_owned(), verdict.to_owned(), rest.trim().to_owned())
    };
    lines.skip(1).map(row).collect()
}

fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.split_once(": ").map_or("", |(_, said)| said)
}

#[test]
fn the_first_line_names_what_is_violated() {
    let file = scratch_file("asserting.pml", ASSERTING).display().to_string();
    let said = |args: &[&str]| {
        let out = text(&lurcher(&[&["verify", &file], args].concat()));
        (first_line(&out).to_owned(), out)
    };
    let (line, out) = said(&["--property", "bounded"]);
    assert_eq!(line, "violated — assertion at asserting.pml:2, met while ltl bounded was checked");
    assert!(out.contains("ltl bounded itself is not decided; --no-assertions decides it"), "{out}");
    assert_eq!(said(&["--property", "safety"]).0, "violated — assertion at asserting.pml:2");
    // The formulas' own answers.
    assert_eq!(said(&["--property", "bounded", "--no-assertions"]).0, "holds — ltl bounded");
    assert_eq!(said(&["--property", "small", "--no-assertions"]).0, "violated — ltl small");
    assert_eq!(said(&["--property", "safety", "--no-assertions"]).0, "holds — no invalid end state and no fault");
    for (engine, verdict) in [("dfs", "holds"), ("bdd", "holds")] {
        let object = run_json(&["verify", &file, "--property", "bounded", "--no-assertions", "--engine", engine]).1;
        assert_eq!(object["verdict"], verdict, "{engine}");
    }
    // JSON names the assertion too.
    let object = run_json(&["verify", &file, "--property", "bounded"]).1;
    assert_eq!((&object["property"]["kind"], &object["property"]["name"]), (&json!("assertion"), &json!("bounded")));
    assert!(object["property"]["where"].as_str().is_some_and(|at| at.ends_with("asserting.pml:2")), "{object}");
}

#[test]
fn a_trace_without_assertions_is_replayed_without_them() {
    let file = scratch_file("replayed.pml", ASSERTING).display().to_string();
    let trace = scratch("without-assertions.json").display().to_string();
    let args = ["verify", &file, "--property", "small", "--no-assertions", "--trace", &trace];
    assert_eq!(run(&args).0, 1);
    let (status, object) = run_json(&["replay", &file, &trace]);
    assert_eq!((status, &object["property"]["kind"]), (1, &json!("ltl")), "{object}");
}

#[test]
fn verdicts_are_sentences() {
    let one = |name: &str, content: &str, args: &[&str]| {
        let file = scratch_file(name, content).display().to_string();
        first_line(&text(&lurcher(&[&["verify", &file], args].concat()))).to_owned()
    };
    let turn = "MODULE main VAR x : boolean; ASSIGN next(x) := !x;";
    assert_eq!(one("turn.smv", turn, &[]), "holds — no deadlock");
    assert_eq!(one("stuck.smv", "MODULE main VAR x : boolean; TRANS !x", &[]), "violated — deadlock");
    let skip = "active proctype P() { skip }";
    assert_eq!(one("skip.pml", skip, &[]), "holds — no invalid end state, no failed assertion and no fault");
    assert_eq!(one("wait.pml", "active proctype P() { false }", &[]), "violated — invalid end state (deadlock)");
    let divide = "byte x; active proctype P() { x = 1 / x }";
    assert_eq!(one("divide.pml", divide, &[]), "violated — division by zero at divide.pml:1");
    assert_eq!(one("skip.pml", skip, &["--property", "non-progress"]), "holds — no non-progress cycle");
    assert_eq!(one("skip.pml", skip, &["--property", "acceptance"]), "holds — no acceptance cycle");
    let spin = "active proctype P() { do :: skip od }";
    assert_eq!(one("spin.pml", spin, &["--property", "non-progress"]), "violated — non-progress cycle");
    assert_eq!(one("spin.pml", spin, &["--property", "acceptance"]), "holds — no acceptance cycle");
}

#[test]
fn a_run_over_several_properties_ends_with_a_table() {
    let file = scratch_file("table.pml", ASSERTING).display().to_string();
    let out = text(&lurcher(&["verify", &file, "--no-assertions"]));
    let rows = table(&out);
    let names: Vec<(&str, &str)> = rows.iter().map(|(name, verdict, _)| (name.as_str(), verdict.as_str())).collect();
    assert_eq!(names, [("safety", "holds"), ("bounded", "holds"), ("small", "violated")], "{out}");
    assert!(rows[2].2.starts_with("false of a run ") && rows[2].2.ends_with(" nested-dfs"), "{out}");
    // A hunt names what it did not get to.
    let (status, object) = run_json(&["hunt", &file]);
    assert_eq!(status, 1);
    let row = |row: &Value| (row["name"].clone(), row["verdict"].clone(), row["length"].clone());
    let rows: Vec<_> = object["properties"].as_array().expect("a table").iter().map(row).collect();
    let open = |name: &str| (json!(name), json!("inconclusive"), Value::Null);
    assert_eq!(rows, [(json!("safety"), json!("violated"), json!(12)), open("bounded"), open("small")]);
    let out = text(&lurcher(&["hunt", &file]));
    assert_eq!(table(&out)[1].2, "not decided when the hunt ended at a violation", "{out}");
    // One property needs no table.
    assert_eq!(table(&text(&lurcher(&["verify", &file, "--property", "small"]))), []);
    assert_eq!(run_json(&["verify", &file, "--property", "small"]).1["properties"], Value::Null);
}

#[test]
fn properties_are_selected_by_lists_and_patterns() {
    let file = scratch_file("selected.pml", ASSERTING).display().to_string();
    let names = |args: &[&str]| -> Vec<String> {
        let (_, object) = run_json(&[&["verify", &file, "--no-assertions"], args].concat());
        let several = object["properties"].as_array().cloned().unwrap_or_else(|| vec![object["property"].clone()]);
        several.iter().map(|p| p["name"].as_str().expect("a name").to_owned()).collect()
    };
    // The order is that of the model.
    assert_eq!(names(&["--property", "small,bounded"]), ["bounded", "small"]);
    assert_eq!(names(&["--property", "small", "--property", "s*"]), ["safety", "small"]);
    assert_eq!(names(&["--property", "*"]), ["safety", "bounded", "small"]);
    assert_eq!(names(&["--property", "*ound*"]), ["bounded"]);
    assert_eq!(names(&["--property", "bounded, non-progress"]), ["bounded", "non-progress"]);
    let refused = |name: &str| {
        let output = lurcher(&["verify", &file, "--property", name]);
        assert_eq!((output.status.code(), text(&output).as_str()), (Some(2), ""), "{name}");
        errors(&output)
    };
    assert_eq!(refused("q*"), "error: `q*` matches no property that is checked by default: safety, bounded, small\n");
    assert!(refused("bouned").contains("there is no property `bouned`; the model states bounded, small; "));
    assert!(refused("bouned").ends_with("; did you mean `bounded`?\n"));
    assert!(refused("non-progres").contains("did you mean `non-progress`?"));
    assert!(refused("small,").contains("there is no property ``"));
    let mutex = model("mutex-flawed-4.smv");
    let (_, object) = run_json(&["verify", &mutex, "--property", "excl*"]);
    assert_eq!(object["property"]["name"], "exclusion");
    assert!(errors(&lurcher(&["verify", &mutex, "--property", "deadlok"])).contains("did you mean `deadlock`?"));
}

#[test]
fn an_engine_says_what_it_cannot_check_before_it_works() {
    let peterson = model("peterson-2.smv");
    for (command, engine, names) in [
        ("verify", "dfs", "live: CTL formulas"),
        ("verify", "bfs", "live: CTL formulas"),
        ("hunt", "walk", "live: CTL formulas"),
        ("hunt", "lurch", "live: CTL formulas"),
        ("hunt", "sgmc", "live, gets_in: this engine looks for bad states"),
        ("hunt", "best-first", "live: CTL formulas"),
    ] {
        let more: &[&str] = if ["walk", "lurch"].contains(&engine) { &["--walks", "20"] } else { &[] };
        let output = lurcher(&[&[command, &peterson, "--engine", engine], more].concat());
        assert!(errors(&output).starts_with(&format!("note: not checked: {names}")), "{engine}: {}", errors(&output));
        assert!(text(&output).contains("this engine cannot check it"), "{engine}");
        assert_eq!(output.status.code(), Some(1), "{engine}: the invariant `somebody` is violated");
    }
    // Nothing that it can check.
    let (status, out, said) = run(&["verify", &model("ctl-operators.smv"), "--engine", "dfs"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(said, "error: CTL formulas are checked by --engine bdd only\n");
}

#[test]
fn the_note_on_what_is_not_checked_comes_before_the_search_ends() {
    // Depth-first search takes far longer than this test waits.
    let content =
        std::fs::read_to_string(model("mutex-32.smv")).expect("a model") + "\nCTLSPEC NAME often := AG AF TRUE;\n";
    let file = scratch_file("often.smv", &content);
    let mut command = Command::new(env!("CARGO_BIN_EXE_lurcher"));
    command.arg("verify").arg(&file).args(["--engine", "dfs", "--time", "60s", "--memory", "200M"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("lurcher starts");
    let mut line = String::new();
    let mut reader = std::io::BufReader::new(child.stderr.take().expect("it writes"));
    std::io::BufRead::read_line(&mut reader, &mut line).expect("a line");
    let running = child.try_wait().expect("its state").is_none();
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
    assert_eq!(line, "note: not checked: often: CTL formulas are checked by --engine bdd only\n");
    assert!(running, "it was still at work");
}

#[test]
fn a_formula_is_open_in_the_table_where_only_an_assertion_on_the_way_is_known() {
    let file = scratch_file("open.pml", ASSERTING).display().to_string();
    let out = text(&lurcher(&["verify", &file, "--property", "bounded,small"]));
    let rows = table(&out);
    assert_eq!((rows[0].0.as_str(), rows[0].1.as_str()), ("bounded", "inconclusive"), "{out}");
    assert!(rows[0].2.contains("assertion at open.pml:2 comes first"), "{out}");
    let object = run_json(&["verify", &file, "--property", "bounded,small", "--no-assertions"]).1;
    assert_eq!(
        (&object["properties"][0]["verdict"], &object["properties"][1]["verdict"]),
        (&json!("holds"), &json!("violated"))
    );
    // Where all errors are wanted, the formula has a counterexample of its own.
    let out = text(&lurcher(&["verify", &file, "--property", "small", "--all-errors"]));
    assert!(out.contains("a run that violates `small`") && !out.contains("itself is not decided"), "{out}");
}

#[test]
fn no_claims_is_refused_beside_properties_instead_of_hiding_them() {
    let file = scratch_file("claims.pml", ASSERTING).display().to_string();
    for asked in [["--property", "small"], ["--ltl", "[] false"], ["--invariant", "x < 3"]] {
        for command in ["hunt", "verify", "analyze"] {
            let (status, _, errors) = run(&[command, &file, "--no-claims", asked[0], asked[1]]);
            assert_eq!(status, 2, "{command} {asked:?}");
            assert!(errors.contains("--no-claims"), "{errors}");
        }
    }
}

#[test]
fn deadlock_and_assertion_select_their_part_of_safety() {
    let text = "chan c = [0] of { byte }; byte x;
        active proctype P() { x = 1; assert(x == 0); c!1 }
        active proctype Q() { skip }";
    let file = scratch_file("parts.pml", text).display().to_string();
    for command in ["verify", "hunt"] {
        for (property, kind) in [("deadlock", "deadlock"), ("assertion", "assertion")] {
            let trace = scratch(&format!("parts-{property}.json")).display().to_string();
            let (status, found) = run_json(&[command, &file, "--property", property, "--trace", &trace]);
            assert_eq!((status, found["property"]["kind"].as_str()), (1, Some(kind)), "{command}: {found}");
            let (status, again) = run_json(&["replay", &file, &trace]);
            assert_eq!((status, again["property"]["kind"].as_str()), (1, Some(kind)), "{again}");
        }
    }
    let stuck = scratch_file("stuck.pml", "chan c = [0] of { byte }; active proctype P() { assert(true); c!1 }");
    let stuck = stuck.display().to_string();
    let (status, out, _) = run(&["verify", &stuck, "--property", "assertion"]);
    assert_eq!((status, first_line(&out)), (0, "holds — no failed assertion and no fault"));
    let (_, _, err) = run(&["verify", &stuck, "--property", "none-such"]);
    assert!(err.contains("there are also safety, deadlock, assertion, non-progress and acceptance"), "{err}");
}
