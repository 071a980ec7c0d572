//! `trials.csv`, `mutants.csv` and `saturation.csv`.

use std::path::Path;

use lurcher::engines::Info;

use super::FaultStudy;
use super::findings::{Findings, contradict};
use super::trial::PropertyResult;
use crate::error::ExperimentError;
use crate::output::write_csv;

/// Writes all tables; returns the number of rows of `trials.csv`.
pub(super) fn write(folder: &Path, study: &FaultStudy, findings: &Findings) -> Result<usize, ExperimentError> {
    let trials = trials(findings);
    let write = |file: &str, head: &str, rows: &[Vec<String>]| {
        write_csv(&folder.join(file), &head.split(' ').collect::<Vec<_>>(), rows)
    };
    let head = "mutant property engine run verdict judge agrees stop steps found_after length seconds note";
    write("trials.csv", head, &trials)?;
    write("mutants.csv", "mutant kind fault judged violated found_by", &mutants(study, findings))?;
    write("saturation.csv", "property run steps states", &saturation(findings))?;
    Ok(trials.len())
}

/// The number of trials that ended in an error.
pub(super) fn failures(findings: &Findings) -> usize {
    let errors = |results: &[PropertyResult]| results.iter().filter(|s| s.verdict.is_none()).count();
    findings.outcomes.iter().map(|o| errors(&o.truth) + o.runs.iter().map(|r| errors(&r.results)).sum::<usize>()).sum()
}

/// One row for each mutant, property, engine and run, the judge's first.
fn trials(findings: &Findings) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for outcome in &findings.outcomes {
        let mut add = |engine: &str, run: String, results: &[PropertyResult]| {
            for ((result, truth), property) in results.iter().zip(&outcome.truth).zip(&findings.properties) {
                all.push(vec![
                    outcome.number().to_string(),
                    property.clone(),
                    engine.to_owned(),
                    run.clone(),
                    result.word().to_owned(),
                    truth.word().to_owned(),
                    (!contradict(result, truth)).to_string(),
                    result.stop.to_owned(),
                    result.steps.to_string(),
                    result.found_after.map_or(String::new(), |s| s.to_string()),
                    result.length.map_or(String::new(), |l| l.to_string()),
                    format!("{:.6}", result.seconds),
                    result.note.clone(),
                ]);
            }
        };
        add("judge", String::new(), &outcome.truth);
        outcome.runs.iter().for_each(|run| add(run.engine.name, run.seed.to_string(), &run.results));
    }
    all
}

fn mutants(study: &FaultStudy, findings: &Findings) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for outcome in &findings.outcomes {
        let Some(mutant) = &outcome.mutant else { continue };
        let violated: Vec<&str> = outcome.violated().map(|p| findings.properties[p].as_str()).collect();
        let finds = |e: &&&Info| outcome.runs_of(e).any(|r| r.results.iter().any(PropertyResult::is_violated));
        let finders: Vec<&str> = study.engines.iter().filter(finds).map(|e| e.name).collect();
        all.push(vec![
            mutant.number.to_string(),
            mutant.kind.name().to_owned(),
            mutant.description.clone(),
            outcome.status().to_owned(),
            violated.join(" "),
            finders.join(" "),
        ]);
    }
    all
}

/// The saturation curves of the model itself, on which engines use their whole budget.
fn saturation(findings: &Findings) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for run in findings.outcomes.first().map_or(&[][..], |o| &o.runs) {
        for (result, property) in run.results.iter().zip(&findings.properties) {
            for (steps, states) in result.curve.iter().flat_map(|c| &c.points) {
                all.push(vec![property.clone(), run.seed.to_string(), steps.to_string(), states.to_string()]);
            }
        }
    }
    all
}
