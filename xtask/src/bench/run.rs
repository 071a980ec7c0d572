//! One run of one program, and files of them.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// A group of trials that are compared with one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Complete searches without reductions, states per second
    Exhaustive,
    /// From file to verdict with the default reductions; stored states; memory
    Reduced,
    /// Walks: against walks by hand, pan's transitions, Stateright and the interpreter
    Walks,
    /// More threads against one
    Threads,
    /// The cost of a walk's step as processes grow
    Growth,
    /// Small models from process start to verdict
    Startup,
}

impl Measure {
    /// All of them, in the order of the table.
    pub const ALL: [Measure; 6] =
        [Measure::Exhaustive, Measure::Reduced, Measure::Walks, Measure::Threads, Measure::Growth, Measure::Startup];
}

/// The program that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// `spin -a`.
    Spin,
    /// `gcc` on what Spin generated.
    Gcc,
    /// What GCC made of it.
    Pan,
    /// lurcher.
    Lurcher,
    /// Walks written by hand.
    Hand,
    /// Stateright's simulation checker.
    Stateright,
}

/// One run: a row of the CSV file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What it belongs to.
    pub measure: Measure,
    /// The family or model.
    pub subject: String,
    /// Its size, as `NAME=VALUE NAME=VALUE`.
    pub size: String,
    /// What ran.
    pub tool: Tool,
    /// How, where a tool runs in several ways: `jit`, `verify, 2 threads`, …
    pub setting: String,
    /// The number of the repetition, from 1.
    pub repetition: u32,
    /// Seconds by the clock on the wall.
    pub wall: f64,
    /// Seconds of processor time, those of the system for it included.
    pub processor: f64,
    /// The most memory it had, in bytes.
    pub resident: u64,
    /// The same without its program; 0 where that is not known.
    #[serde(default)]
    pub data: u64,
    /// States stored by a complete search.
    pub stored: Option<u64>,
    /// Transitions of a complete search.
    pub transitions: Option<u64>,
    /// Steps of walks.
    pub steps: Option<u64>,
    /// What it says of the model.
    pub verdict: String,
}

/// Reads a file of runs.
pub fn read(path: &Path) -> Result<Vec<Run>, String> {
    let failed = |e: csv::Error| format!("{}: {e}", path.display());
    csv::Reader::from_path(path).map_err(failed)?.deserialize().collect::<Result<_, _>>().map_err(failed)
}

/// A file of runs that grows row by row, so that an interrupted bench loses nothing.
pub struct Rows {
    writer: csv::Writer<std::fs::File>,
    /// All so far.
    pub all: Vec<Run>,
}

impl Rows {
    /// A new file.
    pub fn create(path: &Path) -> Result<Rows, String> {
        let writer = csv::Writer::from_path(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Rows { writer, all: Vec::new() })
    }

    /// Adds a run.
    pub fn add(&mut self, run: Run) -> Result<(), String> {
        self.writer.serialize(&run).map_err(|e| e.to_string())?;
        self.writer.flush().map_err(|e| e.to_string())?;
        self.all.push(run);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.csv");
        let run = Run {
            measure: Measure::Exhaustive,
            subject: "peterson".to_owned(),
            size: "N=3 LAPS=2".to_owned(),
            tool: Tool::Pan,
            setting: "no reduction, -w22".to_owned(),
            repetition: 1,
            wall: 1.25,
            processor: 1.0,
            resident: 1 << 30,
            data: 1 << 29,
            stored: Some(12),
            transitions: None,
            steps: None,
            verdict: "holds".to_owned(),
        };
        let mut rows = Rows::create(&path).unwrap();
        rows.add(run.clone()).unwrap();
        assert_eq!(read(&path).unwrap(), [run]);
    }
}
