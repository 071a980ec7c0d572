//! What engines run on.
//!
//! A [`Model`] is anything whose properties can be checked: a process model, a relation, or a type of the user's own. With one
//! property prepared it becomes a [`System`], which has three views, because no single one is fast for everything:
//!
//! * a state space whose moves are listed and applied, for exhaustive and directed search ([`System::explore`]);
//! * a walk domain whose moves are sampled ([`System::domain`]);
//! * a relation with a symbolic goal ([`System::symbolically`]), where the model has one.
//!
//! What a view finds is a path of the model, and [`System::confirm`] replays, judges and minimises it. Engines are written
//! over these traits, once for all kinds of models; `docs/decisions/system.md` says what was measured.

use std::time::{Duration, Instant};

use lurcher_heuristics::registry::{self, HeuristicError, Named, Settings};
use lurcher_ir::Property;
use lurcher_resources::ResourceLimits;
use lurcher_search::{
    Budget, Coverage, Covers, Expander, Found, FoundKind, Observer, Outcome, Space, StopReason, Storage, WalkDomain,
    WalkPlan,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::directed::Direction;
use crate::engine::Task;
use crate::error::EngineError;
use crate::recommend::Recommendation;
use crate::report::{Answer, Counterexample, Report, Trace, Verdict};
#[cfg(feature = "symbolic")]
use crate::symbolic_goal::{SymbolicAnswer, SymbolicGoal, SymbolicPath};
use crate::timed::SetSearch;

/// The kinds of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// Guarded actions of processes.
    Processes,
    /// A transition relation.
    Relation,
    /// A type of the user's own.
    Own,
    /// Processes of a real-time specification.
    Timed,
}

impl Shape {
    /// What such models are called.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Processes => "process models",
            Shape::Relation => "relations",
            Shape::Own => "models written in Rust",
            Shape::Timed => "real-time specifications",
        }
    }
}

/// Properties prepared for one search, and their indices.
pub type Together<P> = (P, Vec<usize>);

/// A model whose properties can be checked.
pub trait Model: Sync {
    /// A property made ready.
    type Prepared<'m>: Sync
    where
        Self: 'm;
    /// The model with a property made ready.
    type System<'p>: System
    where
        Self: 'p;

    /// What kind of model it is.
    fn shape(&self) -> Shape;

    /// A text that is the same exactly if the model is the same: what a saved hunt is compared with.
    fn identity(&self) -> String;

    /// Refuses a task that this kind of model cannot be given.
    ///
    /// # Errors
    /// One sentence with the reason.
    fn refuse(&self, task: &Task<'_>) -> Result<(), EngineError> {
        let _ = task;
        Ok(())
    }

    /// Makes a property ready; with `reduce`, on the part of the model that decides it.
    ///
    /// # Errors
    /// When that is not possible.
    fn prepare<'m>(
        &'m self,
        property: &Property,
        reduce: bool,
        task: &Task<'_>,
    ) -> Result<Self::Prepared<'m>, EngineError>;

    /// The model with a property made ready.
    fn system<'p, 'm: 'p>(&'p self, prepared: &'p Self::Prepared<'m>, task: &'p Task<'_>) -> Self::System<'p>
    where
        Self: 'm;

    /// Makes properties ready for a search that watches several at once: the indices of those that each search watches.
    ///
    /// # Errors
    /// When that is not possible.
    fn prepare_together<'m>(
        &'m self,
        properties: &[Property],
        task: &Task<'_>,
    ) -> Result<Vec<Together<Self::Prepared<'m>>>, EngineError> {
        let each = |(index, property)| Ok((self.prepare(property, true, task)?, vec![index]));
        properties.iter().enumerate().map(each).collect()
    }

    /// Checks properties with BDDs, one encoding for as many of them as possible. `explicit_first` explores the first
    /// states one by one where that pays.
    ///
    /// # Errors
    /// When it cannot check them.
    fn check_with_bdds(
        &self,
        properties: &[Property],
        explicit_first: bool,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Report>, EngineError> {
        let _ = (properties, explicit_first, task, observer);
        Err(no_bdds())
    }
}

/// A model with one property made ready.
pub trait System: Sync {
    /// A step of a path.
    type Step: Clone + Send + std::fmt::Debug;
    /// A heuristic for this kind of system.
    type Guide: Send + Sync;
    /// What walks have executed.
    type Coverage: Covers + Serialize + DeserializeOwned;
    /// The walk domain.
    type Domain<'s>: WalkDomain<Step = Self::Step, Guide = Self::Guide, Coverage = Self::Coverage>
    where
        Self: 's;

    /// The property.
    fn property(&self) -> &Property;

    /// Whether violations are single states instead of runs.
    fn is_about_states(&self) -> bool;

    /// Whether the model has an initial state that can be entered without a fault.
    fn starts(&self) -> bool {
        true
    }

