//! Checking properties of a model: a builder, and what it returns.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lurcher_engines::{
    Checked, DELTA, EngineError, Goal, Options, Parameter, Report, Run, SATURATION, SavedHunt, Saving, Task, Verdict,
    WALKS, WALKS_TO, check_with, engine, parameters, refuse_unread,
};
use lurcher_ir::Property;
use lurcher_resources::{LimitReached, ResourceLimits, StopSignal};
use lurcher_search::{Observer, Progress, Semantics};

use crate::languages::Form;
use crate::load::Model;
use crate::question::{Question, QuestionError};

/// How long a hunt lasts by default.
pub const HUNT_TIME: Duration = Duration::from_secs(60);

/// Why a check gives no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckError {
    /// A question cannot be asked of the model.
    Question(QuestionError),
    /// An option or an engine does not exist, or they do not go together.
    Option(String),
    /// The engine cannot check the properties, or a trace does not replay.
    Engine(EngineError),
    /// A limit was reached while the properties were read.
    Stopped(LimitReached),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Question(error) => error.fmt(f),
            CheckError::Option(why) => f.write_str(why),
            CheckError::Engine(error) => error.fmt(f),
            CheckError::Stopped(limit) => write!(f, "{limit} while the properties were read"),
        }
    }
}

impl std::error::Error for CheckError {}

impl From<EngineError> for CheckError {
    fn from(error: EngineError) -> Self {
        CheckError::Engine(error)
    }
}

/// A check to be made: which properties, by which engine, within which limits.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut model = lurcher::Model::from_text("counter.pml", "byte x; active proctype P() { do :: x++ od }", &Default::default())?;
/// let outcome = model.verify().invariant("x < 5").run()?;
/// assert!(outcome.is_violated());
/// # Ok(())
/// # }
/// ```
#[must_use = "a check does nothing until it is run"]
pub struct Check<'m, T: ?Sized = Model> {
    subject: &'m mut T,
    engine: String,
    questions: Vec<Question>,
    /// Goal, options and limits; the deadline is set when the check starts.
    task: Task<'static>,
    started: Option<Instant>,
    time: Option<Duration>,
    default_memory: Option<u64>,
    /// The first option that is wrong.
    wrong: Option<String>,
    observer: Box<dyn Observer + 'm>,
}

/// The results of a check.
#[derive(Debug)]
pub struct Outcome {
    /// A report for each property that was decided or tried, in the order of the properties; for a hunt, violations first.
    pub reports: Vec<Report>,
    /// The properties that were to be checked, in the order in which they were asked for. A hunt that ended at a violation has
    /// no reports on those that it did not decide.
    pub asked: Vec<Property>,
    /// What is needed to resume a hunt that was to be saved and found nothing.
    pub saved: Option<SavedHunt>,
}

impl Outcome {
    /// Whether some property is violated.
    pub fn is_violated(&self) -> bool {
        self.reports.iter().any(|r| r.verdict == Verdict::Violated)
    }

    /// Whether every property is proved.
    pub fn holds(&self) -> bool {
        !self.reports.is_empty() && self.reports.iter().all(|r| r.verdict == Verdict::Holds)
    }
}

/// Something whose properties can be checked: a model that was loaded, or one written in Rust.
pub trait Subject {
    /// The properties to check when none is named.
    fn questions(&self) -> Vec<Question>;

    /// The properties that a question means.
    ///
    /// # Errors
    /// When there is no such property, or a formula cannot be read.
    fn resolve(&mut self, question: &Question) -> Result<Vec<Property>, QuestionError>;

    /// Checks properties with an engine.
    ///
    /// # Errors
    /// When the engine cannot check them.
    fn check(
        &self,
        engine: &str,
        asked: &[(Question, Property)],
        task: Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Checked, EngineError>;

    /// Looks for violations; by default with a portfolio of engines, for a minute.
    fn hunt(&mut self) -> Check<'_, Self> {
        Check::new(self, Goal::Hunt)
    }

    /// Proves or refutes properties; by default with the search that suits the model.
    fn verify(&mut self) -> Check<'_, Self> {
        Check::new(self, Goal::Verify)
    }
}

impl Subject for Model {
    fn questions(&self) -> Vec<Question> {
        Model::questions(self)
    }

    fn resolve(&mut self, question: &Question) -> Result<Vec<Property>, QuestionError> {
        Model::resolve(self, question)
    }

