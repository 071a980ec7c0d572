//! Checking properties: picks the search, runs it, replays what it finds.

use std::time::{Duration, Instant};

use lurcher_ir::{Model, Property, PropertyKind};
use lurcher_search::{Budget, Coverage, Observer, Outcome, StopReason, Storage};
use lurcher_syntax::{SourceMap, Span};
use lurcher_system::Interpreter;

use crate::confirm::{Treatment, confirm};
use crate::diagrams::{self, Diagrams};
use crate::exec::Exec;
use crate::partial_order::{PARTIAL_ORDER, reduction};
use crate::quarry::{Quarry, Watched};
use crate::relation::Sets;
use crate::search::{Search, Searched};
use crate::verdict::{Report, Times, Verdict};

/// A search for bad states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Depth first.
    Dfs,
    /// Breadth first: the trace is a shortest one.
    Bfs,
    /// Sets of states as binary decision diagrams.
    Bdd,
}

impl Engine {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Dfs => "dfs",
            Engine::Bfs => "bfs",
            Engine::Bdd => "bdd",
        }
    }
}

/// What every check of a job shares.
#[derive(Clone, Debug)]
pub struct Job {
    /// The search for bad states; state by state, cycles are always looked for by nested depth-first search.
    pub engine: Engine,
    /// How the model is run.
    pub exec: Exec,
    /// Threads to search on. Depth-first search for bad states, and lossy storage, use one.
    pub jobs: usize,
    /// What is kept of a state; anything but all of it goes with depth-first search.
    pub storage: Storage,
    /// What each check may use.
    pub budget: Budget,
    /// Only runs in which no process is neglected for ever count as violations.
    pub fair: bool,
    /// A message sent to a full channel is lost.
    pub message_loss: bool,
    /// Leave out steps whose order does not matter, where that is sound; otherwise look at every state.
    pub reduce: bool,
    /// Work for making all traces shorter, in expanded states; none shows them as they were found.
    pub minimise: Option<u64>,
}

/// The work for making traces shorter when nobody says.
pub const MINIMISE: u64 = 100_000;

/// What a check fails with when it is not the model's fault.
#[derive(Debug)]
#[non_exhaustive]
pub enum JobError {
    /// A formula whose automaton is too large.
    Formula(String, lurcher_ltl::TooLarge),
    /// A guide that cannot be made: its name, and why.
    Guide(&'static str, String),
    /// A saved hunt that cannot be resumed here.
    Resume(String),
    /// An engine that cannot answer the question.
    Unsuited(String),
    /// A trace that a search found does not replay: a bug.
    Unconfirmed(String),
}

impl std::fmt::Display for JobError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            JobError::Formula(name, error) => write!(f, "property `{name}`: {error}"),
            JobError::Guide(name, why) => write!(f, "the guide {name} cannot be made: {why}"),
            JobError::Resume(why) => write!(f, "the saved hunt cannot be resumed: {why}"),
            JobError::Unsuited(why) => write!(f, "{why}"),
            JobError::Unconfirmed(what) => write!(f, "the trace of a violation could not be confirmed: {what}"),
        }
    }
}

impl std::error::Error for JobError {}

/// The property that stands for end states, assertions and faults.
pub fn safety() -> Property {
    Property::built_in("safety", PropertyKind::Safety)
}

/// What a search came to, before it is judged.
pub(crate) struct Answer {
    pub outcome: Outcome,
    /// The search that was used.
    pub engine: &'static str,
    pub reduction: Option<&'static str>,
    pub coverage: Option<Coverage>,
    /// What ran the model, where there is a choice.
    pub executor: Option<&'static str>,
    /// Making native code.
    pub compile: Duration,
    /// With lossy storage: how likely it is that a state is lost.
    pub omission: Option<f64>,
    pub sets: Option<Sets>,
    pub remarks: Vec<String>,
}

impl Answer {
    pub fn new(outcome: Outcome, engine: &'static str) -> Answer {
        Answer {
            outcome,
            engine,
            reduction: None,
            coverage: None,
            executor: None,
            compile: Duration::ZERO,
            omission: None,
            sets: None,
            remarks: Vec::new(),
        }
    }
}

impl Job {
    /// Checks one property of a model.
    pub fn check(
        &self,
        model: &Model,
        sources: &SourceMap,
        property: &Property,
        observer: &mut (impl Observer + Send),
    ) -> Result<Report, JobError> {
        self.check_quarry(&Quarry::new(model, property)?, sources, observer)
    }

