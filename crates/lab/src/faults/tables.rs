//! Rows for programs: `trials.csv`, `mutants.csv`, `saturation.csv`.

use std::path::Path;

use super::FaultStudy;
use super::tally::{Findings, Outcome, contradict};
use super::trial::Said;
use crate::error::ExperimentError;

/// Writes all tables; how many rows `trials.csv` has.
pub(super) fn write(folder: &Path, study: &FaultStudy, findings: &Findings) -> Result<usize, ExperimentError> {
    let trials = trials(findings);
    let head = [
        "mutant",
        "property",
        "engine",
        "run",
        "verdict",
        "judge",
        "agrees",
        "stop",
        "steps",
        "found_after",
        "length",
        "seconds",
        "note",
    ];
    rows(&folder.join("trials.csv"), &head, &trials)?;
    let head = ["mutant", "kind", "fault", "judged", "violated", "found_by"];
    rows(&folder.join("mutants.csv"), &head, &mutants(study, findings))?;
    rows(&folder.join("saturation.csv"), &["property", "run", "steps", "states"], &saturation(findings))?;
    Ok(trials.len())
}

/// Trials that could not be made.
pub(super) fn failures(findings: &Findings) -> usize {
    let errors = |said: &[Said]| said.iter().filter(|s| s.verdict.is_none()).count();
    findings.outcomes.iter().map(|o| errors(&o.judged) + o.runs.iter().map(|r| errors(&r.said)).sum::<usize>()).sum()
}

fn rows(path: &Path, head: &[&str], rows: &[Vec<String>]) -> Result<(), ExperimentError> {
    let failed = |e: csv::Error| ExperimentError::Csv(path.to_owned(), e.to_string());
    let mut writer = csv::Writer::from_path(path).map_err(failed)?;
    writer.write_record(head).map_err(failed)?;
    rows.iter().try_for_each(|row| writer.write_record(row)).map_err(failed)?;
    writer.flush().map_err(|e| ExperimentError::Io(path.to_owned(), e))
}

/// One row for each mutant, property, engine and run; the judge's come first.
fn trials(findings: &Findings) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for outcome in &findings.outcomes {
        let mut add = |engine: &str, run: String, said: &[Said]| {
            for ((said, judged), property) in said.iter().zip(&outcome.judged).zip(&findings.properties) {
                all.push(vec![
                    outcome.number().to_string(),
                    property.clone(),
                    engine.to_owned(),
                    run.clone(),
                    said.word().to_owned(),
                    judged.word().to_owned(),
                    (!contradict(said, judged)).to_string(),
                    said.stop.to_owned(),
                    said.steps.to_string(),
                    said.found_after.map_or(String::new(), |s| s.to_string()),
                    said.length.map_or(String::new(), |l| l.to_string()),
                    format!("{:.6}", said.seconds),
                    said.note.clone(),
                ]);
            }
        };
        add("judge", String::new(), &outcome.judged);
        outcome.runs.iter().for_each(|run| add(run.engine.name(), run.seed.to_string(), &run.said));
    }
    all
}

/// `fault`, `harmless` or `undecided`.
pub(super) fn status(outcome: &Outcome) -> &'static str {
    match (outcome.is_fault(), outcome.is_open()) {
        (true, _) => "fault",
        (_, true) => "undecided",
        _ => "harmless",
    }
}

fn mutants(study: &FaultStudy, findings: &Findings) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for outcome in &findings.outcomes {
        let Some(mutant) = &outcome.mutant else { continue };
        let violated = |(said, name): (&Said, &String)| said.is_violated().then(|| name.clone());
        let violated: Vec<String> = outcome.judged.iter().zip(&findings.properties).filter_map(violated).collect();
        let finds =
            |&&engine: &&_| outcome.runs.iter().any(|r| r.engine == engine && r.said.iter().any(Said::is_violated));
        let finders: Vec<&str> = study.engines.iter().filter(finds).map(|e| e.name()).collect();
        all.push(vec![
            mutant.number.to_string(),
            mutant.kind.name().to_owned(),
            mutant.description.clone(),
            status(outcome).to_owned(),
            violated.join(" "),
            finders.join(" "),
        ]);
    }
    all
}

/// The curves of the model itself, which is searched to the end of the budget.
fn saturation(findings: &Findings) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for run in findings.outcomes.first().map_or(&[][..], |o| &o.runs) {
        for (said, property) in run.said.iter().zip(&findings.properties) {
            for (steps, states) in said.curve.iter().flat_map(|c| &c.points) {
                all.push(vec![property.clone(), run.seed.to_string(), steps.to_string(), states.to_string()]);
            }
        }
    }
    all
}
