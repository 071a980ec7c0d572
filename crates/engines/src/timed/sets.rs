//! Searches with sets of integers.

use lurcher_ir::{Property, timed};
use lurcher_search::{Budget, Found, FoundKind, Observer, Phase, StopReason};
use lurcher_system::Path;
use lurcher_system::timed::Run;
use lurcher_timed::{Encoding, Ended, Error, SetsSettings, TreeSettings};

use super::blocked::may_break_off;
use crate::error::EngineError;
use crate::report::{Answer, Polyhedra};

/// A search with sets of integers.
#[derive(Clone, Debug)]
pub enum SetSearch {
    /// All reachable states, to a fixpoint.
    Fixpoint,
    /// The tree of all paths; where something is left to chance, the walk of this number of a seed.
    Tree {
        /// The engine's name.
        engine: &'static str,
        /// How it is searched.
        settings: TreeSettings,
        /// The seed.
        seed: u64,
        /// The number of the walk.
        walk: u64,
    },
}

/// A path that is a run.
pub(super) fn found(run: Run) -> Found<Run> {
    let path = Path { steps: vec![run], cycle_start: None };
    Found { kind: FoundKind::Invariant, path, count: 1, shortest: false }
}

/// Said of a violation without a run that shows it.
const NO_RUN: &str = "a reachable set of states violates it, but no run was made that shows so";

/// Said of a proof where runs may break off.
const MAY_BREAK_OFF: &str = "it holds on all legal runs; it was not checked whether some break off, because an assumption or an exit \
                             assertion has no value, or no values satisfy an exit assertion";

/// Checks a property of a process.
pub(super) fn check(
    model: &timed::Model,
    property: &Property,
    index: usize,
    search: &SetSearch,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Answer<Run>, EngineError> {
    let (engine, activity) = match search {
        SetSearch::Fixpoint => ("sets", "reachable states as sets"),
        SetSearch::Tree { engine, .. } => (*engine, "searching the tree"),
    };
    observer.phase(&Phase { engine, property: &property.name, activity });
    let mut answer = Answer::new(property, engine);
    let checked = budget.resources.bound(|| {
        let encoding = Encoding::new(model, &[index])?;
        match search {
            SetSearch::Fixpoint => encoding.sets(&SetsSettings::default()),
            SetSearch::Tree { settings, seed, walk, .. } => encoding.tree(settings, *seed, *walk),
        }
    });
    let outcome = match checked {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(Error::Numbers(_))) => return Ok(Answer::stopped(property, engine, StopReason::Numbers)),
        Ok(Err(error)) => return Err(EngineError::Refused(error.to_string())),
        Err(limit) => return Ok(Answer::stopped(property, engine, limit.into())),
    };
    let report = &mut answer.report;
    report.polyhedra = Some(Polyhedra { nodes: outcome.nodes, most: outcome.disjuncts, window: outcome.window });
    match (&outcome.ended, outcome.run) {
        (Ended::Found(_), Some(run)) => answer.found.push(found(run)),
        (Ended::Found(_), None) => {
            report.unconfirmed = true;
            report.remarks.push(NO_RUN.to_owned());
        }
        _ => {}
    }
    if outcome.ended == Ended::Complete && may_break_off(model, model.properties[index].kind) {
        report.remarks.push(MAY_BREAK_OFF.to_owned());
    }
    report.stop = match outcome.ended {
        Ended::Found(_) => StopReason::Violation,
        Ended::Complete => StopReason::Complete,
        Ended::Depth => StopReason::Depth,
        Ended::Window => StopReason::Window,
        Ended::Sampled => StopReason::Walks,
        Ended::Rounds => StopReason::States,
    };
    Ok(answer)
}
