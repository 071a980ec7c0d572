//! Shared by the tests of this crate: models, what their headers expect, and checks of their properties.

#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use lurcher::engines::{Checked, EngineError, Goal, Options, Report, Saving, Task, parameters};
use lurcher::{LoadOptions, Model, Question, Subject};
use lurcher_ir::relation::Relation;
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Budget, Semantics};

/// The files with an extension in a folder of `models`, in order.
fn files(folder: &str, extension: &str, least: usize) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(folder);
    let entries = std::fs::read_dir(folder).expect("the models are there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("a readable folder").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == extension));
    paths.sort();
    assert!(paths.len() >= least, "only {} models", paths.len());
    paths
}

/// The Promela models of the repository.
pub fn promela_models() -> Vec<PathBuf> {
    files("promela", "pml", 40)
}

/// The SMV models of the repository.
pub fn smv_models() -> Vec<PathBuf> {
    files("smv", "smv", 25)
}

/// A model's name.
pub fn name(path: &Path) -> String {
    path.file_stem().expect("a file").to_string_lossy().into_owned()
}

/// Reads a model from a file.
pub fn open(path: &Path) -> Model {
    lurcher::load(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Reads a Promela model from text.
pub fn promela(text: &str) -> Model {
    Model::from_text("model.pml", text, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Reads an SMV model from text.
pub fn smv(text: &str) -> Model {
    Model::from_text("model.smv", text, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The processes of a Promela model.
pub fn processes(model: &Model) -> &lurcher_ir::Model {
    model.processes().expect("a process model")
}

/// The relation of an SMV model.
pub fn relation(model: &Model) -> &Relation {
    model.relation().expect("a relation")
}

/// No deadlock, no failed assertion, no fault.
pub fn safety() -> Property {
    Property::built_in("safety", PropertyKind::Safety)
}

/// The first property that a question means.
pub fn resolve(model: &mut Model, question: Question) -> Property {
    model.resolve(&question).unwrap_or_else(|e| panic!("{e}")).remove(0)
}

/// What the header of a Promela model expects, by key.
pub fn header(path: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path).expect("a model is readable");
    let end = text.find("*/").expect("a model starts with a comment");
    let pair = |line: &str| {
        let (key, value) = line.trim().trim_start_matches('*').trim().split_once(": ")?;
        let known = ["expect", "property", "shortest", "stored", "never", "ltl ", "non-progress", "acceptance"];
        known.iter().any(|k| key.starts_with(k)).then(|| (key.to_owned(), value.trim().to_owned()))
    };
    text[..end].lines().filter_map(pair).collect()
}

/// The claim or formula that a key of a header names, and whether only fair runs count.
pub fn claim(model: &Model, key: &str) -> Option<(Property, bool)> {
    let (what, fair) = key.strip_suffix(" fair").map_or((key, false), |what| (what, true));
    let stated = &processes(model).properties;
    let property = match what {
        "never" => stated.iter().find(|p| matches!(p.kind, PropertyKind::Never(_))).cloned(),
        "non-progress" => Some(Property::built_in(what, PropertyKind::NonProgress)),
        "acceptance" => Some(Property::built_in(what, PropertyKind::Acceptance)),
        _ => {
            let name = what.strip_prefix("ltl ")?;
            stated.iter().find(|p| p.name == name).cloned()
        }
    };
    Some((property.unwrap_or_else(|| panic!("no property for `{key}`")), fair))
}

/// How properties are checked: a task without its model.
#[derive(Clone)]
pub struct Setup {
    pub engine: &'static str,
    pub goal: Goal,
    pub options: Options,
    pub budget: Budget,
    /// The memory limit that bitstate storage takes its share of.
    pub memory: Option<u64>,
    pub seed: u64,
    pub jobs: usize,
    pub fair: bool,
    pub minimise: Option<u64>,
}

impl Setup {
    /// A hunt that reports traces as they are found. Options are given as `name=value`, separated by blanks.
    pub fn hunt(engine: &'static str, options: &str) -> Setup {
        let setup = Setup {
            engine,
            goal: Goal::Hunt,
            options: Options::default(),
            budget: Budget::default(),
            memory: None,
            seed: 1,
            jobs: 1,
            fair: false,
            minimise: None,
        };
        setup.with(options)
    }

    /// A search that visits every state, unless the options say otherwise.
    pub fn verify(engine: &'static str, options: &str) -> Setup {
        Setup { goal: Goal::Verify, ..Setup::hunt(engine, "reduction=none") }.with(options)
    }

    /// The same with more options.
    pub fn with(mut self, options: &str) -> Setup {
        for (name, value) in options.split_whitespace().map(|o| o.split_once('=').unwrap_or((o, ""))) {
            let parameter = parameters().into_iter().find(|p| p.name == name);
            self.options = self.options.with(parameter.unwrap_or_else(|| panic!("no option {name}")), value);
        }
        self
    }

    /// The same on so many threads.
    pub fn on(self, jobs: usize) -> Setup {
        Setup { jobs, ..self }
    }

    /// Checks properties that questions mean.
    pub fn ask(&self, model: &Model, asked: &[(Question, Property)]) -> Result<Checked, EngineError> {
        let task = Task {
            options: self.options.clone(),
            budget: self.budget.clone(),
            memory: self.memory,
            seed: self.seed,
            jobs: self.jobs,
            semantics: Semantics { fair: self.fair, ..Semantics::default() },
            minimise: self.minimise,
            saving: Some(Saving { every: Duration::MAX, store: Arc::new(|_| ()) }),
            ..Task::new(self.goal)
        };
        model.check(self.engine, asked, task, &mut ())
    }

    /// Checks properties.
    pub fn check(&self, model: &Model, properties: &[Property]) -> Result<Vec<Report>, EngineError> {
        let asked: Vec<_> = properties.iter().map(|p| (Question::Named(p.name.clone()), p.clone())).collect();
        Ok(self.ask(model, &asked)?.reports)
    }

    /// Checks one property.
    pub fn report(&self, model: &Model, property: &Property) -> Report {
        let reports = self.check(model, std::slice::from_ref(property));
        reports.unwrap_or_else(|e| panic!("{} by {}: {e}", property.name, self.engine)).remove(0)
    }
}
