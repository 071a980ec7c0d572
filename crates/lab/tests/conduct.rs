//! Experiments from end to end, in folders of their own.

mod bench;

use std::path::Path;

use bench::Bench;
use lurcher::engines::evidence;
use lurcher::{LoadOptions, Model, Question};
use lurcher_lab::{ExperimentObserver, Row, Settings, conduct, plan, read};
use lurcher_resources::StopSignal;
use lurcher_system::{Interpreter, Limits};
use lurcher_trace::{Evidence, StateEvidence, judge, read_json, read_states_json, replay};

const TINY: &str = r#"
title = "Tiny"
model = "philosophers.pml"
property = "deadlock"
seeds = "1 to 4"
define = { N = [3, 5] }
depth = "100 * processes"
walks = 50
time = "60s"

[[series]]
name = "guides"
guide = ["none", "local-distance"]
reverse = [false, true]
bias = "thesis"
show = ["time", "walks", "steps", "found-length", "length", "memory", "states"]
plots = ["steps", "time", "times"]
log = "y"

[[series.reference]]
name = "elsewhere"
quantity = "steps"
values = { 3 = 12.5, 5 = 20 }

[[series]]
name = "engines"
engine = ["walk", "trail", "auto", "bfs", "dfs"]
tries = true
traces = "first"
"#;

