//! Running engines on one property.

use std::path::Path;
use std::time::Duration;

use lurcher_lab::peers::child::Bounds;
use lurcher_lab::peers::lurcher;
use serde_json::Value;

use super::Target;
use crate::repository::stem;

/// Engines as tables and recommendations name them, with their arguments. Those that are seldom slow come first, so that the
/// others are stopped early.
pub(super) const ENGINES: [(&str, &[&str]); 12] = [
    ("bdd", &["--engine", "bdd"]),
    ("walk", &["--engine", "walk"]),
    ("trail", &["--engine", "trail"]),
    ("lurch", &["--engine", "lurch"]),
    ("sgmc", &["--engine", "sgmc"]),
    ("guided walk", &["--engine", "walk", "--guide", "abstraction"]),
    ("guided trail", &["--engine", "trail", "--guide", "abstraction"]),
    ("srmc walk", &["--engine", "symbolic-walk"]),
    ("srmc trail", &["--engine", "symbolic-trail"]),
    ("sgrmc walk", &["--engine", "symbolic-walk", "--guide", "abstraction"]),
    ("sgrmc trail", &["--engine", "symbolic-trail", "--guide", "abstraction"]),
    ("bfs", &["--engine", "bfs"]),
];

/// Engines without a seed.
const SEEDLESS: [&str; 3] = ["bdd", "sgmc", "bfs"];

/// The measurements of one property.
pub(super) struct Measured {
    pub model: String,
    pub property: String,
    /// Bits of the state that the property depends on, where known.
    pub bits: Option<u64>,
    /// Transitions of the relation; processes of a Promela model.
    pub transitions: u64,
    /// Process error participation.
    pub pep: Option<f64>,
    pub recommended: String,
    /// Milliseconds of each engine; none where it found nothing in time.
    pub times: Vec<(&'static str, Option<f64>)>,
    /// Milliseconds of `--engine auto`.
    pub auto: Option<f64>,
}

/// The program under test and how often and how long it runs.
#[derive(Clone, Copy)]
pub(super) struct Running<'p> {
    pub lurcher: &'p Path,
    pub seeds: u64,
    /// Wall-clock seconds for each second of processor time.
    pub patience: f64,
}

/// Measures all engines; nothing when `analyze` fails.
pub(super) fn measure(running: Running<'_>, target: &Target) -> Option<Measured> {
    let (facts, loading) = analyze(running, target)?;
    let property = facts["properties"].get(0).or(facts["targets"].get(0))?;
    let processes = facts["processes"].as_u64();
    let recommended = property["recommendation"]["engine"].as_str().unwrap_or("").to_owned();
    let mut best = f64::INFINITY;
    let mut times = Vec::new();
    for (name, arguments) in ENGINES {
        if name == "lurch" && processes.is_some() {
            times.push((name, None));
            continue;
        }
        let seeds = if SEEDLESS.contains(&name) { 1 } else { running.seeds };
        let time = median(Running { seeds, ..running }, target, arguments, &mut best, loading);
        times.push((name, time));
    }
    let auto = median(running, target, &["--engine", "auto"], &mut best, loading);
    Some(Measured {
        model: stem(&target.model),
        property: target.property.clone(),
        bits: property["cone_bits"].as_u64().or(facts["bits"].as_u64()).or(property["bits"].as_u64()),
        transitions: facts["transitions"].as_u64().or(processes)?,
        pep: property["pep"].as_f64().or(property["static_pep"].as_f64()),
        recommended,
        times,
        auto,
    })
}

/// The report of `analyze`, and its milliseconds.
fn analyze(running: Running<'_>, target: &Target) -> Option<(Value, f64)> {
    let arguments = ["analyze", &target.model.display().to_string(), "--property", &target.property];
    let mut times = Vec::new();
    let mut said = None;
    for _ in 0..3 {
        let (output, time) = timed(running, &arguments, 60.0)?;
        times.push(time);
        said = serde_json::from_str(&output).ok();
    }
    Some((said?, middle(times)))
}

/// The median of the seeds; none when most seeds found nothing.
fn median(running: Running<'_>, target: &Target, arguments: &[&str], best: &mut f64, loading: f64) -> Option<f64> {
    // Seconds: ten times the best and 0.6.
    let limit = if best.is_finite() { 0.6 + *best / 100.0 } else { 20.0 };
    let model = target.model.display().to_string();
    let mut times = Vec::new();
    for seed in 1..=running.seeds {
        let seed = seed.to_string();
        let mut all = vec!["hunt", &model, "--property", &target.property, "--seed", &seed];
        all.extend(["--jobs", "1", "--no-minimise", "--time", "1h", "--memory", "1G"]);
        all.extend(arguments);
        let time = timed(running, &all, limit).filter(|(text, _)| text.contains("\"violated\""));
        let time = time.map_or(f64::INFINITY, |(_, time)| (time - loading).max(0.0));
        times.push(time);
        if time > 200.0 + 5.0 * *best {
            break;
        }
    }
    let middle = middle(times);
    *best = best.min(middle);
    middle.is_finite().then_some(middle)
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Runs lurcher for at most `limit` seconds of processor time, rounded up, and returns its output and the milliseconds of
/// processor time that it used.
fn timed(running: Running<'_>, arguments: &[&str], limit: f64) -> Option<(String, f64)> {
    let time = Duration::from_secs_f64(limit * running.patience);
    let bounds = Bounds { processor: Some(limit.ceil() as u64), ..Bounds::time(time) };
    let run = lurcher::run(running.lurcher, arguments, bounds).ok()?;
    Some((run.stdout, run.usage.processor * 1000.0))
}
