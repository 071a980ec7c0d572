//! The symbolic view of a system: a relation, and the states to reach.

use lurcher_ir::Property;
use lurcher_ir::relation::{Relation, TermId};
use lurcher_search::{Found, StopReason};
use lurcher_symbolic::{Bdd, BddResult, Encoding, Pattern};
use lurcher_system::Path;

use crate::report::{Answer, Report};

/// What a symbolic search came to, with its trace as a path.
pub type SymbolicPath<S> = (SymbolicAnswer, Option<Found<S>>);

/// A goal for symbolic searches.
pub struct SymbolicGoal<'g> {
    /// The relation.
    pub relation: &'g Relation,
    /// The variables that an abstraction keeps.
    pub keep: Pattern,
    /// The states to reach.
    pub states: &'g (dyn Fn(&Encoding<'_>) -> BddResult<GoalStates> + Sync),
    /// To be called with the state that was reached.
    pub reached: &'g (dyn Fn(&Encoding<'_>, &[i64]) -> BddResult<()> + Sync),
}

/// The states that a symbolic search looks for.
pub struct GoalStates {
    /// Where it ends.
    pub states: Bdd,
    /// Where walks are guided to.
    pub aim: Bdd,
    /// The terms that define them.
    pub terms: Vec<TermId>,
}

/// What a symbolic search came to.
pub struct SymbolicAnswer {
    /// What stopped it.
    pub stop: StopReason,
    /// A trace to one of the states.
    pub trace: Option<Path<Vec<i64>>>,
    /// No shorter one exists.
    pub shortest: bool,
    /// Everything else.
    pub report: Report,
}

impl SymbolicAnswer {
    /// The answer of an engine that has found nothing yet.
    pub(crate) fn new(property: &Property, engine: &str) -> Self {
        let report = Report::new(property, engine);
        SymbolicAnswer { stop: StopReason::Complete, trace: None, shortest: false, report }
    }

    /// Tells the goal which state was reached.
    pub(crate) fn reach(&self, goal: &SymbolicGoal<'_>, encoding: &Encoding<'_>) -> BddResult<()> {
        match &self.trace {
            Some(trace) => (goal.reached)(encoding, trace.steps.last().expect("a trace has a state")),
            None => Ok(()),
        }
    }

    /// The answer with its trace as a path of the system.
    pub(crate) fn with_path<S>(self, found: Option<Found<S>>) -> Answer<S> {
        let report = Report { stop: self.stop, ..self.report };
        Answer { found: found.into_iter().collect(), report }
    }
}
