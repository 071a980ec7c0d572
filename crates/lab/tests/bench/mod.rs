//! Experiments in folders of their own.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::{Path, PathBuf};

use lurcher_lab::{Conducted, ExperimentError, Results, Row, Settings, conduct, plan, read, read_rows};
use lurcher_resources::StopSignal;

/// A folder with a model, for experiments.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Bench {
        let folder = tempfile::tempdir().expect("a folder");
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela/philosophers.pml");
        std::fs::copy(model, folder.path().join("philosophers.pml")).expect("the model is copied");
        Bench { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn conduct(&self, text: &str, out: &str, change: impl Fn(&mut Settings)) -> Result<Conducted, ExperimentError> {
        let found = read(&self.path("tiny.toml"), text);
        let experiment = found.experiment.unwrap_or_else(|| panic!("{:?}", found.diagnostics));
        let plan = plan(&experiment).expect("a good plan");
        let mut settings = Settings {
            folder: self.path(out),
            jobs: 1,
            resume: false,
            only: Vec::new(),
            command: "lurcher experiment tiny.toml".to_owned(),
        };
        change(&mut settings);
        conduct(&experiment, &plan, &settings, &StopSignal::default(), &mut ())
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The rows without times and memory.
    pub fn counts(&self, out: &str) -> Vec<Row> {
        let mut rows = read_rows(&self.path(out).join("trials.csv")).expect("rows");
        for row in &mut rows {
            row.results = Results {
                memory: None,
                time_load: 0.0,
                time_guide: 0.0,
                time_compile: 0.0,
                time_search: 0.0,
                time_minimise: 0.0,
                time_total: 0.0,
                ..row.results.clone()
            };
        }
        rows
    }
}
