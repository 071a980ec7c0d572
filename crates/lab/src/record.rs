//! The results of trials, one row each, in `trials.csv`.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::ExperimentError;
use crate::spec::Metric;
use crate::trial::Parameters;

/// The results of a trial. Seconds and bytes are measured; everything else is the same in every run.
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
    /// States whose successors were listed.
    pub expanded: Option<u64>,
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

impl Results {
    /// Was a violation found?
    pub fn is_violated(&self) -> bool {
        self.verdict == "violated"
    }

    /// Could the trial not be run?
    pub fn is_error(&self) -> bool {
        self.verdict == "error"
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
            Metric::Expanded => count(self.expanded),
            Metric::States => count(self.states),
            Metric::Memory => self.memory.map(|bytes| bytes as f64 / 1e6),
        }
    }
}

/// A row: a trial and its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The trial's id.
    pub id: String,
    /// What was run.
    pub parameters: Parameters,
    /// What was found.
    pub results: Results,
}

/// The first columns of a row.
#[derive(Default, Serialize, Deserialize)]
struct Key {
    row: u64,
    trial: String,
}

/// The columns of a row, named after the fields of the three structures.
type Record = (Key, Parameters, Results);

/// The names of the columns.
fn header() -> csv::StringRecord {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(Record::default()).expect("every field is a column");
    let text = writer.into_inner().expect("memory can be written");
    csv::Reader::from_reader(text.as_slice()).headers().expect("it was just written").clone()
}

/// Reads the rows of a file; none when there is no file. A last line that was cut off is left out.
///
/// # Errors
/// When the file cannot be read or has other columns.
pub fn read_rows(path: &Path) -> Result<Vec<Row>, ExperimentError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let failed = ExperimentError::about::<csv::Error>(path);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(path).map_err(&failed)?;
    let found = reader.headers().map_err(failed)?;
    if !found.is_empty() && *found != header() {
        return Err(ExperimentError::about(path)("its columns are not those of this version"));
    }
    let records = reader.records().flatten().filter_map(|record| record.deserialize::<Record>(None).ok());
    let rows = records.map(|(key, parameters, results)| Row { id: key.trial, parameters, results });
    Ok(rows.filter(|row| row.id == row.parameters.id()).collect())
}

/// Writes rows, one line each, as they come.
#[derive(Debug)]
pub struct RowWriter {
    writer: csv::Writer<File>,
    path: PathBuf,
    next: u64,
}

impl RowWriter {
    /// A new file.
    pub fn create(path: &Path) -> Result<RowWriter, ExperimentError> {
        let mut created = RowWriter::open(path, OpenOptions::new().create(true).write(true).truncate(true), 1)?;
        created.writer.write_record(&header()).map_err(ExperimentError::about(path))?;
        Ok(created)
    }

    /// An existing file; added rows get their numbers when the file is written anew.
    pub fn append(path: &Path) -> Result<RowWriter, ExperimentError> {
        RowWriter::open(path, OpenOptions::new().append(true), 0)
    }

    fn open(path: &Path, options: &OpenOptions, next: u64) -> Result<RowWriter, ExperimentError> {
        let file = options.open(path).map_err(ExperimentError::about(path))?;
        let writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
        Ok(RowWriter { writer, path: path.to_owned(), next })
    }

    /// Adds a row and flushes it to the file.
    pub fn add(&mut self, row: &Row) -> Result<(), ExperimentError> {
        let Row { id, parameters, results } = row;
        let written = self.writer.serialize((self.next, id, parameters, results));
        written.map_err(ExperimentError::about(&self.path))?;
        self.next += 1;
        self.writer.flush().map_err(ExperimentError::about(&self.path))
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
