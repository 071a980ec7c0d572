//! `cargo xtask hunts`: does a plain `lurcher hunt` find what it should, whatever the seed?
//!
//! Every property that the header of a model says is violated is hunted with many seeds. The table shows how often it was found,
//! how long the reported traces are against the shortest, how long it took, and who won. It fails when a hunt
//! misses, or when traces are more than a tenth longer than the shortest on average.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::options::Binary;
use crate::peers::header::Header;
use crate::peers::{table, tools};

/// What to hunt, and how often.
#[derive(clap::Args)]
pub struct Options {
    /// Hunt in these models, not those of models/promela
    models: Vec<PathBuf>,
    /// Seeds 1 to N
    #[arg(long, value_name = "N", default_value_t = 50)]
    seeds: u64,
    #[command(flatten)]
    binary: Binary,
    /// Further arguments of `lurcher hunt`, separated by blanks
    #[arg(long, value_name = "ARGUMENTS", default_value = "", allow_hyphen_values = true)]
    with: String,
}

/// What the hunts for one property came to.
#[derive(Default)]
struct Tally {
    lengths: Vec<u64>,
    times: Vec<Duration>,
    missed: u64,
    winners: BTreeMap<String, u64>,
}

/// Runs the hunts: 0 all well, 1 something was missed or is too long, 2 something is missing.
pub fn run(options: &Options) -> ExitCode {
    match try_run(options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("hunts: {reason}");
            ExitCode::from(2)
        }
    }
}

fn try_run(options: &Options) -> Result<bool, String> {
    let lurcher = options.binary.find()?;
    let models = match options.models.as_slice() {
        [] => in_folder(&tools::repository().join("models/promela"))?,
        given => given.to_vec(),
    };
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    let mut missed = 0;
    for model in &models {
        let text = std::fs::read_to_string(model).map_err(|e| format!("{}: {e}", model.display()))?;
        let header = Header::read(&text);
        for (what, arguments) in violated(&header) {
            let tally = hunt(&lurcher, model, &arguments, options)?;
            let shortest = header.get("shortest").filter(|_| what == "safety").and_then(|s| s.parse::<f64>().ok());
            let mean = tally.lengths.iter().sum::<u64>() as f64 / tally.lengths.len().max(1) as f64;
            if let Some(shortest) = shortest {
                ratios.push(mean / shortest);
            }
            missed += tally.missed;
            rows.push(row(model, &what, shortest, mean, &tally));
        }
    }
    let heads = ["model", "property", "found", "shortest", "mean length", "longest", "mean s", "longest s", "won by"];
    println!("{}", table::render(&heads, &rows));
    let ratio = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    println!("{} properties, {} seeds each, {missed} hunts without a violation", rows.len(), options.seeds);
    println!("reported length over shortest length, mean of {} properties: {ratio:.3}", ratios.len());
    Ok(missed == 0 && ratio <= 1.1)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut models: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    models.retain(|p| p.extension().is_some_and(|e| e == "pml"));
    models.sort();
    Ok(models)
}

/// The properties that a header says are violated, with the arguments that choose them.
fn violated(header: &Header) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    if header.get("expect") == Some("violated") {
        all.push(("safety".to_owned(), vec!["--no-claims".to_owned()]));
    }
    for (key, _) in header.claims().filter(|(_, verdict)| *verdict == "violated") {
        let (name, fair) = key.strip_suffix(" fair").map_or((key, false), |name| (name, true));
        let property = name.strip_prefix("ltl ").unwrap_or(name);
        let mut arguments = vec!["--property".to_owned(), property.to_owned()];
        if fair {
            arguments.push("--fair".to_owned());
        }
        all.push((key.to_owned(), arguments));
    }
    all
}

fn hunt(lurcher: &Path, model: &Path, arguments: &[String], options: &Options) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for seed in 1..=options.seeds {
        let started = Instant::now();
        let output = Command::new(lurcher)
            .arg("hunt")
            .arg(model)
            .args(arguments)
            .args(["--json", "--seed", &seed.to_string()])
            .args(options.with.split_whitespace())
            .output()
            .map_err(|e| format!("{}: {e}", lurcher.display()))?;
        tally.times.push(started.elapsed());
        let object: Value = serde_json::from_slice(&output.stdout)
            .map_err(|e| format!("{}: {e}: {}", model.display(), String::from_utf8_lossy(&output.stderr)))?;
        match object["trace"]["length"].as_u64().filter(|_| object["verdict"] == "violated") {
            Some(length) => {
                tally.lengths.push(length);
                let winner = object["engine"].as_str().unwrap_or("?").to_owned();
                *tally.winners.entry(winner).or_default() += 1;
            }
            None => tally.missed += 1,
        }
    }
    Ok(tally)
}

fn row(model: &Path, what: &str, shortest: Option<f64>, mean: f64, tally: &Tally) -> Vec<String> {
    let seconds = |d: Duration| format!("{:.3}", d.as_secs_f64());
    let total: Duration = tally.times.iter().sum();
    let winners: Vec<String> = tally.winners.iter().map(|(name, n)| format!("{name} {n}")).collect();
    vec![
        model.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned()),
        what.to_owned(),
        format!("{}/{}", tally.lengths.len(), tally.times.len()),
        shortest.map_or(String::new(), |s| s.to_string()),
        format!("{mean:.1}"),
        tally.lengths.iter().max().map_or(String::new(), u64::to_string),
        seconds(total / tally.times.len().max(1) as u32),
        seconds(tally.times.iter().max().copied().unwrap_or_default()),
        winners.join(", "),
    ]
}
