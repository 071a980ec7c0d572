//! Checking properties of a model: a builder, and what it returns.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lurcher_engines::{
    Checked, DELTA, EngineError, Goal, Options, Parameter, Report, Run, SATURATION, SavedHunt, Saving, Task, Verdict,
    WALKS, WALKS_TO, check_with, engine, parameters, refuse_unread,
};
use lurcher_ir::Property;
use lurcher_search::{Observer, Progress};

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
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Question(error) => error.fmt(f),
            CheckError::Option(why) => f.write_str(why),
            CheckError::Engine(error) => error.fmt(f),
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

    /// A property by name.
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

    /// Only weakly fair runs count (process models).
    pub fn fair(mut self, fair: bool) -> Self {
        self.task.fair = fair;
        self
    }

    /// Full channels lose messages (process models).
    pub fn message_loss(mut self, message_loss: bool) -> Self {
        self.task.message_loss = message_loss;
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

    /// A flag that stops the check when it is set.
    pub fn interrupt(mut self, interrupt: Arc<AtomicBool>) -> Self {
        self.task.budget.interrupt = interrupt;
        self
    }

    /// Watches the check.
    pub fn observer(mut self, observer: impl Observer + 'm) -> Self {
        self.observer = Box::new(observer);
        self
    }

    /// Watches the check about every tenth of a second, and can stop it.
    pub fn on_progress(mut self, watch: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'm) -> Self {
        self.observer = Box::new(Watcher { watch, interrupt: self.task.budget.interrupt.clone() });
        self
    }

    /// Makes the check.
    ///
    /// # Errors
    /// When a property, the engine or an option does not exist, the engine cannot check the properties, or a trace does
    /// not replay.
    pub fn run(mut self) -> Result<Outcome, CheckError> {
        let started = Instant::now();
        self.validate()?;
        if self.questions.is_empty() {
            self.questions = self.subject.questions();
        }
        let mut asked: Vec<(Question, Property)> = Vec::new();
        for question in &self.questions {
            let properties = self.subject.resolve(question).map_err(CheckError::Question)?;
            asked.extend(properties.into_iter().map(|p| (question.clone(), p)));
        }
        let Check { subject, engine, mut task, mut observer, .. } = self;
        let bounded = [&WALKS, &DELTA, &WALKS_TO, &SATURATION].iter().any(|p: &&Parameter| task.options.has(p));
        let time = self.time.or((task.goal == Goal::Hunt && !bounded).then_some(HUNT_TIME));
        task.budget.deadline = time.map(|t| started + t);
        task.budget.memory = task.memory.or(self.default_memory);
        let Checked { reports, saved } = subject.check(&engine, &asked, task, &mut *observer)?;
        Ok(Outcome { reports, saved })
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
    interrupt: Arc<AtomicBool>,
}

impl<F: FnMut(&Progress) -> ControlFlow<()> + Send> Observer for Watcher<F> {
    fn progress(&mut self, progress: &Progress) {
        if (self.watch)(progress).is_break() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }
}
