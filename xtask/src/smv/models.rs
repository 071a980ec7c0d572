//! `cargo xtask peers --smv` without `--random`: every model of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::facts::{self, DEADLOCK, Difference, Facts, STATES};
use super::lurcher::Questions;
use super::{Peers, ask_all};
use crate::peers::tools::repository;
use crate::peers::{pool, table};

/// What a tool may take for a model.
const PATIENCE: Duration = Duration::from_secs(150);

/// The models of the repository, by name.
pub fn all() -> Result<Vec<PathBuf>, String> {
    let folder = repository().join("models/smv");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "smv"));
    paths.sort();
    if paths.is_empty() { Err(format!("no models in {}", folder.display())) } else { Ok(paths) }
}

/// Compares the tools on every path, prints the table, and says whether they agree everywhere.
pub fn run(paths: &[PathBuf], peers: &Peers, jobs: usize) -> bool {
    let results = pool::map(paths, jobs, |path| one(path, peers));
    let mut rows = Vec::new();
    let (mut compared, mut unanswered) = (0, 0);
    let mut differences = Vec::new();
    for (path, result) in paths.iter().zip(&results) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let (header, said) = match result {
            Ok(result) => result,
            Err(reason) => {
                differences.push(format!("{name}: {reason}"));
                continue;
            }
        };
        let (facts, different) = facts::compare(said);
        compared += facts;
        unanswered += said.iter().filter(|one| one.known.is_empty()).count();
        rows.extend(cells(&name, header, said, &different));
        differences.extend(different.iter().map(|difference| format!("{name}: {difference}")));
        let stale = rows.iter().filter(|row| row[0] == name && !row[6].is_empty());
        differences.extend(stale.map(|row| format!("{name}: {}: {}", row[1], row[6])));
    }
    print!("{}", table::render(&["model", "fact", "header", "NuSMV", "lurcher", "", "notes"], &rows));
    println!(
        "\n{} models, {compared} facts compared, {unanswered} times no answer within {} s, {} differences",
        paths.len(),
        PATIENCE.as_secs(),
        differences.len()
    );
    differences.iter().for_each(|difference| println!("\n{difference}"));
    differences.is_empty()
}

/// What the header says, and what everyone says.
fn one(path: &Path, peers: &Peers) -> Result<(Facts, Vec<Facts>), String> {
    let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let header = header(&text);
    let branching = header.known.keys().filter(|key| *key != STATES && *key != DEADLOCK).cloned().collect();
    let questions = Questions { linear: Vec::new(), branching, explicit: false, patience: PATIENCE };
    let said = ask_all(peers, &path, &questions)?;
    Ok((header, said))
}

/// The facts in the first comment of a model.
fn header(text: &str) -> Facts {
    let mut facts = Facts::new("header");
    for line in text.lines().map_while(|line| line.strip_prefix("-- ").or(line.strip_prefix("--"))) {
        let Some((key, value)) = line.split_once(": ") else { continue };
        let value = value.trim().trim_start_matches("about ");
        match key.strip_prefix("property ") {
            Some(name) => facts.add(name, value.split(',').next().unwrap_or(value)),
            None if key == STATES => facts.add(STATES, value),
            None if key == DEADLOCK => facts.add(DEADLOCK, if value == "yes" { "violated" } else { "holds" }),
            None => {}
        }
    }
    facts
}

fn cells(name: &str, header: &Facts, said: &[Facts], different: &[Difference]) -> Vec<Vec<String>> {
    let of = |who: &str, fact: &str| {
        said.iter().find(|one| one.who == who).and_then(|one| one.get(fact)).unwrap_or("-").to_owned()
    };
    let row = |(fact, expected): (&String, &String)| {
        let (nusmv, ours) = (of("NuSMV", fact), of("bdd", fact));
        let wrong = different.iter().any(|difference| difference.fact == *fact);
        let verdict = if wrong { "DIFFERENT" } else { "ok" };
        let stale = expected != "unknown" && ours != "-" && !facts::same(fact, expected, &ours);
        let note = if stale { "not what the header says" } else { "" };
        vec![name.to_owned(), fact.clone(), expected.clone(), nusmv, ours, verdict.to_owned(), note.to_owned()]
    };
    header.known.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read() {
        let facts = header(
            "-- m.smv: a: b\n--\n-- reachable states: 61\n-- deadlock: yes\n-- property p: violated, shortest 2\nMODULE main\n",
        );
        assert_eq!(
            (facts.get(STATES), facts.get(DEADLOCK), facts.get("p")),
            (Some("61"), Some("violated"), Some("violated"))
        );
    }
}
