//! The registry of heuristics.
//!
//! Every heuristic has an [`Entry`]: name, help, what it scores and how it is built for process models, for relations, or for
//! both. Command line, help, JSON, `analyze`, experiments and the portfolio read [`HEURISTICS`]; nothing else lists them.

#[cfg(feature = "symbolic")]
pub mod abstraction;
mod active_processes;
mod choose_free;
mod control_flow;
mod deadlock;
mod formula;
mod interleaving;
mod local_distance;
mod most_blocked;
mod pattern_database;
mod prefer_threads;
mod reduced_instance;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lurcher_ir::Property;
use lurcher_search::{Bias, Budget, Prepared, PreparedRelation, RelationGuidance, Scores, StopReason};
use lurcher_syntax::SourceMap;
use lurcher_system::Interpreter;

use crate::formula::RelationFormula;
use crate::goals::Target;
use crate::heuristic::Heuristic;
use crate::reduced_instance::ReducedInstance;

/// All heuristics, in the order in which they are shown.
pub static HEURISTICS: &[Entry] = &[
    local_distance::STEPS,
    local_distance::SUM,
    local_distance::MAX,
    control_flow::FSM,
    control_flow::EFSM,
    pattern_database::ENTRY,
    reduced_instance::ENTRY,
    #[cfg(feature = "symbolic")]
    abstraction::ENTRY,
    active_processes::ENTRY,
    formula::SUM,
    formula::MAX,
    deadlock::SUM,
    deadlock::MAX,
    most_blocked::ENTRY,
    interleaving::ENTRY,
    choose_free::ENTRY,
    prefer_threads::ENTRY,
];

/// The heuristic of a name.
pub fn heuristic(name: &str) -> Option<&'static Entry> {
    HEURISTICS.iter().find(|h| h.name == name)
}

/// A heuristic that was built for a process model, with notes on how it was built; or why there is none.
pub type Built<'m> = Result<(Heuristic<'m>, Vec<String>), HeuristicError>;

/// A heuristic that was built for a relation, or why there is none.
pub type BuiltForRelation = Result<RelationHeuristic, HeuristicError>;

/// A heuristic: what it is and how it is built.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Whether it scores states or steps.
    pub scores: Scores,
    /// Whether building it takes long compared with a few thousand steps of a walk.
    pub costly: bool,
    /// How its scores become weights of walks by default.
    pub bias: Bias,
    /// Builds it for a process model, or reads it from text.
    for_processes: for<'m> fn(&Request<'_, 'm>) -> Built<'m>,
    /// Builds it for a relation.
    for_relation: Option<fn(&PreparedRelation<'_>, &Settings, &Budget) -> BuiltForRelation>,
}

impl Entry {
    /// Builds it for a process model. `several` targets put the target into its name.
    ///
    /// # Errors
    /// Why there is none.
    pub fn build<'m>(&self, request: &Request<'_, 'm>, several: bool) -> Result<Named<Heuristic<'m>>, HeuristicError> {
        let started = Instant::now();
        let built = request.budget.resources.bound(|| (self.for_processes)(request));
        let (guide, notes) = built.map_err(|limit| HeuristicError::Stopped(limit.into()))??;
        let name = match several && !guide.is_for_every_target() {
            false => self.name.to_owned(),
            true => format!("{} to {}", self.name, request.target.name()),
        };
        Ok(Named { name, guide: Arc::new(guide), bias: self.bias, notes, time: started.elapsed() })
    }

    /// Builds it for a relation.
    ///
    /// # Errors
    /// Why there is none.
    pub fn build_for_relation(
        &self,
        prepared: &PreparedRelation<'_>,
        settings: &Settings,
        budget: &Budget,
    ) -> BuiltForRelation {
        let refused = || format!("{} is for process models; relations have formula and abstraction", self.name);
        let build = self.for_relation.ok_or_else(refused)?;
        let built = budget.resources.bound(|| build(prepared, settings, budget));
        built.map_err(|limit| HeuristicError::Stopped(limit.into()))?
    }
}

/// The user's settings of heuristics.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Variables that a pattern database drops in any case, and an abstraction instead of weak variables.
    pub drop: Vec<String>,
    /// The smaller instance of reduced-instance, as `NAME=VALUE,…`; chosen automatically without it.
    pub reduce: Option<String>,
    /// The names of the process types whose moves prefer-threads puts first.
    pub prefer: Vec<String>,
    /// A heuristic that was written to a file, to be read instead of built.
    pub text: Option<String>,
    /// The prefix of labels at locations that are dangerous for the deadlock formula; `danger` without it.
    pub danger: Option<String>,
}

