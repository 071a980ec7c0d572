//! `cargo xtask peers` without `--random`: every model of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::bench::{Bench, Limits, NoResult};
use super::compare::{self, Aim, Comparison, Row};
use super::header::Header;
use super::tools::Tools;
use super::{pool, table};

/// Models may take their time.
fn limits() -> Limits {
    Limits {
        time: Duration::from_secs(180),
        depth: 20_000_000,
        vector: 200_000,
        memory: 4096,
        states: u64::MAX,
        hash: 22,
    }
}

/// The models in a folder, by name.
pub fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    match paths.is_empty() {
        true => Err(format!("no models in {}", folder.display())),
        false => Ok(paths),
    }
}

/// Compares the tools on every path, prints the table, and says whether they agree everywhere.
pub fn run(paths: &[PathBuf], loss: bool, tools: &Tools, jobs: usize) -> bool {
    let limits = limits();
    let results = pool::map(paths, jobs, |path| one(path, loss, tools, &limits));
    let mut rows = Vec::new();
    let mut differences = Vec::new();
    for (path, result) in paths.iter().zip(&results) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match result {
            Ok(comparison) => {
                rows.extend(comparison.rows.iter().map(|row| cells(&name, row)));
                differences.extend(comparison.differences().map(|difference| {
                    format!(
                        "{name}: {}\n    spin     {}\n    lurcher  {}",
                        difference.check, difference.spin, difference.lurcher
                    )
                }));
            }
            Err(reason) => differences.push(format!("{name}: no result from Spin: {reason}")),
        }
    }
    print!(
        "{}",
        table::render(&["model", "property", "stored", "spin", "lurcher", "ours", "spin's", "", "notes"], &rows)
    );
    println!("\n{} models, {} properties, {} differences", paths.len(), rows.len(), differences.len());
    differences.iter().for_each(|difference| println!("\n{difference}"));
    differences.is_empty()
}

/// With `loss`, messages are lost whatever the header says, which then expects nothing.
fn one(path: &Path, loss: bool, tools: &Tools, limits: &Limits) -> Result<Comparison, NoResult> {
    let header = Header::read(&fs::read_to_string(path)?);
    let mut bench = Bench::of_file(path, &header.defines(), tools, limits)?;
    if loss || header.loses_messages() {
        bench = bench.with_loss();
    }
    let header = if loss { Header::default() } else { header };
    let aim = if tools.lurcher.is_some() { Aim::Everything } else { Aim::SpinOnly };
    compare::compare(&mut bench, &header, &aim)
}

fn cells(name: &str, row: &Row) -> Vec<String> {
    let verdict = if row.differences.is_empty() { "ok" } else { "DIFFERENT" };
    let stored = row.stored.map_or_else(|| "-".to_owned(), |stored| stored.to_string());
    vec![
        name.to_owned(),
        row.property.clone(),
        stored,
        row.spin.to_string(),
        row.lurcher.clone(),
        row.ours.to_string(),
        row.theirs.to_string(),
        verdict.to_owned(),
        row.notes.join("; "),
    ]
}
