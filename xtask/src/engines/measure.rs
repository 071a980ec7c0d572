//! Running engines on one property.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Target;

/// Engines by the names that tables and recommendations use, with their arguments; those that are seldom slow first,
/// so that the others know when they have lost.
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

/// Engines that do the same whatever the seed.
const SEEDLESS: [&str; 3] = ["bdd", "sgmc", "bfs"];

/// What was measured for one property.
pub(super) struct Measured {
    pub model: String,
    pub property: String,
    /// Of the state that decides the property, where they are known.
    pub bits: Option<u64>,
    /// Kinds of steps; processes where there are some.
    pub transitions: u64,
    pub pep: Option<f64>,
    pub recommended: String,
    /// Milliseconds of each engine, and of `auto`; none where it was not found in time.
    pub times: Vec<(&'static str, Option<f64>)>,
    pub auto: Option<f64>,
}

/// How engines are run.
#[derive(Clone, Copy)]
pub(super) struct Running<'p> {
    pub lurcher: &'p Path,
    pub seeds: u64,
    /// Seconds by the clock for each second of processor time.
    pub patience: f64,
}

/// Measures all engines; nothing when the property cannot be read.
pub(super) fn measure(running: Running<'_>, target: &Target) -> Option<Measured> {
    let (facts, reading) = analyze(running, target)?;
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
        let time = median(Running { seeds, ..running }, target, arguments, &mut best, reading);
        times.push((name, time));
    }
    let auto = median(running, target, &["--engine", "auto"], &mut best, reading);
    Some(Measured {
        model: target.model.file_stem()?.to_string_lossy().into_owned(),
        property: target.property.clone(),
        bits: property["cone_bits"].as_u64().or(facts["bits"].as_u64()).or(property["bits"].as_u64()),
        transitions: facts["transitions"].as_u64().or(processes)?,
        pep: property["pep"].as_f64().or(property["static_pep"].as_f64()),
        recommended,
        times,
        auto,
    })
}

/// What `analyze` says, and the milliseconds that it takes.
fn analyze(running: Running<'_>, target: &Target) -> Option<(Value, f64)> {
    let arguments = ["analyze", &target.model.display().to_string(), "--property", &target.property, "--json"];
    let mut times = Vec::new();
    let mut said = None;
    for _ in 0..3 {
        let (output, time) = timed(running, &arguments, 60.0)?;
        times.push(time);
        said = serde_json::from_str(&output).ok();
    }
    Some((said?, middle(times)))
}

/// The median over seeds; none when most seeds found nothing.
fn median(running: Running<'_>, target: &Target, arguments: &[&str], best: &mut f64, reading: f64) -> Option<f64> {
    // Ten times the best and a bit.
    let limit = if best.is_finite() { 0.6 + *best / 100.0 } else { 20.0 };
    let model = target.model.display().to_string();
    let mut times = Vec::new();
    for seed in 1..=running.seeds {
        let seed = seed.to_string();
        let mut all = vec!["hunt", &model, "--property", &target.property, "--seed", &seed];
        all.extend(["--jobs", "1", "--no-minimise", "--time", "1h", "--memory", "1G", "--json"]);
        all.extend(arguments);
        let time = timed(running, &all, limit).filter(|(text, _)| text.contains("\"violated\""));
        let time = time.map_or(f64::INFINITY, |(_, time)| (time - reading).max(0.0));
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

/// Runs the program for so many seconds of processor time at most, rounded up, and for as long by the clock as patience
/// allows; gives what it prints and the milliseconds of processor time that it used.
fn timed(running: Running<'_>, arguments: &[&str], limit: f64) -> Option<(String, f64)> {
    let script = "TIMEFORMAT='processor %3U %3S'; ulimit -t \"$1\"; shift; time timeout -k 1 \"$@\" 2>/dev/null";
    let (processor, clock) = (limit.ceil().to_string(), (limit * running.patience).to_string());
    let output = Command::new("bash")
        .args(["-c", script, "bash", &processor, &clock])
        .arg(running.lurcher)
        .args(arguments)
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().rev().find_map(|l| l.strip_prefix("processor "))?;
    let seconds: f64 = line.split(' ').filter_map(|n| n.parse::<f64>().ok()).sum();
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), seconds * 1000.0))
}
