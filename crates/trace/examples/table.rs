//! Prints how much shorter traces of random walks become: found and minimised lengths, work and time.
//!
//! `cargo run --release -p lurcher-trace --example table -- [SEEDS [EXPANSIONS [NAME]]]`

use std::path::Path;
use std::time::{Duration, Instant};

use lurcher::{LoadOptions, Model};
use lurcher_search::FoundKind;
use lurcher_system::{Interpreter, Limits, Move};
use lurcher_trace::Question;
use lurcher_trace::minimise::{Found, MinimiseBudget, minimise};
use rand::SplitMix;

#[path = "../src/minimise/rand.rs"]
mod rand;

/// Model, number of processes, length of a walk, shortest trace where it is known.
const ROWS: [(&str, u32, usize, Option<u32>); 18] = [
    ("philosophers", 10, 50_000, Some(20)),
    ("philosophers", 30, 50_000, Some(60)),
    ("philosophers", 50, 50_000, Some(100)),
    ("philosophers", 100, 50_000, Some(200)),
    ("philosophers", 1000, 200_000, Some(2000)),
    ("mutex-flawed", 3, 5_000, Some(9)),
    ("mutex-flawed", 8, 5_000, Some(9)),
    ("mutex-flawed", 30, 5_000, Some(9)),
    ("leader-flawed", 3, 5_000, Some(25)),
    ("leader-flawed", 4, 5_000, Some(29)),
    ("leader-flawed", 6, 5_000, None),
    ("leader-flawed", 8, 5_000, None),
    ("leader-flawed", 12, 5_000, None),
    ("leader-flawed", 20, 20_000, None),
    ("peterson-n-flawed", 3, 5_000, Some(41)),
    ("peterson-n-flawed", 4, 5_000, Some(84)),
    ("peterson-n-flawed", 7, 50_000, None),
    ("peterson-n-flawed", 11, 100_000, None),
];

fn main() {
    let argument = |n: usize| std::env::args().nth(n);
    let seeds: u64 = argument(1).map_or(10, |a| a.parse().expect("a number of seeds"));
    let expansions = argument(2).map_or(200_000, |a| a.parse().expect("a number of expansions"));
    println!("| model | N | found | minimised | longest | shortest known | proven | expansions | seconds |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (model, n, depth, shortest) in ROWS {
        if argument(3).is_none_or(|name| format!("{model}-{n}").contains(&name)) {
            let row = row(model, n, depth, seeds, expansions);
            let shortest = shortest.map_or("?".to_owned(), |s| s.to_string());
            let mean = |sum: f64| sum / row.count;
            println!(
                "| {model} | {n} | {:.0} | {:.1} | {} | {shortest} | {:.0} % | {:.0} | {:.2} |",
                mean(row.found),
                mean(row.length),
                row.longest,
                100.0 * mean(row.proven),
                mean(row.expansions),
                mean(row.time.as_secs_f64())
            );
        }
    }
}

#[derive(Default)]
struct Row {
    count: f64,
    found: f64,
    length: f64,
    longest: u32,
    proven: f64,
    expansions: f64,
    time: Duration,
}

fn row(model: &str, n: u32, depth: usize, seeds: u64, expansions: u64) -> Row {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/promela/{model}.pml"));
    let options = LoadOptions { defines: vec![("N".to_owned(), n.to_string())], ..LoadOptions::default() };
    let model = Model::load(&path, &options).expect("a model");
    let model = model.processes().expect("a process model");
    let interpreter = Interpreter::new(model, Limits::for_model(model));
    let mut row = Row::default();
    for seed in 0..seeds {
        let mut draw = SplitMix(seed << 32);
        let Some((kind, moves)) = (0..100).find_map(|_| walk(&interpreter, &mut draw, depth)) else { continue };
        let started = Instant::now();
        let budget = MinimiseBudget { expansions, ..MinimiseBudget::default() };
        let found = Found { kind: &kind, moves: &moves, cycle_start: None, fair: false };
        let result = minimise(&interpreter, &Question::default(), &found, &budget, &mut ());
        row.time += started.elapsed();
        row.count += 1.0;
        row.found += f64::from(result.found_length);
        row.length += f64::from(result.length);
        row.longest = row.longest.max(result.length);
        row.proven += f64::from(u8::from(result.optimal));
        row.expansions += result.expansions as f64;
    }
    row
}

/// Draws uniformly among all moves until a violation is found.
fn walk(interpreter: &Interpreter<'_>, draw: &mut SplitMix, depth: usize) -> Option<(FoundKind, Vec<Move>)> {
    let mut state = interpreter.initial().ok()?;
    let (mut possible, mut moves) = (Vec::new(), Vec::new());
    for _ in 0..depth {
        interpreter.moves(&state, &mut possible);
        if possible.is_empty() {
            let stuck = state.process_count() > 0 && !interpreter.is_valid_end(&state);
            return stuck.then_some((FoundKind::Deadlock, moves));
        }
        let step = possible[draw.below(possible.len())];
        moves.push(step);
        if let Some(violation) = interpreter.apply(&mut state, &step) {
            return Some((FoundKind::Step(violation), moves));
        }
    }
    None
}