    fn check(
        &self,
        engine: &str,
        asked: &[(Question, Property)],
        task: Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Checked, EngineError> {
        let task = &self.complete(asked, task);
        let properties: &Vec<Property> = &asked.iter().map(|(_, p)| p.clone()).collect();
        match self.form() {
            Form::Processes(model) => check_with(engine, Run { model, properties, task, observer }),
            Form::Relation(model) => check_with(engine, Run { model, properties, task, observer }),
            Form::Timed(model) => check_with(engine, Run { model, properties, task, observer }),
        }
    }
}

impl Model {
    /// Looks for violations; by default with a portfolio of engines, for a minute.
    pub fn hunt(&mut self) -> Check<'_> {
        Check::new(self, Goal::Hunt)
    }

    /// Proves or refutes properties; by default with the search that suits the model.
    pub fn verify(&mut self) -> Check<'_> {
        Check::new(self, Goal::Verify)
    }
}

impl Model {
    /// A task about this model with default settings, for callers that use analyses directly.
    pub fn task<'t>(&'t self, asked: &'t [(Question, Property)]) -> Task<'t> {
        self.complete(asked, Task::new(Goal::Hunt))
    }

    fn complete<'t>(&'t self, asked: &'t [(Question, Property)], task: Task<'t>) -> Task<'t> {
        Task { sources: Some(self.sources()), instances: self.source().instances(asked), ..task }
    }
}

