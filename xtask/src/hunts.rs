//! `cargo xtask hunts`: whether a plain `lurcher hunt` finds every known violation, whatever the seed.
//!
//! Every property that the header of a model expects to be violated is hunted with many seeds. The table shows how often
//! the violation was found, the lengths of the reported traces against the shortest, times, and the engines that won. The
//! chore fails when a hunt finds nothing, or when traces are on average more than a tenth longer than the shortest.

use std::path::{Path, PathBuf};

use lurcher_lab::peers::child::Bounds;
use lurcher_lab::peers::{Header, lurcher};
use lurcher_lab::report::aligned_table;

use crate::campaign::tally;
use crate::options::Binary;
use crate::repository::{self, stem};

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

/// The hunts for one property.
#[derive(Default)]
struct Hunts {
    /// Lengths of the traces found.
    lengths: Vec<u64>,
    /// Seconds of each hunt.
    times: Vec<f64>,
    winners: Vec<String>,
}

/// Runs the hunts; true when all of them find a violation and the traces are short enough.
pub fn run(options: &Options) -> Result<bool, String> {
    let lurcher = options.binary.find()?;
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    let mut missed = 0;
    for model in &repository::models(&options.models, "models/promela", "pml")? {
        let header = Header::read(&repository::read(model)?);
        for (property, arguments) in violated(&header) {
            let hunts = hunt(&lurcher, model, &arguments, options)?;
            let shortest = header.get("shortest").filter(|_| property == "safety").and_then(|s| s.parse::<f64>().ok());
            let mean = hunts.lengths.iter().sum::<u64>() as f64 / hunts.lengths.len().max(1) as f64;
            ratios.extend(shortest.map(|shortest| mean / shortest));
            missed += hunts.times.len() - hunts.lengths.len();
            rows.push(row(model, property, shortest, mean, hunts));
        }
    }
    let heads = ["model", "property", "found", "shortest", "mean length", "longest", "mean s", "longest s", "won by"];
    println!("{}", aligned_table(&heads, &rows));
    let ratio = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    println!("{} properties, {} seeds each, {missed} hunts without a violation", rows.len(), options.seeds);
    println!("reported length over shortest length, mean of {} properties: {ratio:.3}", ratios.len());
    Ok(missed == 0 && ratio <= 1.1)
}

/// The properties that a header expects to be violated, with the arguments that select them.
fn violated(header: &Header) -> Vec<(&str, Vec<&str>)> {
    let safety = (header.get("expect") == Some("violated")).then(|| ("safety", vec!["--no-claims"]));
    let claims = header.claims().filter(|(_, verdict)| *verdict == "violated").map(|(key, _)| {
        let (name, fair) = key.strip_suffix(" fair").map_or((key, None), |name| (name, Some("--fair")));
        let name = name.strip_prefix("ltl ").unwrap_or(name);
        (key, ["--property", name].into_iter().chain(fair).collect())
    });
    safety.into_iter().chain(claims).collect()
}

fn hunt(lurcher: &Path, model: &Path, property: &[&str], options: &Options) -> Result<Hunts, String> {
    let mut hunts = Hunts::default();
    let path = model.canonicalize().map_err(|e| format!("{}: {e}", model.display()))?.display().to_string();
    for seed in 1..=options.seeds {
        let seed = seed.to_string();
        let mut arguments = vec!["hunt", &path, "--seed", &seed];
        arguments.extend(property);
        arguments.extend(options.with.split_whitespace());
        let run = lurcher::run(lurcher, arguments, Bounds::default()).map_err(|e| e.to_string())?;
        hunts.times.push(run.usage.wall);
        let json = lurcher::json(&run).map_err(|e| format!("{path}: {e}: {}", run.stderr))?;
        if let Some(length) = json["trace"]["length"].as_u64().filter(|_| json["verdict"] == "violated") {
            hunts.lengths.push(length);
            hunts.winners.push(json["engine"].as_str().unwrap_or("?").to_owned());
        }
    }
    Ok(hunts)
}

fn row(model: &Path, property: &str, shortest: Option<f64>, mean: f64, hunts: Hunts) -> Vec<String> {
    let seconds = |time: f64| format!("{time:.3}");
    let count = hunts.times.len();
    let winners = tally(hunts.winners.into_iter());
    vec![
        stem(model),
        property.to_owned(),
        format!("{}/{count}", hunts.lengths.len()),
        shortest.map_or(String::new(), |s| s.to_string()),
        format!("{mean:.1}"),
        hunts.lengths.iter().max().map_or(String::new(), u64::to_string),
        seconds(hunts.times.iter().sum::<f64>() / count.max(1) as f64),
        seconds(hunts.times.iter().copied().fold(0.0, f64::max)),
        winners.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", "),
    ]
}
