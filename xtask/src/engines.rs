//! `cargo xtask engines`: which engine finds what soonest, and is it the one that `analyze` recommends?
//!
//! Every violated invariant and deadlock that the headers of `models/smv` name, and every property of the sizes in
//! `bench/thesis/models/smv`, or the safety property of flawed Promela models that are given, is hunted with every engine, one thread and no shortening of traces. The figure is the
//! processor time of the whole program less that of `analyze` on the same model, which reads and does not search:
//! processor time, because other programs may run beside this one.
//!
//! A run may take ten times as long as the best engine so far, and a bit; after that it has lost. Where others use the
//! machine, `--patience` gives it more time by the clock, and processor time, in whole seconds, decides. An engine
//! whose first seed is far behind gets no further seeds.

mod measure;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::options::Binary;
use crate::peers::header::Header;
use crate::peers::tools;

use measure::{Measured, Running, measure};

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
    /// Seconds by the clock for each second of processor time that a run may take; more where others use the machine
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    patience: f64,
    #[command(flatten)]
    binary: Binary,
    /// Write the table here as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A property that is known to be violated.
pub(crate) struct Target {
    pub model: PathBuf,
    pub property: String,
}

/// Measures: 0 when the recommended engine is good often enough, 1 when it is not, 2 when something is missing.
pub fn run(options: &Options) -> ExitCode {
    match try_run(options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("engines: {reason}");
            ExitCode::from(2)
        }
    }
}

fn try_run(options: &Options) -> Result<bool, String> {
    let lurcher = options.binary.find()?;
    let mut targets = Vec::new();
    if options.models.is_empty() {
        for folder in ["models/smv", "bench/thesis/models/smv"] {
            for model in in_folder(&tools::repository().join(folder))? {
                targets.extend(violated(&model)?);
            }
        }
    } else {
        for model in &options.models {
            targets.extend(violated(model)?);
        }
    }
    let running = Running { lurcher: &lurcher, seeds: options.seeds, patience: options.patience };
    let next = AtomicUsize::new(0);
    let measured: Mutex<Vec<(usize, Measured)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let number = targets.iter().position(|t| std::ptr::eq(t, target)).unwrap_or_default();
                    if let Some(one) = measure(running, target) {
                        eprintln!("{}", table::line(&one));
                        measured.lock().expect("nobody panics here").push((number, one));
                    }
                }
            });
        }
    });
    let mut measured = measured.into_inner().expect("nobody panics here");
    measured.sort_by_key(|(number, _)| *number);
    let rows: Vec<Measured> = measured.into_iter().map(|(_, m)| m).collect();
    let (text, good) = table::table(&rows, options.seeds);
    println!("{text}");
    if let Some(path) = &options.out {
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(good)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "smv"));
    files.sort();
    Ok(files)
}

/// The invariants and deadlocks of a model that are violated; of processes, the safety property if it is. SMV models without a
/// header are flawed in all they state.
fn violated(model: &Path) -> Result<Vec<Target>, String> {
    let text = std::fs::read_to_string(model).map_err(|e| format!("{}: {e}", model.display()))?;
    let target = |property: &str| Target { model: model.to_owned(), property: property.to_owned() };
    if model.extension().is_none_or(|e| e != "smv") {
        let safe = Header::read(&text).get("expect") != Some("violated");
        return Ok(if safe { Vec::new() } else { vec![target("safety")] });
    }
    let invariants = text.lines().filter_map(|l| l.strip_prefix("INVARSPEC NAME ")).filter_map(|l| l.split(' ').next());
    let invariants: Vec<&str> = invariants.collect();
    let header: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("-- ")).collect();
    let mut names: Vec<&str> = Vec::new();
    if header.iter().any(|l| l.starts_with("deadlock:")) {
        names.extend(header.iter().copied().filter_map(says_violated).filter(|n| invariants.contains(n)));
        names.extend(header.iter().any(|l| l.starts_with("deadlock: yes")).then_some("deadlock"));
    } else {
        names.extend(invariants);
    }
    Ok(names.into_iter().map(target).collect())
}

/// The property that a line of a header says is violated.
fn says_violated(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix("property ")?.split_once(':')?;
    rest.trim().starts_with("violated").then_some(name)
}