    /// Checks a property that is ready.
    pub(crate) fn check_quarry(
        &self,
        quarry: &Quarry,
        sources: &SourceMap,
        observer: &mut (impl Observer + Send),
    ) -> Result<Report, JobError> {
        let started = Instant::now();
        let interpreter = quarry.interpreter(self.message_loss);
        if self.engine == Engine::Bdd {
            let Diagrams { stop, found, stats, sets } =
                diagrams::search(quarry, &interpreter, self.fair, &self.budget, observer)?;
            let answer = Answer { sets, ..Answer::new(Outcome { stop, found, stats }, self.engine.name()) };
            return self.report(quarry, &interpreter, sources, answer, started.elapsed());
        }
        let reduction = self.reduce.then(|| reduction(self, quarry, &interpreter)).transpose();
        let unreduced = reduction.as_ref().err().map(|why| format!("no partial-order reduction: {why}"));
        let (reduction, dead) = reduction.unwrap_or_default().unzip();
        let dead = dead.unwrap_or_default();
        let reduced = reduction.is_some().then_some(PARTIAL_ORDER);
        let mut search = Search { job: self, quarry, reduction, dead: &dead, observer };
        let answered = self.exec.answer(quarry, self.message_loss, &self.budget, &mut search);
        let Searched { outcome, coverage, engine, omission } = answered.answer;
        let answer = Answer {
            reduction: reduced,
            coverage: Some(coverage),
            executor: Some(answered.executor),
            compile: answered.compile,
            omission,
            remarks: answered.remark.into_iter().chain(unreduced).collect(),
            ..Answer::new(outcome, engine)
        };
        let search = started.elapsed().saturating_sub(answer.compile);
        self.report(quarry, &interpreter, sources, answer, search)
    }

    /// Judges an answer.
    pub(crate) fn report(
        &self,
        quarry: &Quarry,
        interpreter: &Interpreter<'_>,
        sources: &SourceMap,
        answer: Answer,
        search: Duration,
    ) -> Result<Report, JobError> {
        let Answer { outcome, engine, reduction, coverage, executor, compile, omission, sets, remarks: said } = answer;
        let property = &quarry.property;
        let mut counterexamples = Vec::new();
        let mut remarks = remarks(quarry, &outcome, self.fair);
        remarks.extend(said);
        remarks.extend(omission.map(|chance| omission_remark(self.storage, chance)));
        let (mut expansions, mut minimise) = (self.minimise, Duration::ZERO);
        for found in &outcome.found {
            let treatment = Treatment { fair: self.fair, expansions, budget: &self.budget };
            let confirmed = confirm(quarry, interpreter, sources, found, treatment)?;
            expansions = expansions.map(|left| left.saturating_sub(confirmed.expansions));
            minimise += confirmed.minimise;
            remarks.extend(confirmed.cut.then(|| CUT.to_owned()));
            counterexamples.push(confirmed.counterexample);
        }
        let verdict = match (counterexamples.is_empty(), outcome.stop) {
            (false, _) => Verdict::Violated,
            (true, StopReason::Complete) => Verdict::Holds,
            (true, _) => Verdict::Inconclusive,
        };
        Ok(Report {
            name: property.name.clone(),
            kind: property.kind.name(),
            place: (property.span != Span::default()).then_some(property.span),
            verdict,
            stop: outcome.stop,
            engine: engine.to_owned(),
            reduction,
            guide: None,
            counterexamples,
            stats: outcome.stats,
            coverage,
            executor,
            storage: self.storage,
            omission,
            times: Times { compile, search, minimise, ..Times::default() },
            walks: None,
            sets,
            curve: None,
            with_claim: quarry.limits(self.message_loss).with_claim,
            remarks,
        })
    }
}

/// Said of a trace that depends on how fast the machine is.
pub(crate) const CUT: &str = "making the trace shorter was stopped early; more time may give a shorter one";

fn omission_remark(storage: Storage, chance: f64) -> String {
    let name = storage.name();
    format!("{name} storage takes a state that was not met for one that was with a probability of {chance:.1e}")
}

fn remarks(quarry: &Quarry, outcome: &Outcome, fair: bool) -> Vec<String> {
    let mut remarks = fairness_remark(quarry, fair);
    if outcome.stop == StopReason::Depth {
        remarks.push("states below the depth limit were not looked at".to_owned());
    }
    remarks
}

/// Says that only fair runs count, where that makes a difference.
pub(crate) fn fairness_remark(quarry: &Quarry, fair: bool) -> Vec<String> {
    let matters = fair && matches!(quarry.watched, Watched::Claim(_));
    matters.then(|| "under weak fairness".to_owned()).into_iter().collect()
}
