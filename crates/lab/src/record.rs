//! What trials came to, one row each, in `trials.csv`.

use std::fs::{File, OpenOptions};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::ExperimentError;
use crate::spec::Metric;
use crate::trial::Parameters;

/// What a trial came to. Seconds and bytes are measured; everything else is the same in every run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// `violated`, `holds`, `inconclusive`, or `error`.
    pub verdict: String,
    /// The kind of violation.
    pub kind: String,
    /// What stopped it.
    pub stop: String,
    /// Walks made.
    pub walks: Option<u64>,
    /// Steps taken, or transitions.
    pub steps: Option<u64>,
    /// Branches tested.
    pub tries: Option<u64>,
    /// Length of the trace when it was found.
    pub found_length: Option<u64>,
    /// Length of the trace that is reported.
    pub length: Option<u64>,
    /// No shorter one exists.
    pub optimal: Option<bool>,
    /// Processes that take part in the reported trace: its dynamic process error participation, with the next.
    pub participants: Option<u64>,
    /// Processes there are.
    pub processes: Option<u64>,
    /// Distinct states seen or stored.
    pub states: Option<u64>,
    /// Bytes of the store.
    pub memory: Option<u64>,
    /// The member of the portfolio that found it.
    pub winner: String,
    /// The unit of walks that found it.
    pub unit: Option<u64>,
    /// The trace, relative to the folder of the results.
    pub trace: String,
    /// Seconds to read the model.
    pub time_load: f64,
    /// Seconds to make guides.
    pub time_guide: f64,
    /// Seconds to compile, for Spin.
    pub time_compile: f64,
    /// Seconds to search.
    pub time_search: f64,
    /// Seconds to shorten the trace.
    pub time_minimise: f64,
    /// Seconds in all, without reading the model.
    pub time_total: f64,
    /// What went wrong.
    pub note: String,
}

const RESULTS: [&str; 23] = [
    "verdict",
    "kind",
    "stop",
    "walks",
    "steps",
    "tries",
    "found_length",
    "length",
    "optimal",
    "participants",
    "processes",
    "states",
    "memory",
    "winner",
    "unit",
    "trace",
    "time_load",
    "time_guide",
    "time_compile",
    "time_search",
    "time_minimise",
    "time_total",
    "note",
];

impl Results {
    /// Was a violation found?
    pub fn is_violated(&self) -> bool {
        self.verdict == "violated"
    }

    /// A quantity, where the trial has it.
    pub fn measure(&self, metric: Metric) -> Option<f64> {
        let count = |n: Option<u64>| n.map(|n| n as f64);
        match metric {
            Metric::Walks => count(self.walks),
            Metric::Steps => count(self.steps),
            Metric::TriesPerStep => {
                let steps = self.steps.filter(|&s| s > 0)?;
                Some(self.tries? as f64 / steps as f64)
            }
            Metric::Time => Some((self.time_search + self.time_guide) * 1000.0),
            Metric::SearchTime => Some(self.time_search * 1000.0),
            Metric::GuideTime => Some(self.time_guide * 1000.0),
            Metric::TotalTime => Some(self.time_total * 1000.0),
            Metric::Found => count(self.found_length),
            Metric::Reported => count(self.length),
            Metric::States => count(self.states),
            Metric::Memory => self.memory.map(|bytes| bytes as f64 / 1e6),
        }
    }
}

/// A row: a trial, and what it came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The trial's id.
    pub id: String,
    /// What it was.
    pub parameters: Parameters,
    /// What it came to.
    pub results: Results,
}

fn header() -> Vec<&'static str> {
    let mut names = vec!["row", "trial"];
    names.extend(Parameters::default().fields().map(|(name, _)| name));
    names.extend(RESULTS);
    names
}

/// Reads the rows of a file; none when there is no file. A last line that was cut off is left out.
///
/// # Errors
/// When the file cannot be read or has other columns.
pub fn read_rows(path: &Path) -> Result<Vec<Row>, ExperimentError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let failed = |why: String| ExperimentError::Csv(path.to_owned(), why);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_path(path)
        .map_err(|e| failed(e.to_string()))?;
    let mut records = reader.records();
    match records.next() {
        None => return Ok(Vec::new()),
        Some(first) => {
            if first.map_err(|e| failed(e.to_string()))? != header() {
                return Err(failed("its columns are not those of this version".to_owned()));
            }
        }
    }
    let mut rows = Vec::new();
    for record in records {
        let Ok(record) = record else { continue };
        let read: Result<(u64, String, Parameters, Results), _> = record.deserialize(None);
        if let Ok((_, id, parameters, results)) = read
            && id == parameters.id()
        {
            rows.push(Row { id, parameters, results });
        }
    }
    Ok(rows)
}

/// Writes rows, one line each, as they come.
#[derive(Debug)]
pub struct RowWriter {
    writer: csv::Writer<File>,
    path: std::path::PathBuf,
    next: u64,
}

impl RowWriter {
    /// A new file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> Result<RowWriter, ExperimentError> {
        let failed = |e: std::io::Error| ExperimentError::Io(path.to_owned(), e);
        let file = OpenOptions::new().create(true).write(true).truncate(true).open(path).map_err(failed)?;
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
        writer.write_record(header()).map_err(|e| ExperimentError::Csv(path.to_owned(), e.to_string()))?;
        Ok(RowWriter { writer, path: path.to_owned(), next: 1 })
    }

    /// A file that is there already; what is added gets its number when the file is written anew.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(path: &Path) -> Result<RowWriter, ExperimentError> {
        let failed = |e: std::io::Error| ExperimentError::Io(path.to_owned(), e);
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        let writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
        Ok(RowWriter { writer, path: path.to_owned(), next: 0 })
    }

    /// Adds a row and makes sure that it is in the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, row: &Row) -> Result<(), ExperimentError> {
        let Row { id, parameters, results } = row;
        let written = self.writer.serialize((self.next, id, parameters, results));
        written.map_err(|e| ExperimentError::Csv(self.path.clone(), e.to_string()))?;
        self.next += 1;
        self.writer.flush().map_err(|e| ExperimentError::Io(self.path.clone(), e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seed: &str, length: Option<u64>) -> Row {
        let parameters =
            Parameters { seed: seed.to_owned(), property: "ltl \"a\", b".to_owned(), ..Parameters::default() };
        let results = Results { verdict: "violated".to_owned(), length, time_total: 0.125, ..Results::default() };
        Row { id: parameters.id(), parameters, results }
    }

    #[test]
    fn rows_come_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.csv");
        let rows = [row("1", Some(7)), row("2", None)];
        let mut writer = RowWriter::create(&path).unwrap();
        rows.iter().for_each(|r| writer.add(r).unwrap());
        assert_eq!(read_rows(&path).unwrap(), rows);
    }

    #[test]
    fn a_line_that_was_cut_off_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.csv");
        let mut writer = RowWriter::create(&path).unwrap();
        [row("1", Some(7)), row("2", Some(8))].iter().for_each(|r| writer.add(r).unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 20]).unwrap();
        assert_eq!(read_rows(&path).unwrap(), [row("1", Some(7))]);
    }

    #[test]
    fn other_columns_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.csv");
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        assert!(read_rows(&path).unwrap_err().to_string().contains("its columns are not those"));
    }
}