/// What a heuristic of a process model is built from.
pub struct Request<'a, 'm> {
    /// The property.
    pub prepared: &'a Prepared,
    /// The interpreter of its model.
    pub interpreter: &'a Interpreter<'m>,
    /// The kind of violation to estimate the distance to.
    pub target: &'a Target,
    /// The user's settings.
    pub settings: &'a Settings,
    /// Smaller instances of the model, where its source is known.
    pub instances: Option<&'a dyn Instances>,
    /// The budget of building it.
    pub budget: &'a Budget,
}

/// Smaller instances of a model, loaded from the same source.
pub trait Instances: Send + Sync {
    /// Builds the reduced-instance heuristic; with notes on how it was built.
    ///
    /// # Errors
    /// Why there is none.
    fn reduced(
        &self,
        property: &Property,
        target: &Target,
        reduce: Option<&str>,
    ) -> Result<(ReducedInstance, Vec<String>), String>;
}

/// Refuses a file for a heuristic that is computed from the state.
fn refuse_text(settings: &Settings) -> Result<(), HeuristicError> {
    match settings.text {
        Some(_) => Err("it is computed from the state, and read from no file".to_owned().into()),
        None => Ok(()),
    }
}

/// Why there is no heuristic.
#[derive(Debug)]
#[non_exhaustive]
pub enum HeuristicError {
    /// A limit was reached.
    Stopped(StopReason),
    /// It cannot be built for this model and target, or not with these settings.
    None(String),
}

impl From<String> for HeuristicError {
    fn from(why: String) -> Self {
        HeuristicError::None(why)
    }
}

impl fmt::Display for HeuristicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicError::Stopped(stop) => write!(f, "stopped by {}", stop.name()),
            HeuristicError::None(why) => write!(f, "{why}"),
        }
    }
}

/// A heuristic that was built.
#[derive(Clone, Debug)]
pub struct Named<G> {
    /// Its name in reports; with several targets, the target as well.
    pub name: String,
    /// The heuristic.
    pub guide: Arc<G>,
    /// How walks weigh its scores by default.
    pub bias: Bias,
    /// How it was built, a sentence each.
    pub notes: Vec<String>,
    /// How long building it took.
    pub time: Duration,
}

impl Heuristic<'_> {
    /// The heuristic as text that can be edited and read again.
    ///
    /// # Errors
    /// Why it has no text.
    pub fn to_text(&self, model: &lurcher_ir::Model, sources: &SourceMap) -> Result<String, &'static str> {
        Ok(match self {
            Heuristic::LocalDistance(guide) => guide.to_text(sources),
            Heuristic::PatternDatabase(database) => database.save(),
            Heuristic::ReducedInstance(guide) => {
                crate::reduced_instance::to_text(guide.table(), Some((model, sources)))
            }
            #[cfg(feature = "symbolic")]
            Heuristic::Abstraction(_) => return Err(abstraction::NO_TEXT),
            Heuristic::Estimate(_) => return Err("it is computed from the state, not from a table"),
        })
    }
}

/// A heuristic for states of a relation.
#[derive(Debug)]
pub enum RelationHeuristic {
    /// The rings of an abstraction.
    #[cfg(feature = "symbolic")]
    Rings(lurcher_symbolic::RingHeuristic),
    /// H_f of an invariant.
    Formula(RelationFormula),
}

impl RelationHeuristic {
    /// Whether its value of a state never exceeds the number of steps to a violation.
    pub fn admissible(&self) -> bool {
        match self {
            #[cfg(feature = "symbolic")]
            RelationHeuristic::Rings(_) => true,
            RelationHeuristic::Formula(formula) => formula.admissible(),
        }
    }
}

impl RelationGuidance for RelationHeuristic {
    fn score(&self, valuation: &[i64]) -> u32 {
        match self {
            #[cfg(feature = "symbolic")]
            RelationHeuristic::Rings(rings) => rings.score(valuation),
            RelationHeuristic::Formula(formula) => formula.score(valuation),
        }
    }

    fn max(&self) -> u32 {
        match self {
            #[cfg(feature = "symbolic")]
            RelationHeuristic::Rings(rings) => rings.worst(),
            RelationHeuristic::Formula(formula) => formula.max(),
        }
    }
}