    /// Bytes of an initial state, which say how much work a state is.
    fn state_bytes(&self) -> u64 {
        0
    }

    /// What every report on this system says.
    fn describe(&self, report: &mut Report) {
        let _ = report;
    }

    /// Whether a run can be known to violate the property from a finite prefix.
    fn has_bad_prefixes(&self) -> bool {
        false
    }

    /// The number of the target, in the order of [`System::heuristics`], that a violation belongs to.
    fn target_of(&self, kind: &FoundKind) -> Option<usize> {
        let _ = kind;
        Some(0)
    }

    /// Whether a heuristic never exceeds the distance to a violation of its target.
    fn is_admissible(guide: &Self::Guide) -> bool {
        let _ = guide;
        false
    }

    /// Searches the state space for bad states, or for bad prefixes of runs where the property is about runs, and for accepting
    /// cycles if the search finds any; with a direction, by its heuristics.
    ///
    /// # Errors
    /// When the property is none that explicit searches can check.
    fn explore<A: Search>(
        &self,
        search: &mut A,
        direction: Option<&Direction<Self::Guide>>,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Self::Step>, EngineError>;

    /// Searches the state space for bad runs.
    ///
    /// # Errors
    /// When the property is none that explicit searches can check.
    fn find_cycle(
        &self,
        storage: Storage,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Self::Step>, EngineError>;

    /// The walk domain.
    fn domain(&self) -> Self::Domain<'_>;

    /// Switches to native code once walks have taken so many steps that it pays; true if new domains use it from now on.
    fn compile(&self, steps: u64) -> bool {
        let _ = steps;
        false
    }

    /// Notes what runs the walks.
    fn describe_walks(&self, report: &mut Report) {
        let _ = report;
    }

    /// The depth that walks of growing depth start with.
    fn first_depth(&self) -> u32 {
        64
    }

    /// Builds a heuristic: for each target of the property, the most promising first.
    ///
    /// # Errors
    /// Why there is none, for each target.
    fn heuristics(
        &self,
        entry: &registry::Entry,
        settings: &Settings,
        budget: &Budget,
        first_target_only: bool,
    ) -> Vec<Result<Named<Self::Guide>, HeuristicError>>;

    /// The heuristic that the model brings along.
    fn own_heuristic(&self) -> Option<Named<Self::Guide>> {
        None
    }

    /// How walks of a plan follow a heuristic: the plan, and the heuristic under its name in reports.
    fn guided(&self, plan: WalkPlan, guide: Named<Self::Guide>) -> (WalkPlan, Named<Self::Guide>) {
        (plan, guide)
    }

    /// The statements that walks have executed, where the model has statements.
    fn statements(&self, coverage: &Self::Coverage) -> Option<Coverage> {
        let _ = coverage;
        None
    }

    /// The engine to try first.
    fn recommendation(&self) -> Recommendation;

    /// Checks the property with BDDs. With `plain`, by textbook reachability: all variables, breadth first.
    ///
    /// # Errors
    /// When it cannot be checked so.
    fn check_with_bdds(
        &self,
        plain: bool,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Self::Step>, EngineError> {
        let _ = (plain, budget, observer);
        Err(no_bdds())
    }

    /// Calls `search` with the relation and the symbolic goal; gives its trace back as a path.
    ///
    /// # Errors
    /// When the model cannot be encoded, or the property is not about states.
    #[cfg(feature = "symbolic")]
    fn symbolically(
        &self,
        engine: &'static str,
        drop: &[String],
        search: &mut dyn FnMut(&SymbolicGoal<'_>) -> SymbolicAnswer,
    ) -> Result<SymbolicPath<Self::Step>, EngineError> {
        let _ = (engine, drop, search);
        Err(no_bdds())
    }

    /// Checks the property with sets of integers, where the model is a real-time specification.
    ///
    /// # Errors
    /// When it cannot be checked so.
    fn check_with_sets(
        &self,
        search: SetSearch,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Self::Step>, EngineError> {
        let _ = (search, budget, observer);
        Err(EngineError::Refused("sets of integers are for real-time specifications".to_owned()))
    }

    /// What walks found, as a path of the whole model.
    fn as_path(&self, found: Found<Self::Step>) -> Found<Self::Step> {
        found
    }

    /// Whether walks can watch the property.
    fn can_walk(&self) -> bool {
        true
    }

    /// Why no heuristic leads walks to violations of the property.
    fn no_heuristic(&self) -> Option<&'static str> {
        None
    }

    /// What a trace of this kind of model shows, as if a search had found it; none if it violates nothing.
    fn found_in(&self, trace: &Trace) -> Option<Found<Self::Step>> {
        let _ = trace;
        None
    }

    /// Replays, judges and minimises what a search found.
    ///
    /// # Errors
    /// When it does not replay.
    fn confirm(&self, found: &Found<Self::Step>, minimise: Minimise<'_>) -> Result<Confirmed, EngineError>;
}

/// Why BDDs are not used.
fn no_bdds() -> EngineError {
    EngineError::Refused(match cfg!(feature = "symbolic") {
        true => "this kind of model has no symbolic encoding".to_owned(),
        false => "lurcher was built without the feature `symbolic`".to_owned(),
    })
}

/// A search over a state space: called with whatever space a system has.
pub trait Search {
    /// The engine's name in reports.
    fn name(&self) -> &'static str;

    /// Threads that it can use.
    fn threads(&self) -> usize {
        1
    }

    /// Whether it expands nodes into batches, so that the transition cache and chain merging pay.
    fn expands_batches(&self) -> bool {
        false
    }

    /// Whether it looks for accepting cycles, beside bad states and ends of the claim.
    fn finds_cycles(&self) -> bool {
        false
    }

    /// What it stores of states.
    fn storage(&self) -> Storage {
        Storage::Exact
    }

    /// Searches, on as many threads as there are spaces, each perhaps with a cache around it.
    fn run<E: Expander<Space: Space<Step: Send>> + Send>(
        &mut self,
        spaces: &mut [E],
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Outcome<<E::Space as Space>::Step>;

    /// Searches one space. Of paths of the same length, that of the first edges is found.
    fn run_alone<E: Expander<Space: Space<Step: Send>> + Send>(
        &mut self,
        space: &mut E,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Outcome<<E::Space as Space>::Step> {
        self.run(std::slice::from_mut(space), budget, observer)
    }

    /// With lossy storage: the probability, at the end, that a new state is taken for a known one.
    fn omission(&self) -> Option<f64> {
        None
    }
}

/// How traces are minimised.
#[derive(Clone, Copy, Debug)]
pub struct Minimise<'b> {
    /// Work, in expanded states; `None` leaves the trace as it was found.
    pub expansions: Option<u64>,
    /// The budget of the search that found it.
    pub budget: &'b Budget,
}

/// The time after which minimising stops, whatever the time limit.
const BRAKE: Duration = Duration::from_secs(60);

impl Minimise<'_> {
    /// The minimiser's budget.
    pub(crate) fn budget(&self, expansions: u64) -> lurcher_trace::minimise::MinimiseBudget {
        let (now, resources) = (Instant::now(), &self.budget.resources);
        // The rest of the grace is for judging the trace and for the report.
        let latest =
            resources.deadline.map_or(now + BRAKE, |d| d.max(now.min(d) + resources.grace / 3).min(now + BRAKE));
        let resources = ResourceLimits { deadline: Some(latest), ..resources.clone() };
        lurcher_trace::minimise::MinimiseBudget { expansions, resources }
    }
}

/// A confirmed violation, and what minimising it took.
pub struct Confirmed {
    /// The violation.
    pub counterexample: Counterexample,
    /// Time for minimising.
    pub time: Duration,
    /// Expanded states.
    pub expansions: u64,
    /// Minimising was stopped by the clock or the user.
    pub cut: bool,
}

/// Said of a trace that depends on how fast the machine is.
const CUT: &str = "making the trace shorter was stopped early; more time may give a shorter one";

/// Judges an answer: replays its traces, minimises them and derives the verdict.
pub(crate) fn judge<S: System>(
    system: &S,
    task: &Task<'_>,
    answer: Answer<S::Step>,
    search: Duration,
) -> Result<Report, EngineError> {
    let Answer { found, mut report } = answer;
    system.describe(&mut report);
    if let Some(chance) = report.omission {
        let name = report.storage.name();
        report.remarks.push(format!(
            "{name} storage takes a state that was not met for one that was with a probability of {chance:.1e}"
        ));
    }
    if report.stop == StopReason::Depth {
        report.remarks.push("states below the depth limit were not looked at".to_owned());
    }
    let mut expansions = task.minimise;
    for found in &found {
        let minimise = Minimise { expansions, budget: &task.budget };
        let Ok(confirmed) = task.budget.resources.with_grace().bound(|| system.confirm(found, minimise)) else {
            report.unconfirmed = true;
            continue;
        };
        let confirmed = confirmed?;
        expansions = expansions.map(|left| left.saturating_sub(confirmed.expansions));
        report.times.minimise += confirmed.time;
        report.remarks.extend(confirmed.cut.then(|| CUT.to_owned()));
        report.counterexamples.push(confirmed.counterexample);
    }
    report.times.search = search.saturating_sub(report.times.compile + report.times.guide);
    let over = matches!(report.stop, StopReason::Violation | StopReason::Complete);
    if report.unconfirmed && report.counterexamples.is_empty() && over {
        report.stop = task.budget.stop_reason().unwrap_or(StopReason::Time);
    }
    report.verdict = match (report.counterexamples.is_empty(), report.stop) {
        (false, _) => Verdict::Violated,
        (true, StopReason::Complete) => Verdict::Holds,
        (true, _) => Verdict::Inconclusive,
    };
    Ok(report)
}