impl<'m, T: Subject + ?Sized> Check<'m, T> {
    pub(crate) fn new(subject: &'m mut T, goal: Goal) -> Self {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        Check {
            subject,
            engine: "auto".to_owned(),
            questions: Vec::new(),
            task: Task { jobs, ..Task::new(goal) },
            started: None,
            time: None,
            default_memory: None,
            wrong: None,
            observer: Box::new(()),
        }
    }

    /// The engine, by its name in the registry.
    pub fn engine(mut self, name: &str) -> Self {
        self.engine = name.to_owned();
        self
    }

    /// An option of the engine, by the name of its parameter: `.option("depth", "500")`.
    pub fn option(mut self, name: &str, value: &str) -> Self {
        let added = match parameters().into_iter().find(|p| p.name == name) {
            Some(parameter) => self.task.options.add(parameter, value),
            None => Err("no parameter of any engine".to_owned()),
        };
        if let Err(why) = added {
            self.wrong.get_or_insert(format!("--{name}: {why}"));
        }
        self
    }

    /// All options of the engine.
    pub fn options(mut self, options: Options) -> Self {
        self.task.options = options;
        self
    }

    /// A property by name; several, separated by commas; or all whose names match a pattern with `*`.
    pub fn property(self, name: &str) -> Self {
        self.question(Question::Named(name.to_owned()))
    }

    /// An LTL formula.
    pub fn ltl(self, formula: &str) -> Self {
        self.question(Question::Ltl("ltl".to_owned(), formula.to_owned()))
    }

    /// An expression that holds in every state.
    pub fn invariant(self, expression: &str) -> Self {
        self.question(Question::invariant(expression))
    }

    /// A property in any form. Without one, all that the model states are checked.
    pub fn question(mut self, question: Question) -> Self {
        self.questions.push(question);
        self
    }

    /// When the time limit begins; by default, when the check does.
    pub fn started(mut self, at: Instant) -> Self {
        self.started = Some(at);
        self
    }

    /// A time limit.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// A memory limit in bytes.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.task.memory = Some(bytes);
        self
    }

    /// The memory limit where none is given; storage that takes a share of the limit does not take one of this.
    pub fn default_memory(mut self, bytes: u64) -> Self {
        self.default_memory = Some(bytes);
        self
    }

    /// A limit on the states that exhaustive searches store.
    pub fn states(mut self, states: u64) -> Self {
        self.task.budget.states = Some(states);
        self
    }

    /// The seed of everything random.
    pub fn seed(mut self, seed: u64) -> Self {
        self.task.seed = seed;
        self
    }

    /// Threads; the results do not depend on them.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.task.jobs = jobs.max(1);
        self
    }

    /// Which runs a process model has, and which of them are violations.
    pub fn semantics(mut self, semantics: Semantics) -> Self {
        self.task.semantics = semantics;
        self
    }

    /// Work for minimising traces, in expanded states; `None` reports them as they were found.
    pub fn minimise(mut self, expansions: Option<u64>) -> Self {
        self.task.minimise = expansions;
        self
    }

    /// Continues a saved hunt.
    pub fn resume(mut self, saved: SavedHunt) -> Self {
        self.task.resume = Some(Arc::new(saved));
        self
    }

    /// Saves a hunt: calls `store` at intervals while it goes on, and returns what is needed to resume it with the outcome.
    pub fn save(mut self, every: Duration, store: impl Fn(&SavedHunt) + Send + Sync + 'static) -> Self {
        self.task.saving = Some(Saving { every, store: Arc::new(store) });
        self
    }

    /// A signal that stops the check.
    pub fn stop_signal(mut self, stop: StopSignal) -> Self {
        self.task.budget.resources.stop = stop;
        self
    }

    /// Watches the check.
    pub fn observer(mut self, observer: impl Observer + 'm) -> Self {
        self.observer = Box::new(observer);
        self
    }

    /// Watches the check about every tenth of a second, and can stop it.
    pub fn on_progress(mut self, watch: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'm) -> Self {
        self.observer = Box::new(Watcher { watch, stop: self.task.budget.resources.stop.clone() });
        self
    }

    /// The time that the check may take. Hunts without a limit of their own last a minute.
    pub fn time_limit(&self) -> Option<Duration> {
        let bounded = [&WALKS, &DELTA, &WALKS_TO, &SATURATION].iter().any(|p: &&Parameter| self.task.options.has(p));
        self.time.or((self.task.goal == Goal::Hunt && !bounded).then_some(HUNT_TIME))
    }

    /// Makes the check.
    ///
    /// # Errors
    /// When a property, the engine or an option does not exist, the engine cannot check the properties, or a trace does
    /// not replay.
    pub fn run(mut self) -> Result<Outcome, CheckError> {
        self.validate()?;
        if self.questions.is_empty() {
            self.questions = self.subject.questions();
        }
        let resources = self.resources();
        let asked = resources.bound(|| self.resolve()).map_err(CheckError::Stopped)??;
        let Check { subject, engine, mut task, mut observer, .. } = self;
        task.budget.resources = resources.clone();
        // The parts of a check have limits of their own, and keep what they have when these are reached.
        let checked = resources.with_grace().bound(|| subject.check(&engine, &asked, task, &mut *observer));
        let stopped = |limit: LimitReached| {
            let stopped = |(_, property): &(Question, Property)| Report::stopped(property, &engine, limit.into());
            Checked::from(asked.iter().map(stopped).collect::<Vec<_>>())
        };
        let Checked { reports, saved } = match checked {
            Err(limit) | Ok(Err(EngineError::Stopped(limit))) => stopped(limit),
            Ok(checked) => checked?,
        };
        Ok(Outcome { reports, asked: asked.into_iter().map(|(_, property)| property).collect(), saved })
    }

    /// What the check may use.
    fn resources(&self) -> ResourceLimits {
        let time = self.time_limit();
        let started = self.started.unwrap_or_else(Instant::now);
        let memory = self.task.memory.or(self.default_memory);
        ResourceLimits::new(started, time, memory, self.task.budget.resources.stop.clone())
    }

    /// The properties that the questions mean.
    fn resolve(&mut self) -> Result<Vec<(Question, Property)>, CheckError> {
        let questions = Question::select(&self.questions, &self.subject.questions()).map_err(CheckError::Question)?;
        let mut asked: Vec<(Question, Property)> = Vec::new();
        for question in &questions {
            let properties = self.subject.resolve(question).map_err(CheckError::Question)?;
            asked.extend(properties.into_iter().map(|p| (question.clone(), p)));
        }
        Ok(asked)
    }

    /// Makes sure that the engine exists and goes with the goal and the options.
    fn validate(&self) -> Result<(), CheckError> {
        if let Some(why) = &self.wrong {
            return Err(CheckError::Option(why.clone()));
        }
        let unknown = || CheckError::Option(format!("there is no engine `{}`", self.engine));
        let engine = engine(&self.engine).ok_or_else(unknown)?;
        if self.task.goal == Goal::Verify && !engine.info().proves {
            return Err(CheckError::Option(format!(
                "{} finds violations and proves nothing; hunt uses it",
                self.engine
            )));
        }
        refuse_unread(engine, &self.task.options).map_err(CheckError::Option)?;
        self.task.options.refuse_idle().map_err(CheckError::Option)
    }
}

/// An observer that can stop a check.
struct Watcher<F> {
    watch: F,
    stop: StopSignal,
}

impl<F: FnMut(&Progress) -> ControlFlow<()> + Send> Observer for Watcher<F> {
    fn progress(&mut self, progress: &Progress) {
        if (self.watch)(progress).is_break() {
            self.stop.interrupt();
        }
    }
}
