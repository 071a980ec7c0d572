//! Studies of seeded faults and of growing models, from end to end.

use std::path::{Path, PathBuf};

use lurcher_lab::{Conducted, ExperimentError, Settings, Study, conduct_faults, conduct_graph, read};
use lurcher_resources::StopSignal;
use lurcher_syntax::render;

const COUNTER: &str = "\
MODULE main
VAR n : 0..7; up : boolean; m : 0..7;
ASSIGN
  init(n) := 0;
  init(m) := 0;
  next(n) := case up & n < 4 : n + 1; n > 0 & !up : n - 1; TRUE : n; esac;
  next(m) := n;
INVARSPEC NAME small := n <= 4;
INVARSPEC NAME near := next(m) = n;
INVARSPEC NAME false_already := n < 2;
CTLSPEC NAME back := AG EF n = 0;
LTLSPEC NAME follows := G (n = 3 -> X m = 3);
";

const MUTANTS: &str = r#"
title = "Counter"
[mutants]
model = "counter.smv"
count = 30
seed = 3
engines = ["lurch", "walk", "bfs", "bdd"]
runs = 3
paths = 20
depth = 30
keep = true
"#;

fn settings(folder: PathBuf) -> Settings {
    Settings { folder, jobs: 2, resume: false, only: Vec::new(), command: "lurcher experiment counter.toml".to_owned() }
}

fn conduct(text: &str, folder: &Path, out: &str) -> Result<Conducted, ExperimentError> {
    std::fs::write(folder.join("counter.smv"), COUNTER).unwrap();
    let found = read(&folder.join("counter.toml"), text);
    let study = found.study.unwrap_or_else(|| panic!("{:?}", found.diagnostics));
    let (settings, interrupt) = (settings(folder.join(out)), StopSignal::default());
    match study {
        Study::Faults(study) => conduct_faults(&study, &settings, &interrupt, &mut ()),
        Study::Graph(study) => conduct_graph(&study, &settings, &interrupt, &mut ()),
    }
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Rows without seconds.
fn counts(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let mut rows = csv::Reader::from_path(folder.join(name)).unwrap();
    let seconds = rows.headers().unwrap().iter().position(|h| h == "seconds");
    let kept = |row: csv::StringRecord| {
        row.iter().enumerate().filter(|(i, _)| Some(*i) != seconds).map(|(_, cell)| cell.to_owned()).collect()
    };
    rows.records().map(|r| kept(r.unwrap())).collect()
}

#[test]
fn engines_are_measured_by_what_complete_verification_finds() {
    let folder = tempfile::tempdir().unwrap();
    let done = conduct(MUTANTS, folder.path(), "out").unwrap();
    assert_eq!((done.bugs, done.failed), (0, 0));
    let readme = text(folder.path(), "out/README.md");
    assert!(readme.contains("Every verdict of every engine agrees with the judge's."), "{readme}");
    assert!(readme.contains("do not hold without a fault: false_already."), "{readme}");
    assert!(readme.contains("found in 3 of 3 runs"), "{readme}");
    assert!(!readme.contains("back"), "CTL formulas are not watched: {readme}");
    let mutants = counts(folder.path(), "out/mutants.csv");
    let made = mutants.len();
    assert!((10..=30).contains(&made), "a small model has few faults: {mutants:?}");
    let faults: Vec<&Vec<String>> = mutants.iter().filter(|m| m[3] == "fault").collect();
    assert!(!faults.is_empty() && faults.len() < made, "{mutants:?}");
    for fault in &faults {
        assert!(fault[5].contains("bfs") && fault[5].contains("bdd"), "complete engines find every fault: {fault:?}");
        assert!(folder.path().join(format!("out/mutants/{:03}.smv", fault[0].parse::<u32>().unwrap())).exists());
    }
    let (engines, properties) = (3 + 3 + 1 + 1, 3);
    let expected = (made + 1 + engines * (faults.len() + 1)) * properties;
    assert_eq!(counts(folder.path(), "out/trials.csv").len(), expected);
    for plot in ["steps", "steps-histogram", "times", "saturation"] {
        assert!(folder.path().join(format!("out/plots/{plot}.svg")).exists(), "{plot}");
    }
}

#[test]
fn counts_are_the_same_in_every_run() {
    let folder = tempfile::tempdir().unwrap();
    conduct(MUTANTS, folder.path(), "one").unwrap();
    conduct(MUTANTS, folder.path(), "two").unwrap();
    for name in ["trials.csv", "mutants.csv", "saturation.csv"] {
        assert_eq!(counts(&folder.path().join("one"), name), counts(&folder.path().join("two"), name), "{name}");
    }
}

#[test]
fn results_are_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let text = MUTANTS.replace("count = 30", "count = 2");
    conduct(&text, folder.path(), "out").unwrap();
    let again = conduct(&text, folder.path(), "out").unwrap_err().to_string();
    assert!(again.contains("such an experiment starts anew"), "{again}");
}

