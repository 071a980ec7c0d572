//! One run of one program, and files of runs.

use std::path::Path;

use lurcher_lab::peers::child::Usage;
use serde::{Deserialize, Serialize};

use super::places::Places;
use super::plan::{Scale, trials};

/// A group of trials that are compared with one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Complete searches without reductions, states per second
    #[default]
    Exhaustive,
    /// From file to verdict with the default reductions; stored states; memory
    Reduced,
    /// Walks: against hand-written walks, pan's transitions, Stateright and the interpreter
    Walks,
    /// More threads against one
    Threads,
    /// The cost of a walk's step as processes grow
    Growth,
    /// Small models from process start to verdict
    Startup,
}

/// A program that is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// `spin -a`.
    Spin,
    /// `gcc` on `pan.c`.
    Gcc,
    /// Spin's verifier.
    Pan,
    #[default]
    Lurcher,
    /// Hand-written walks.
    Hand,
    /// Stateright's simulation checker.
    Stateright,
}

/// One run: a row of the CSV file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub measure: Measure,
    /// The family or model.
    pub subject: String,
    /// Its size, as `NAME=VALUE NAME=VALUE`.
    pub size: String,
    pub tool: Tool,
    /// The configuration, where a tool has several: `jit`, `exhaustive 2`, …
    pub setting: String,
    /// The number of the repetition, from 1.
    pub repetition: u32,
    /// Seconds of wall-clock time.
    pub wall: f64,
    /// Seconds of user and system time.
    pub processor: f64,
    /// The largest resident set, in bytes.
    pub resident: u64,
    /// The same without file pages; 0 where that is unknown.
    #[serde(default)]
    pub data: u64,
    /// Stored states of a complete search.
    pub stored: Option<u64>,
    /// Transitions of a complete search.
    pub transitions: Option<u64>,
    /// Steps of walks.
    pub steps: Option<u64>,
    pub verdict: String,
}

impl Run {
    /// The same row with the resources that a run used.
    pub fn with(&self, usage: Usage) -> Run {
        let Usage { wall, processor, resident, data } = usage;
        Run { wall, processor, resident, data, ..self.clone() }
    }
}

/// Reads a file of runs.
pub fn read(path: &Path) -> Result<Vec<Run>, String> {
    let failed = |e: csv::Error| format!("{}: {e}", path.display());
    csv::Reader::from_path(path).map_err(failed)?.deserialize().collect::<Result<_, _>>().map_err(failed)
}

/// Runs all trials of all measures `repeat` times. Every row is written to the file at once, so that an interrupted bench
/// keeps its rows. A measure or trial that fails is reported, and the others continue.
pub fn conduct(
    measures: &[Measure],
    repeat: u32,
    scale: &Scale,
    places: &Places,
    file: &Path,
) -> Result<Vec<Run>, String> {
    let mut writer = csv::Writer::from_path(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut rows = Vec::new();
    for &measure in measures {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        eprintln!("{measure:?}: planning");
        let planned = trials(measure, scale, places, folder.path());
        let mut trials = planned.inspect_err(|reason| eprintln!("{measure:?}: {reason}")).unwrap_or_default();
        for repetition in 1..=repeat {
            eprintln!("{measure:?}: repetition {repetition} of {repeat}, {} trials", trials.len());
            let mut failed = Vec::new();
            for number in alternating(trials.len(), repetition) {
                let runs = trials[number].run().unwrap_or_else(|reason| {
                    eprintln!("{measure:?}: {reason}");
                    failed.push(number);
                    Vec::new()
                });
                for run in runs {
                    let run = Run { repetition, ..run };
                    writer.serialize(&run).map_err(|e| e.to_string())?;
                    rows.push(run);
                }
                writer.flush().map_err(|e| e.to_string())?;
            }
            failed.sort_unstable();
            failed.into_iter().rev().for_each(|number| drop(trials.remove(number)));
        }
    }
    Ok(rows)
}

/// Forwards in odd repetitions and backwards in even ones, so that neither tool of a pair always runs first.
fn alternating(count: usize, repetition: u32) -> Vec<usize> {
    if repetition % 2 == 1 { (0..count).collect() } else { (0..count).rev().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.csv");
        let usage = Usage { wall: 1.25, processor: 1.0, resident: 1 << 30, data: 1 << 29 };
        let [subject, size, setting] = ["peterson", "N=3 LAPS=2", "no reduction, -w22"].map(str::to_owned);
        let run = Run { subject, size, tool: Tool::Pan, setting, stored: Some(12), ..Run::default() }.with(usage);
        let mut writer = csv::Writer::from_path(&path).unwrap();
        writer.serialize(&run).unwrap();
        drop(writer);
        assert_eq!(read(&path).unwrap(), [run]);
    }
}
