//! What an engine is, and what it is given.

use std::sync::Arc;
use std::time::Duration;

use lurcher_heuristics::registry::{Instances, Settings};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Budget, Observer, Semantics, Storage};
use lurcher_syntax::SourceMap;

use crate::error::EngineError;
use crate::options::{
    ALL_ERRORS, DANGER, DEPTH, DROP, HASH_FUNCTIONS, LOAD_GUIDE, Options, PREFER, Parameter, REDUCE, REDUCTION, STORAGE,
};
use crate::processes::Exec;
use crate::report::Report;
use crate::saved::SavedHunt;
use crate::system::{Model, Shape};

/// What an engine is: an entry of the registry.
#[derive(Debug)]
pub struct Info {
    /// Its name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The parameters it reads, in groups.
    pub parameters: &'static [&'static [&'static Parameter]],
    /// Whether it can prove as well as refute: `verify` offers it.
    pub proves: bool,
    /// Whether the seed makes a difference.
    pub random: bool,
}

impl Info {
    /// The parameters it reads.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        self.parameters.iter().copied().flatten().copied()
    }

    /// Whether it reads a parameter.
    pub fn reads(&self, parameter: &str) -> bool {
        self.parameters().any(|p| p.name == parameter)
    }
}

/// An engine, written once for all kinds of systems; [`check_with`](crate::check_with) calls the one of a name.
pub trait Engine: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;

    /// The kinds of models that it is for.
    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Processes, Shape::Relation, Shape::Own]
    }

    /// Why it cannot check such a property, in one sentence; [`check_with`](crate::check_with) passes over it.
    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        let _ = (shape, kind);
        None
    }

    /// Checks properties. A hunt stops at the first violation.
    ///
    /// # Errors
    /// When it cannot check them, or a trace does not replay.
    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError>
    where
        Self: Sized;
}

/// What an engine is called with.
pub struct Run<'r, M> {
    /// The model.
    pub model: &'r M,
    /// Its properties to check.
    pub properties: &'r [Property],
    /// The goal, the settings and the limits.
    pub task: &'r Task<'r>,
    /// Who is told of the progress.
    pub observer: &'r mut dyn Observer,
}

impl<M: Model> Run<'_, M> {
    /// Checks the properties with BDDs, one encoding for as many of them as possible.
    pub(crate) fn check_with_bdds(self, explicit_first: bool) -> Result<Checked, EngineError> {
        Ok(self.model.check_with_bdds(self.properties, explicit_first, self.task, self.observer)?.into())
    }
}

/// What an engine came to.
#[derive(Debug, Default)]
pub struct Checked {
    /// Reports, at most one for each property.
    pub reports: Vec<Report>,
    /// What is needed to resume, where the hunt is to be saved and nothing was found.
    pub saved: Option<SavedHunt>,
}

impl From<Vec<Report>> for Checked {
    fn from(reports: Vec<Report>) -> Self {
        Checked { reports, saved: None }
    }
}

/// What is wanted: look for a violation, or decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Look for a violation; stop at the first.
    Hunt,
    /// Prove or refute every property.
    Verify,
}

/// Work for minimising traces by default, in expanded states.
pub const MINIMISE: u64 = 100_000;
/// Bytes of a bitstate store by default.
const BITSTATE: u64 = 1 << 30;

/// What an engine is asked to do.
#[derive(Clone)]
pub struct Task<'t> {
    /// What is wanted.
    pub goal: Goal,
    /// Values of the engine's parameters.
    pub options: Options,
    /// What it may use.
    pub budget: Budget,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads.
    pub jobs: usize,
    /// The semantics of process models.
    pub semantics: Semantics,
    /// Work for minimising all traces, in expanded states; `None` reports them as they were found.
    pub minimise: Option<u64>,
    /// The sources of the model: messages quote them.
    pub sources: Option<&'t SourceMap>,
    /// Smaller instances of the model, where its source is known.
    pub instances: Option<Arc<dyn Instances + 't>>,
    /// The memory limit that the user gave; bitstate storage takes a share of it.
    pub memory: Option<u64>,
    /// Continue this hunt.
    pub resume: Option<Arc<SavedHunt>>,
    /// Save the hunt, to be continued later.
    pub saving: Option<Saving>,
}

/// How a hunt is saved.
#[derive(Clone)]
pub struct Saving {
    /// The time between two saves.
    pub every: Duration,
    /// Stores a hunt that goes on.
    pub store: Arc<dyn Fn(&SavedHunt) + Send + Sync>,
}

impl Task<'_> {
    /// A task with default settings.
    pub fn new(goal: Goal) -> Self {
        Task {
            goal,
            options: Options::default(),
            budget: Budget::default(),
            seed: 1,
            jobs: 1,
            semantics: Semantics::default(),
            minimise: Some(MINIMISE),
            sources: None,
            instances: None,
            memory: None,
            resume: None,
            saving: None,
        }
    }

    /// What runs the model.
    pub fn exec(&self) -> Exec {
        Exec::chosen(&self.options)
    }

    /// Whether reductions are wanted: by default when verifying.
    pub fn reduces(&self) -> bool {
        match self.options.text(&REDUCTION) {
            Some(word) => word == "auto",
            None => self.goal == Goal::Verify,
        }
    }

    /// What is stored of a state.
    pub fn storage(&self) -> Storage {
        match self.options.text(&STORAGE) {
            Some("compact") => Storage::Compact,
            Some("bitstate") => Storage::Bitstate {
                functions: self.options.number(&HASH_FUNCTIONS).unwrap_or(3) as u32,
                bytes: self.memory.map_or(BITSTATE, |bytes| bytes / 4 * 3),
            },
            _ => Storage::Exact,
        }
    }

    /// The budget of a search, with the limits among the options.
    pub fn search_budget(&self) -> Budget {
        let depth = self.options.steps(&DEPTH).filter(|&d| d < lurcher_search::UNBOUNDED);
        Budget { depth, all_errors: self.options.has(&ALL_ERRORS), ..self.budget.clone() }
    }

    /// What is wanted of heuristics.
    pub fn heuristic_settings(&self) -> Settings {
        let names = self.options.text(&DROP).unwrap_or_default().lines().map(str::trim);
        Settings {
            drop: names.filter(|l| !l.is_empty() && !l.starts_with('#')).map(str::to_owned).collect(),
            reduce: self.options.text(&REDUCE).map(str::to_owned),
            prefer: self.options.names_of(&PREFER),
            text: self.options.text(&LOAD_GUIDE).map(str::to_owned),
            danger: self.options.text(&DANGER).map(str::to_owned),
        }
    }
}