#[test]
fn a_tiny_experiment_leaves_tables_plots_and_traces_that_replay() {
    let bench = Bench::new();
    let done = bench.conduct(TINY, "out", |_| {}).unwrap();
    // Per size: four seeds each of unguided, guided and reversed walks, of trails and portfolios; two searches.
    assert_eq!((done.trials, done.ran, done.failed), (2 * (5 * 4 + 2), 44, 0));
    for file in ["plots/guides-steps", "plots/guides-time", "plots/guides-times", "plots/engines-tries"] {
        let svg = bench.text(&format!("out/{file}.svg"));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{file}");
        let png = std::fs::read(bench.path(&format!("out/{file}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() > 5000, "{file}");
    }
    let readme = bench.text("out/README.md");
    for part in ["# Tiny", "processor:", "`lurcher experiment tiny.toml`", "| N | unguided |", "elsewhere", "12.5"] {
        assert!(readme.contains(part), "no {part} in {readme}");
    }
    assert!(bench.text("out/tables/guides.md").contains("95 % confidence interval"));
    assert!(bench.text("out/summary.csv").lines().count() > 20);
    assert!(bench.text("out/tables/engines-tries.csv").lines().count() > 10);
    let mut traces = 0;
    for row in bench.counts("out").iter().filter(|r| !r.results.trace.is_empty()) {
        let (trail, property) = read_json(&bench.text(&format!("out/{}", row.results.trace))).unwrap();
        let (name, value) = row.parameters.define.split_once('=').unwrap();
        let options = LoadOptions { defines: vec![(name.to_owned(), value.to_owned())], ..LoadOptions::default() };
        let model = Model::load(&bench.path(&row.parameters.model), &options).unwrap();
        let model = model.processes().expect("a process model");
        let interpreter = Interpreter::new(model, Limits::for_model(model));
        let replayed = replay(&interpreter, &trail).unwrap();
        assert_eq!(judge(&interpreter, &replayed, &Default::default()), Evidence::Deadlock);
        assert_eq!((u64::from(replayed.length()), property.as_str()), (row.results.length.unwrap(), "deadlock"));
        traces += 1;
    }
    assert!(traces > 20, "{traces}");
}

#[test]
fn resuming_a_finished_experiment_runs_nothing_and_changes_nothing() {
    let bench = Bench::new();
    bench.conduct(TINY, "out", |_| {}).unwrap();
    let files = ["trials.csv", "summary.csv", "README.md", "tables/guides.md", "plots/guides-steps.svg"];
    let before = files.map(|f| bench.text(&format!("out/{f}")));
    let again = bench.conduct(TINY, "out", |s| s.resume = true).unwrap();
    assert_eq!((again.ran, again.known), (0, 44));
    assert_eq!(before, files.map(|f| bench.text(&format!("out/{f}"))));
}

#[test]
fn results_are_not_overwritten_by_accident() {
    let bench = Bench::new();
    bench.conduct(TINY, "out", |s| s.only = vec!["engine=bfs".to_owned()]).unwrap();
    let error = bench.conduct(TINY, "out", |_| {}).unwrap_err();
    assert!(error.to_string().contains("--resume"), "{error}");
}

#[test]
fn threads_and_interruptions_do_not_change_what_is_counted() {
    let bench = Bench::new();
    bench.conduct(TINY, "one", |_| {}).unwrap();
    bench.conduct(TINY, "two", |s| s.jobs = 2).unwrap();
    let some = bench.conduct(TINY, "parts", |s| s.only = vec!["series=guides".to_owned(), "N=5".to_owned()]).unwrap();
    assert_eq!((some.ran, some.trials), (12, 44));
    bench.conduct(TINY, "parts", |s| s.resume = true).unwrap();
    assert_eq!(bench.counts("one"), bench.counts("two"));
    assert_eq!(bench.counts("one"), bench.counts("parts"));
}

#[test]
fn rows_of_trials_that_the_file_no_longer_names_are_kept() {
    let bench = Bench::new();
    bench.conduct(TINY, "out", |_| {}).unwrap();
    let smaller = TINY.replace("N = [3, 5]", "N = [5]");
    let done = bench.conduct(&smaller, "out", |s| s.resume = true).unwrap();
    assert_eq!((done.ran, done.trials, bench.counts("out").len()), (0, 22, 44));
    let back = bench.conduct(TINY, "out", |s| s.resume = true).unwrap();
    assert_eq!((back.ran, back.known), (0, 44));
}

#[test]
fn an_observer_is_told_of_every_trial() {
    #[derive(Default)]
    struct Count(usize, usize, usize);
    impl ExperimentObserver for Count {
        fn planned(&mut self, trials: usize, known: usize) {
            (self.0, self.1) = (trials, known);
        }
        fn finished(&mut self, row: &Row) {
            self.2 += usize::from(row.results.is_violated() || row.results.verdict == "inconclusive");
        }
    }
    let bench = Bench::new();
    let found = read(&bench.path("tiny.toml"), TINY);
    let experiment = found.experiment.unwrap();
    let plan = plan(&experiment).unwrap();
    let only = vec!["engine=walk".to_owned(), "N=3".to_owned()];
    let settings = Settings { folder: bench.path("out"), jobs: 2, resume: false, only, command: String::new() };
    let mut count = Count::default();
    conduct(&experiment, &plan, &settings, &StopSignal::default(), &mut count).unwrap();
    assert_eq!((count.0, count.1, count.2), (12, 0, 12));
}

#[test]
fn spin_is_one_more_column() {
    if std::process::Command::new("spin").arg("-V").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "spin is missing, and CI must compare with it");
        eprintln!("SKIPPED: spin is not installed");
        return;
    }
    let text = r#"
model = "philosophers.pml"
property = "deadlock"
define = { N = 4 }
spin = { time = "60s", memory = "1G" }

[[series]]
name = "peers"
"#;
    let bench = Bench::new();
    bench.conduct(text, "out", |_| {}).unwrap();
    let rows = bench.counts("out");
    let spin = rows.iter().find(|r| r.parameters.engine == "spin").expect("a row about Spin");
    assert_eq!((spin.results.verdict.as_str(), spin.results.kind.as_str()), ("violated", "invalid end state"));
    assert!(spin.results.length.is_some_and(|l| l >= 8) && spin.results.states.is_some_and(|s| s > 0));
    assert!(
        bench.text("out/README.md").contains("| N | Spin | walk |")
            || bench.text("out/README.md").contains("| size | Spin | walk |")
    );
    let unlikely = text.replace("60s", "0s");
    bench.conduct(&unlikely, "short", |_| {}).unwrap();
    let rows = bench.counts("short");
    let spin = rows.iter().find(|r| r.parameters.engine == "spin").expect("a row about Spin");
    assert!(["time", "violation"].contains(&spin.results.stop.as_str()), "{:?}", spin.results);
}

const RELATIONS: &str = r#"
title = "Relations"
model = "leader-flawed-{N}.smv"
property = "one_leader"
define = { N = [4, 6] }
seeds = [1, 2]
time = "60s"
depth = "100 * N"
minimise = false

[[series]]
name = "engines"
engine = ["walk", "trail", "lurch", "auto", "bfs", "bdd", "bdd-plain", "sgmc", "symbolic-walk", "symbolic-trail"]
guide = ["none", "abstraction"]
drop = ["auto", "*.started"]
reverse = [false, true]
"#;

#[test]
fn relations_are_hunted_with_every_engine_and_their_traces_show_the_violation() {
    let bench = Bench::new();
    for size in [4, 6] {
        let name = format!("leader-flawed-{size}.smv");
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/smv").join(&name);
        std::fs::copy(model, bench.path(&name)).expect("the model is copied");
    }
    let done = bench.conduct(RELATIONS, "out", |_| {}).unwrap();
    // Per size: four kinds of walks, unguided and with two abstractions in two directions, LURCH and the portfolio, with two
    // seeds each; three searches, and SGMC with two abstractions.
    assert_eq!((done.trials, done.ran, done.failed), (2 * (2 * (4 * 5 + 2) + 5), 98, 0));
    let readme = bench.text("out/README.md");
    for part in ["| N |", "symbolic-trail, abstraction manu reversed", "sgmc, abstraction auto"] {
        assert!(readme.contains(part), "no {part} in {readme}");
    }
    for row in bench.counts("out") {
        assert_eq!(row.results.verdict, "violated", "{row:?}");
        let mut model = lurcher::load(bench.path(&row.parameters.model)).unwrap();
        let property = model.resolve(&Question::Named("one_leader".to_owned())).unwrap().remove(0);
        let relation = model.relation().expect("SMV models are relations");
        let (run, _) = read_states_json(relation, &bench.text(&format!("out/{}", row.results.trace))).unwrap();
        assert!(evidence(relation, &run, &property).is_ok_and(|e| e != StateEvidence::None), "{row:?}");
        let shortest = if row.parameters.define == "N=4" { 10 } else { 16 };
        let length = row.results.length.unwrap();
        let optimal = ["bfs", "bdd-plain", "sgmc"].contains(&row.parameters.engine.as_str());
        assert!(length == shortest || length > shortest && !optimal, "{row:?}");
    }
}

#[test]
fn symbolic_engines_run_on_models_made_of_processes() {
    let bench = Bench::new();
    let text = r#"
title = "Processes"
model = "philosophers.pml"
property = "deadlock"
define = { N = [2, 3] }
seeds = "1 to 2"
walks = 50
time = "60s"

[[series]]
name = "symbolic"
engine = ["walk", "bdd", "sgmc", "symbolic-walk", "symbolic-trail"]
guide = ["none", "local-distance", "abstraction"]
drop = ["auto", "taken*"]
reverse = [false, true]
"#;
    let conducted = bench.conduct(text, "out", |_| {}).expect("it runs");
    // Per size: symbolic walks and trails, unguided and with two abstractions in two directions, and walks with local
    // distances in two directions as well, with two seeds each; bdd, and SGMC with two abstractions.
    assert_eq!(conducted.ran, 2 * (2 * (2 * 5 + 7) + 1 + 2));
    let rows = bench.counts("out");
    let missed: Vec<&Row> = rows.iter().filter(|r| r.results.verdict != "violated").collect();
    assert!(missed.is_empty(), "{missed:?}");
    let lengths = |n: &str, engine: &str| -> Vec<Option<u64>> {
        let same = |r: &&Row| r.parameters.define == format!("N={n}") && r.parameters.engine == engine;
        rows.iter().filter(same).map(|r| r.results.length).collect()
    };
    assert_eq!(lengths("3", "sgmc"), [Some(6), Some(6)]);
    let named = rows.iter().filter(|r| r.parameters.guide == "abstraction without taken[0] taken[1]").count();
    assert_eq!(named, 2 * (2 * 3) + 1, "N=2: two directions of three kinds of walks with two seeds, and SGMC");
    let wrong = [
        ("taken*\"]", "unknown*\"]", "no variable matches `unknown*`"),
        ("\"sgmc\"", "\"bdd-plain\"", "bdd-plain is for relations"),
    ];
    for (change, with, said) in wrong {
        let found = read(&bench.path("wrong.toml"), &text.replace(change, with));
        let wrong = plan(&found.experiment.expect("it can be read")).expect_err("it cannot be run");
        assert!(wrong.iter().any(|d| d.message.contains(said)), "{wrong:?}");
    }
}
