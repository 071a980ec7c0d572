//! `lurcher experiment` as a user meets it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const TINY: &str = r#"
model = "philosophers.pml"
property = "deadlock"
seeds = [1, 2]

[[series]]
name = "tiny"
define = { N = [3, 4] }
guide = ["none", "local-distance"]
plots = ["steps"]
"#;

fn lurcher(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lurcher"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).output().expect("lurcher runs")
}

/// A folder with a model and an experiment.
fn bench(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("experiments-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela/philosophers.pml");
    std::fs::copy(model, folder.join("philosophers.pml")).expect("the model is copied");
    std::fs::write(folder.join("tiny.toml"), text).expect("the experiment is written");
    folder
}

#[test]
fn every_trace_of_an_experiment_replays() {
    let folder = bench("replay", TINY);
    let output = lurcher(&folder, &["experiment", "tiny.toml", "--out", "out", "--jobs", "2"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(said, "tiny.toml: 8 trials, 8 of them now; results in out/README.md\n");
    let rows = std::fs::read_to_string(folder.join("out/trials.csv")).expect("rows");
    let mut replayed = 0;
    for row in rows.lines().filter(|r| r.contains("traces/")) {
        let define = row.split(',').find(|f| f.starts_with("N=")).expect("a size");
        let trace = format!("out/{}", row.split(',').find(|f| f.starts_with("traces/")).expect("a trace"));
        let output = lurcher(&folder, &["replay", "philosophers.pml", &trace, "--define", define]);
        assert_eq!(output.status.code(), Some(1), "{trace}: {output:?}");
        replayed += 1;
    }
    assert_eq!(replayed, 8);
}

#[test]
fn several_files_have_a_folder_each_and_json_tells_what_ran() {
    let folder = bench("several", TINY);
    std::fs::copy(folder.join("tiny.toml"), folder.join("other.toml")).expect("a copy");
    let run = |more: &[&str]| {
        let args = [&["experiment", "tiny.toml", "other.toml", "--out", "all", "--json"], more].concat();
        let output = lurcher(&folder, &args);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let first = run(&["--trials-only", "guide=none"]);
    assert_eq!(first["experiments"][1]["ran"], 4);
    assert!(folder.join("all/tiny/README.md").exists() && folder.join("all/other/plots/tiny-steps.png").exists());
    let second = run(&["--resume"]);
    assert_eq!((&second["experiments"][0]["ran"], &second["experiments"][0]["known"]), (&4.into(), &8.into()));
}

#[test]
fn a_wrong_file_is_refused_before_anything_runs() {
    let folder = bench("wrong", &TINY.replace("guide =", "giude ="));
    let output = lurcher(&folder, &["experiment", "tiny.toml", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("there is no setting `giude`") && said.contains("tiny.toml:9:1"), "{said}");
    assert!(!folder.join("out").exists());
}

#[test]
fn an_experiment_with_too_many_trials_is_refused() {
    let folder = bench("huge", &TINY.replace("seeds = ", "seeds = \"1 to 100000\" # "));
    let output = lurcher(&folder, &["experiment", "tiny.toml", "--out", "out"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("more than 200000 trials"), "{said}");
}

#[test]
fn results_are_not_overwritten() {
    let folder = bench("again", TINY);
    assert_eq!(lurcher(&folder, &["experiment", "tiny.toml", "--out", "out"]).status.code(), Some(0));
    let output = lurcher(&folder, &["experiment", "tiny.toml", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--resume"));
}

#[test]
fn patterns_that_select_no_trial_are_refused_before_the_first() {
    let folder = bench("unmatched", TINY);
    let refused = |patterns: &[&str]| {
        let patterns: Vec<&str> = patterns.iter().flat_map(|p| ["--trials-only", p]).collect();
        let output = lurcher(&folder, &[&["experiment", "tiny.toml", "--out", "out"], &patterns[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!folder.join("out").exists(), "nothing was written");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let words = refused(&["guide=local"]);
    assert_eq!(words, "error: tiny.toml: no trial matches guide=local; there are guide=local-distance, guide=none\n");
    let words = refused(&["colour=red"]);
    assert!(words.contains("no trial matches colour=red; there are N, "), "{words}");
    let words = refused(&["N=3", "N=4"]);
    assert!(words.ends_with("no trial matches all of N=3, N=4\n"), "{words}");
}

#[test]
fn a_model_is_no_experiment() {
    let folder = bench("model", TINY);
    let output = lurcher(&folder, &["experiment", "philosophers.pml"]);
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(words, "error: philosophers.pml is a model; an experiment is a TOML file that names models\n");
}

#[test]
fn a_misspelt_word_is_suggested_and_an_unused_macro_warned_of() {
    for (right, wrong, suggestion) in [
        ("model =", "modle =", "did you mean `model`?"),
        ("\"none\",", "\"nonne\",", "there is no guide `nonne`"),
        ("\"local-distance\"", "\"local-distnce\"", "did you mean `local-distance`?"),
        ("[\"steps\"]", "[\"stpes\"]", "did you mean `steps`?"),
        ("[[series]]", "[[seris]]", "did you mean `series`?"),
        (
            "plots =",
            "until = \"lop\"\nplots =",
            "neither `end` nor `loop` nor a number of repeated states; did you mean `loop`?",
        ),
        ("plots =", "select = \"al-children\"\nplots =", "did you mean `all-children`?"),
        ("plots =", "storage = \"compat\"\nplots =", "did you mean `compact`?"),
    ] {
        let folder = bench("misspelt", &TINY.replace(right, wrong));
        let output = lurcher(&folder, &["experiment", "tiny.toml", "--out", "out", "--trials-only", "N=none"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(suggestion), "{wrong}: {said}");
    }
    let folder = bench("misspelt", &TINY.replace("{ N = [3, 4] }", "{ N = 3, M = 4 }"));
    let output = lurcher(&folder, &["experiment", "tiny.toml", "--out", "out", "--trials-only", "guid=none"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the model never uses `M`") && said.contains("did you mean `guide`?"), "{said}");
}

#[test]
fn one_trial_is_singular() {
    let text = TINY.replace("[1, 2]", "1").replace("[3, 4]", "3").replace("[\"none\", \"local-distance\"]", "\"none\"");
    let folder = bench("singular", &text);
    let output = lurcher(&folder, &["experiment", "tiny.toml", "--out", "out"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains(": 1 trial, 1 of them now"), "{output:?}");
}
