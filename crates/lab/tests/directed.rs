//! Directed and randomised searches in experiments.

mod bench;

use bench::Bench;
use lurcher_lab::Row;

const SEARCHES: &str = r#"
title = "Searches"
model = "philosophers.pml"
property = "deadlock"
define = { N = 4 }
seeds = "1 to 3"
depth = "none"
minimise = false

[[series]]
name = "searches"
engine = ["bfs", "dfs", "best-first", "astar", "idastar", "random-best-first", "random-n-best", "random-successors", "random-dfs"]
guide = ["none", "local-distance-max"]
choices = 3
weight = 1
"#;

/// Whether a row is of an engine, whatever its options.
fn is_of(row: &Row, engine: &str) -> bool {
    row.parameters.engine.split(' ').next() == Some(engine)
}

#[test]
fn directed_searches_run_once_and_randomised_ones_for_each_seed() {
    let bench = Bench::new();
    let done = bench.conduct(SEARCHES, "out", |_| {}).unwrap();
    // Two blind searches and a random one, and three directed and three randomised ones with and without a guide.
    assert_eq!((done.trials, done.ran, done.failed), (2 + 3 + 2 * (3 + 3 * 3), 29, 0));
    let rows = bench.counts("out");
    let of = |engine: &str| -> Vec<&Row> { rows.iter().filter(|r| is_of(r, engine)).collect() };
    let shortest = of("bfs")[0].results.length;
    for row in &rows {
        let results = &row.results;
        assert_eq!((results.verdict.as_str(), results.stop.as_str()), ("violated", "violation"), "{row:?}");
        assert!(results.expanded.is_some_and(|e| e > 0) && results.length >= shortest, "{row:?}");
    }
    assert!([of("astar"), of("idastar")].concat().iter().all(|r| r.results.length == shortest));
    let counts = |engine: &str| -> Vec<_> { of(engine).iter().map(|r| (r.results.states, r.results.steps)).collect() };
    for engine in ["random-best-first", "random-n-best", "random-successors", "random-dfs"] {
        let mut counts = counts(engine);
        let trials = counts.len();
        counts.sort_unstable();
        counts.dedup();
        assert!(counts.len() > 1, "{trials} trials of {engine} with different seeds are all alike");
    }
    let seeds = |engine: &str| of(engine).iter().map(|r| r.parameters.seed.as_str()).collect::<Vec<_>>().join(" ");
    assert_eq!((seeds("random-dfs"), seeds("astar")), ("1 2 3".to_owned(), " ".to_owned()));
    bench.conduct(SEARCHES, "two", |s| s.jobs = 2).unwrap();
    assert_eq!(rows, bench.counts("two"));
}

#[test]
fn a_directed_search_chooses_its_guide_where_the_file_names_none_and_keeps_the_options_of_the_file() {
    let bench = Bench::new();
    let open = SEARCHES.replace("guide = [\"none\", \"local-distance-max\"]", "reduction = \"auto\"");
    bench.conduct(&open, "out", |_| {}).unwrap();
    bench.conduct(&open.replace("\"auto\"", "\"none\""), "whole", |_| {}).unwrap();
    let states = |out: &str, engine: &str| {
        let row = bench.counts(out).into_iter().find(|r| is_of(r, engine));
        row.expect("a row").results.states.unwrap()
    };
    assert!(states("out", "bfs") < states("whole", "bfs"), "partial-order reduction is turned on by the file");
    bench.conduct(SEARCHES, "blind", |s| s.only = vec!["guide=none".to_owned()]).unwrap();
    assert!(states("whole", "astar") < states("blind", "astar"), "a guide is chosen");
}

#[test]
fn a_trial_that_reaches_its_limit_is_a_row_that_says_so() {
    let bench = Bench::new();
    let short = SEARCHES.replace("depth =", "states = 30\ndepth =");
    bench.conduct(&short, "out", |s| s.only = vec!["engine=random*".to_owned()]).unwrap();
    let rows = bench.counts("out");
    let stops: Vec<&str> = rows.iter().map(|r| r.results.stop.as_str()).collect();
    assert!(stops.contains(&"states") && stops.iter().all(|s| ["states", "violation"].contains(s)), "{stops:?}");
}
