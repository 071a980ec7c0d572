//! `cargo xtask peers` without `--random`: the models of the repository.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lurcher_lab::parallel;
use lurcher_lab::peers::Header;
use lurcher_lab::peers::spin::NoResult;
use lurcher_lab::report::aligned_table;

use super::case::{Case, Limits, Tools};
use super::compare::{self, Row};
use crate::repository::stem;

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

/// Compares Spin and lurcher on every model and prints the table; true when there is no difference.
pub fn run(paths: &[PathBuf], loss: bool, tools: &Tools, jobs: usize) -> bool {
    let limits = limits();
    let results = parallel::map(paths, jobs, |path| one(path, loss, tools, &limits));
    let mut lines = Vec::new();
    let mut differences = Vec::new();
    for (path, result) in paths.iter().zip(&results) {
        let name = stem(path);
        match result {
            Ok(rows) => {
                lines.extend(rows.iter().map(|row| cells(&name, row)));
                differences.extend(compare::differences(rows).map(|difference| format!("{name}: {difference}")));
            }
            Err(reason) => differences.push(format!("{name}: no result from Spin: {reason}")),
        }
    }
    let head = ["model", "property", "stored", "spin", "lurcher", "ours", "spin's", "", "notes"];
    print!("{}", aligned_table(&head, &lines));
    println!("\n{} models, {} properties, {} differences", paths.len(), lines.len(), differences.len());
    differences.iter().for_each(|difference| println!("\n{difference}"));
    differences.is_empty()
}

/// With `loss`, full channels lose messages whatever the header says, and the header is not checked.
fn one(path: &Path, loss: bool, tools: &Tools, limits: &Limits) -> Result<Vec<Row>, NoResult> {
    let header = Header::read(&std::fs::read_to_string(path)?);
    let case = Case::of_file(path, &header.defines(), tools, limits)?;
    let mut case = case.with_message_loss(loss || header.loses_messages());
    let header = if loss { Header::default() } else { header };
    compare::compare(&mut case, &header, None)
}

fn cells(name: &str, row: &Row) -> Vec<String> {
    vec![
        name.to_owned(),
        row.property.clone(),
        row.stored.map_or_else(|| "-".to_owned(), |stored| stored.to_string()),
        row.spin.to_string(),
        row.lurcher.clone(),
        row.ours.to_string(),
        row.theirs.to_string(),
        if row.differences.is_empty() { "ok" } else { "DIFFERENT" }.to_owned(),
        row.notes.join("; "),
    ]
}
