//! `cargo xtask engines`: which engine finds each known violation first, and whether `analyze` recommends it.
//!
//! The properties are every violated invariant and deadlock that the headers of `models/smv` name and every property of the
//! sizes in `bench/thesis/models/smv`, or the safety property of given flawed Promela models. Each is hunted with every
//! engine on one thread, without minimising traces. The figure is the processor time of the whole program less that of
//! `analyze` on the same model, which loads it and does not search.
//!
//! A run is stopped after ten times the best time so far and 0.6 s. On a busy machine `--patience` allows more wall-clock
//! time, and the processor time, in whole seconds, decides. An engine whose first seed is far behind gets no further seeds.

mod measure;
mod table;

use std::path::{Path, PathBuf};

use lurcher_lab::parallel;
use lurcher_lab::peers::{Header, models_in};

use self::measure::{Measured, Running, measure};
use crate::options::Binary;
use crate::repository;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Measure these models, SMV or Promela, not those of models/smv and bench/thesis/models/smv
    models: Vec<PathBuf>,
    /// Seeds 1 to N
    #[arg(long, value_name = "N", default_value_t = 5)]
    seeds: u64,
    /// Models at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Wall-clock seconds for each second of processor time that a run may take; more on a busy machine
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    patience: f64,
    #[command(flatten)]
    binary: Binary,
    /// Write the table here as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A property that is known to be violated.
struct Target {
    model: PathBuf,
    property: String,
}

/// Measures; true when the recommended engine is good on enough properties.
pub fn run(options: &Options) -> Result<bool, String> {
    let lurcher = options.binary.find()?;
    let mut models = options.models.clone();
    if models.is_empty() {
        for folder in ["models/smv", "bench/thesis/models/smv"] {
            models.extend(models_in(&repository::root().join(folder), "smv")?);
        }
    }
    let mut targets = Vec::new();
    for model in &models {
        targets.extend(violated(&model.canonicalize().map_err(|e| format!("{}: {e}", model.display()))?)?);
    }
    let running = Running { lurcher: &lurcher, seeds: options.seeds, patience: options.patience };
    let measured = parallel::map(&targets, options.jobs, |target| {
        measure(running, target).inspect(|one| eprintln!("{}", table::cells(one).join(" | ")))
    });
    let measured: Vec<Measured> = measured.into_iter().flatten().collect();
    let (text, good) = table::table(&measured, options.seeds);
    println!("{text}");
    if let Some(path) = &options.out {
        repository::write(path, &text)?;
    }
    Ok(good)
}

/// The violated invariants and deadlocks of an SMV model, or the violated safety property of a Promela model. An SMV model
/// without a header violates all its invariants.
fn violated(model: &Path) -> Result<Vec<Target>, String> {
    let text = repository::read(model)?;
    let header = Header::read(&text);
    let target = |property: &str| Target { model: model.to_owned(), property: property.to_owned() };
    if model.extension().is_none_or(|e| e != "smv") {
        let violated = header.get("expect") == Some("violated");
        return Ok(violated.then(|| target("safety")).into_iter().collect());
    }
    let invariants = text.lines().filter_map(|l| l.strip_prefix("INVARSPEC NAME ")?.split(' ').next());
    let mut names: Vec<&str> = invariants.collect();
    if let Some(deadlock) = header.get("deadlock") {
        let violated = |(name, verdict): (&'_ str, &str)| verdict == "violated" && names.contains(&name);
        let violated: Vec<&str> = header.specifications().filter(|one| violated(*one)).map(|(name, _)| name).collect();
        names = violated;
        names.extend((deadlock == "yes").then_some("deadlock"));
    }
    Ok(names.into_iter().map(target).collect())
}
