//! Techniques compared within an experiment: effort, normalised quantities, and tests.

mod bench;

use bench::Bench;
use lurcher_lab::{plan, read};

const COMPARED: &str = r#"
title = "Compared"
model = "philosophers.pml"
property = "deadlock"
define = { N = [3, 24] }
seeds = "1 to 12"
depth = "none"
minimise = false
states = 200

[[series]]
name = "searches"
engine = ["bfs", "astar", "random-dfs", "random-best-first"]
guide = "local-distance-max"
show = ["effort", "normalised", "states"]

[[compare]]
name = "guided"
first = "engine=random-dfs"
second = "engine=random-best-first"
quantities = ["states", "expanded", "found-length"]
"#;

/// The cells of the lines of a CSV file without its head.
fn cells(text: &str) -> Vec<Vec<String>> {
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.trim_matches('"').to_owned()).collect()).collect()
}

#[test]
fn failed_trials_are_seen_in_every_table() {
    let bench = Bench::new();
    bench.conduct(COMPARED, "out", |_| {}).unwrap();
    let rows = bench.counts("out");
    let count = |define: &str, engine: &str| {
        let of = || rows.iter().filter(|r| r.parameters.define == define && r.parameters.engine == engine);
        (of().filter(|r| r.results.verdict == "violated").count(), of().count())
    };
    let (found, all) = count("N=24", "random-dfs");
    assert!(0 < found && found < all && all == 12, "{found} of {all}: the limit is to stop some trials");
    assert_eq!(count("N=24", "bfs"), (0, 1), "the limit is to stop this search");

    // Path error density counts the failed trials.
    let density = found as f64 / 12.0;
    let summary = cells(&bench.text("out/summary.csv"));
    let line = |engine: &str| {
        let is_wanted = |l: &&Vec<String>| l[1] == "24" && l[2].starts_with(engine) && l[3] == "path-error-density";
        summary.iter().find(is_wanted).unwrap_or_else(|| panic!("no {engine} in {summary:?}"))
    };
    assert_eq!((line("random-dfs")[4].as_str(), line("random-dfs")[5].clone()), ("12", found.to_string()));
    assert!((line("random-dfs")[7].parse::<f64>().unwrap() - density).abs() < 1e-12);
    assert_eq!(line("bfs")[7], "0");
    let readme = bench.text("out/README.md");
    for part in [
        format!("({found}/12)"),
        "| 24 | philosophers.pml | bfs | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 |".to_owned(),
        "| N | subject |  | bfs | astar".to_owned(),
    ] {
        assert!(readme.contains(&part), "no {part} in {readme}");
    }
    // The effort of a search that was stopped has a star, and its length says what stopped it.
    let effort: Vec<&str> = readme.lines().filter(|l| l.starts_with("| 24 | philosophers.pml | ")).collect();
    let bfs = |letter: &str| {
        let line = effort.iter().find(|l| l.split(" | ").nth(2) == Some(letter)).expect("a line of the table");
        line.split(" | ").nth(3).unwrap().to_owned()
    };
    assert!(bfs("s").ends_with('*') && bfs("e").ends_with('*') && bfs("t").ends_with('*'), "{effort:?}");
    assert_eq!(bfs("l"), "states");
}

#[test]
fn normalised_values_are_1_for_the_best_trial_of_a_subject_and_0_for_the_worst() {
    let bench = Bench::new();
    bench.conduct(COMPARED, "out", |_| {}).unwrap();
    let lines = cells(&bench.text("out/normalised.csv"));
    for size in ["3", "24"] {
        for quantity in ["states", "found-length"] {
            let of = lines.iter().filter(|l| l[1] == size && l[4] == quantity && !l[7].is_empty());
            let (worst, best): (Vec<f64>, Vec<f64>) =
                of.map(|l| (l[7].parse::<f64>().unwrap(), l[9].parse::<f64>().unwrap())).unzip();
            assert!(best.contains(&1.0) && worst.contains(&0.0), "{quantity} of {size}: {worst:?} to {best:?}");
            assert!(best.iter().chain(&worst).all(|v| (0.0..=1.0).contains(v)));
        }
    }
}

#[test]
fn a_comparison_has_a_test_for_each_quantity_and_a_plot_like_the_figure_of_the_paper() {
    let bench = Bench::new();
    bench.conduct(COMPARED, "out", |_| {}).unwrap();
    let tests = cells(&bench.text("out/comparisons.csv"));
    let about: Vec<(&str, &str)> = tests.iter().map(|t| (t[1].as_str(), t[3].as_str())).collect();
    assert_eq!(tests.len(), 2 * 4, "{about:?}");
    // The second technique finds nothing in the larger model, so that there are no lengths to compare.
    let (made, not_made): (Vec<_>, Vec<_>) = tests.iter().partition(|test| !test[test.len() - 1].is_empty());
    assert!(not_made.iter().all(|test| (test[2].as_str(), test[3].as_str()) == (" N=24", "found-length")));
    for test in made {
        let number = |column: usize| test[column].parse::<f64>().unwrap_or_else(|e| panic!("{test:?}: {e}"));
        let width = test.len();
        let (better, p, adjusted) = (number(width - 3), number(width - 2), number(width - 1));
        assert!((0.0..=1.0).contains(&better) && p > 0.0 && p <= adjusted && adjusted <= 1.0, "{test:?}");
    }
    let readme = bench.text("out/README.md");
    assert!(readme.contains("## random-dfs and random-best-first"), "{readme}");
    assert!(readme.contains("Of 7 tests, after Holm's correction") && readme.contains("Fisher, exact"), "{readme}");
    assert!(readme.contains("no trials to compare"), "{readme}");
    let svg = bench.text("out/plots/guided-normalised.svg");
    for part in ["all quantities", "path error density", "random-best-first", "best", "worst"] {
        assert!(svg.contains(part), "no {part}");
    }
    // Counts do not depend on the run, so neither do the tests.
    bench.conduct(COMPARED, "again", |s| s.jobs = 2).unwrap();
    assert_eq!(tests, cells(&bench.text("again/comparisons.csv")));
}

#[test]
fn comparisons_that_choose_no_pair_of_techniques_are_refused() {
    let bench = Bench::new();
    let refused = |change: &str, with: &str| {
        let found = read(&bench.path("wrong.toml"), &COMPARED.replace(change, with));
        match found.experiment {
            None => found.diagnostics.into_iter().map(|d| d.message).collect::<String>(),
            Some(experiment) => plan(&experiment).expect_err(with).into_iter().map(|d| d.message).collect(),
        }
    };
    let wrong = [
        ("first = \"engine=random-dfs\"", "first = \"engine=dfs\"", "no trial matches all patterns of `first`"),
        ("first = \"engine=random-dfs\"", "first = \"engine=*\"", "`first` matches several techniques: bfs; astar"),
        ("first = \"engine=random-dfs\"", "first = \"engine=random-best*\"", "are the same technique"),
        ("first = \"engine=random-dfs\"", "first = \"random-dfs\"", "is no pattern of trials"),
        ("first = \"engine=random-dfs\"", "", "needs `first` and `second`"),
        ("first = \"engine=random-dfs\"", "first = [\"engine=random-dfs\", \"N=4\"]", "no trial matches"),
        ("name = \"guided\"", "series = \"guided\"", "there is no series `guided`"),
        ("name = \"guided\"", "colour = \"red\"", "a comparison has no `colour`"),
    ];
    for (change, with, said) in wrong {
        assert!(refused(change, with).contains(said), "{with}: {}", refused(change, with));
    }
}