#[test]
fn properties_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let with = |name: &str| MUTANTS.replace("seed = 3", &format!("seed = 3\nproperties = [\"{name}\"]"));
    let missing = conduct(&with("nowhere"), folder.path(), "out").unwrap_err().to_string();
    assert!(missing.ends_with("there is no property `nowhere`"), "{missing}");
    let branching = conduct(&with("back"), folder.path(), "out").unwrap_err().to_string();
    assert!(branching.contains("`back` is a CTL formula"), "{branching}");
}

#[test]
fn a_model_grows_slower_than_its_states() {
    let folder = tempfile::tempdir().unwrap();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela/philosophers.pml");
    std::fs::copy(model, folder.path().join("philosophers.pml")).unwrap();
    let text = "[graph]\nmodel = \"philosophers.pml\"\ndefine = { N = \"2 to 5\" }\n";
    conduct(text, folder.path(), "out").unwrap();
    let rows = counts(folder.path(), "out/trials.csv");
    let column = |at: usize| rows.iter().map(|r| r[at].parse().unwrap()).collect::<Vec<u64>>();
    let steps: Vec<u64> = column(1).windows(2).map(|w| w[1] - w[0]).collect();
    assert!(steps.windows(2).all(|w| w[0] == w[1]), "the model grows by the same amount each time: {steps:?}");
    assert_eq!(column(2)[2], 80, "four philosophers have the states that their model states");
    assert!(folder.path().join("out/plots/graph.png").exists());
}

#[test]
fn errors_in_a_file_are_reported() {
    let said = |text: &str| {
        let found = read(Path::new("x.toml"), text);
        assert!(found.study.is_none() && found.experiment.is_none());
        render(&found.sources, &found.diagnostics, false)
    };
    for (file, message) in [
        ("[mutants]\ncount = 3", "needs a `model`"),
        ("[mutants]\nmodel = \"a.pml\"", "must be an SMV file"),
        (
            "[mutants]\nmodel = \"a.smv\"\nkinds = \"typo\"",
            "`typo` is no kind of fault; there are variable-replacement",
        ),
        ("[mutants]\nmodel = \"a.smv\"\nengines = [\"spin\"]", "`spin` is no engine of such a study"),
        ("[mutants]\nmodel = \"a.smv\"\nruns = 0", "at least 1"),
        ("[mutants]\nmodel = \"a.smv\"\nwalks = 3", "[mutants] has no setting `walks`"),
        ("[graph]\nmodel = \"a.pml\"", "[graph] needs `model` and `define`"),
        ("[graph]\nmodel = \"a.pml\"\ndefine = { N = 2, M = 3 }", "names one macro"),
        ("[mutants]\nmodel = \"a.smv\"\n[graph]\nmodel = \"a.pml\"", "files of their own"),
        ("seeds = 3\n[mutants]\nmodel = \"a.smv\"", "no `seeds`"),
    ] {
        assert!(said(file).contains(message), "{file}: {}", said(file));
    }
}
