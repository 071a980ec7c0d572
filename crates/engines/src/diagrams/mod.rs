//! Checking models made of processes with sets of states.
//!
//! The model becomes a relation ([`lurcher_symbolic::processes`]), together with the claim where runs are watched, and
//! what is found in it is followed by the interpreter again, so a trace is one like any other. What cannot be translated
//! is refused in one sentence.

mod hunt;
mod reach;

use lurcher_ir::Model;
use lurcher_ir::relation::TermId;
use lurcher_search::{Found, FoundKind, Step};
use lurcher_symbolic::processes::{Translation, translate, translate_runs, variables};
use lurcher_symbolic::{Bdd, BddResult, Encoding, Trace};
use lurcher_system::Interpreter;

use crate::job::JobError;
use crate::quarry::{Quarry, Watched};

pub use hunt::DiagramHunt;
pub(crate) use reach::{Diagrams, search};

/// Names of what an abstraction of a process model can drop.
///
/// # Errors
/// Why the model has none, in one sentence.
pub fn droppable(model: &Model) -> Result<Vec<String>, String> {
    variables(model).map_err(|why| why.0)
}

/// A property of a process model as a question about a relation.
struct Subject<'q> {
    quarry: &'q Quarry,
    /// The engine's name.
    engine: &'static str,
    translation: Translation,
}

/// What a trace of the relation leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    /// A state in which no process can move, and not all may rest.
    Stuck,
    /// A state in which an invariant does not hold.
    Broken,
    /// A state in which a step goes wrong.
    Wrong,
    /// The end of the claim.
    ClaimEnd,
    /// A cycle that the claim accepts.
    Cycle,
    /// A state of which the translation is not true.
    Beyond,
}

impl<'q> Subject<'q> {
    /// Translates the model for an engine of that name.
    fn new(quarry: &'q Quarry, interpreter: &Interpreter<'_>, engine: &'static str) -> Result<Self, JobError> {
        if interpreter.limits().message_loss {
            return Err(refused(engine, "it knows no message loss"));
        }
        let translation = match &quarry.watched {
            Watched::States(invariants) => translate(&quarry.model, invariants),
            Watched::Claim(claim) => translate_runs(&quarry.model, *claim),
        };
        let translation = translation.map_err(|why| refused(engine, &why.0))?;
        Ok(Subject { quarry, engine, translation })
    }

    /// What is looked for, what makes all else worthless first: kinds of states, and the terms that are true of them.
    fn sought(&self) -> Vec<(Met, TermId)> {
        let Translation { violated_invariants, violations, deadlock, overflow, claim_ended, .. } = &self.translation;
        let mut sought = vec![(Met::Beyond, *overflow)];
        sought.extend(violated_invariants.iter().map(|&term| (Met::Broken, term)));
        sought.extend(self.quarry.end_states().then_some((Met::Stuck, *deadlock)));
        sought.extend(violations.iter().map(|v| (Met::Wrong, v.condition)));
        sought.push((Met::ClaimEnd, *claim_ended));
        sought.retain(|(_, term)| self.translation.relation.terms.constant(*term) != Some(0));
        sought
    }

    /// The same as sets of states.
    fn targets(&self, encoding: &Encoding<'_>) -> BddResult<Vec<(Met, Bdd)>> {
        let states = |(met, term)| Ok((met, encoding.states(term)?));
        self.sought().into_iter().map(states).collect()
    }

    /// What was met, as the processes show it.
    fn found(&self, interpreter: &Interpreter<'_>, met: Met, trace: &Trace, shortest: bool) -> Result<Found, JobError> {
        if met == Met::Beyond {
            return Err(refused(self.engine, "processes are created beyond what was foreseen"));
        }
        let lost = || JobError::Unconfirmed("the processes cannot follow the run that diagrams found".to_owned());
        let run = self.translation.concretise(interpreter, trace, met == Met::Wrong).ok_or_else(lost)?;
        let kind = match (run.violation, met) {
            (Some(violation), _) => FoundKind::Step(violation),
            (None, Met::Stuck) => FoundKind::Deadlock,
            (None, Met::Broken) => FoundKind::Invariant,
            (None, Met::ClaimEnd) => FoundKind::ClaimEnd,
            (None, Met::Cycle) => FoundKind::Cycle,
            (None, Met::Wrong | Met::Beyond) => return Err(lost()),
        };
        let path = run.moves.into_iter().map(|m| Step { system: Some(m), claim: None }).collect();
        Ok(Found { kind, path, cycle_start: run.cycle_start, count: 1, shortest })
    }
}

/// An engine cannot be used with a model.
fn refused(engine: &str, why: &str) -> JobError {
    JobError::Unsuited(format!("{engine} cannot be used here: {why}"))
}
