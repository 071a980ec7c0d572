//! `cargo xtask peers --smv` without `--random`: the models of the repository.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lurcher_lab::parallel;
use lurcher_lab::peers::Header;
use lurcher_lab::report::aligned_table;

use super::ask::{NUSMV, Peers, Questions, ask_all};
use super::facts::{self, DEADLOCK, Difference, Facts, STATES};
use crate::repository::{self, stem};

/// Time for one engine or NuSMV.
const TIME: Duration = Duration::from_secs(150);

/// Compares the tools on every model and prints the table; true when there is no difference.
pub fn run(paths: &[PathBuf], peers: &Peers, jobs: usize) -> bool {
    let results = parallel::map(paths, jobs, |path| one(path, peers));
    let mut rows = Vec::new();
    let (mut compared, mut unanswered) = (0, 0);
    let mut differences = Vec::new();
    for (path, result) in paths.iter().zip(&results) {
        let name = stem(path);
        let (header, reported) = match result {
            Ok(result) => result,
            Err(reason) => {
                differences.push(format!("{name}: {reason}"));
                continue;
            }
        };
        let (facts, different) = facts::compare(reported);
        compared += facts;
        unanswered += reported.iter().filter(|one| one.known.is_empty()).count();
        rows.extend(cells(&name, header, reported, &different));
        differences.extend(different.iter().map(|difference| format!("{name}: {difference}")));
        let stale = rows.iter().filter(|row| row[0] == name && !row[6].is_empty());
        differences.extend(stale.map(|row| format!("{name}: {}: {}", row[1], row[6])));
    }
    print!("{}", aligned_table(&["model", "fact", "header", "NuSMV", "lurcher", "", "notes"], &rows));
    println!(
        "\n{} models, {compared} facts compared, {unanswered} times no answer within {} s, {} differences",
        paths.len(),
        TIME.as_secs(),
        differences.len()
    );
    differences.iter().for_each(|difference| println!("\n{difference}"));
    differences.is_empty()
}

/// The facts of the header, and those that the tools report.
fn one(path: &Path, peers: &Peers) -> Result<(Facts, Vec<Facts>), String> {
    let header = Header::read(&repository::read(path)?);
    let branching = header.specifications().map(|(name, _)| name.to_owned()).collect();
    let questions = Questions { linear: Vec::new(), branching, explicit: false, time: TIME };
    let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((expected(&header), ask_all(peers, &path, &questions)?))
}

fn expected(header: &Header) -> Facts {
    let mut facts = Facts::new("header");
    header.specifications().for_each(|(name, verdict)| facts.add(name, verdict));
    if let Some(states) = header.get(STATES) {
        facts.add(STATES, states.trim_start_matches("about "));
    }
    if let Some(deadlock) = header.get(DEADLOCK) {
        facts.add(DEADLOCK, if deadlock == "yes" { "violated" } else { "holds" });
    }
    facts
}

fn cells(name: &str, header: &Facts, reported: &[Facts], different: &[Difference]) -> Vec<Vec<String>> {
    let of = |who: &str, fact: &str| {
        reported.iter().find(|one| one.who == who).and_then(|one| one.get(fact)).unwrap_or("-").to_owned()
    };
    let row = |(fact, expected): (&String, &String)| {
        let (nusmv, ours) = (of(NUSMV, fact), of("bdd", fact));
        let wrong = different.iter().any(|difference| difference.fact == *fact);
        let verdict = if wrong { "DIFFERENT" } else { "ok" };
        let stale = expected != "unknown" && ours != "-" && !facts::same(fact, expected, &ours);
        let note = if stale { "not what the header says" } else { "" };
        vec![name.to_owned(), fact.clone(), expected.clone(), nusmv, ours, verdict.to_owned(), note.to_owned()]
    };
    header.known.iter().map(row).collect()
}
