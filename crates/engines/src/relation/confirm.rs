//! Judging and minimising runs of relations.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use lurcher_ir::relation::Relation;
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Found, FoundKind};
use lurcher_syntax::Span;
use lurcher_system::Path;
use lurcher_system::relation::{Halt, Stepper};
use lurcher_trace::minimise::{Minimised, StateGoal, minimise_states};
use lurcher_trace::{PathError, StateEvidence, judge_states};

#[cfg(feature = "symbolic")]
use super::bdd::has_empty_image;
use crate::error::EngineError;
use crate::report::{Counterexample, Trace};
use crate::system::{Confirmed, Minimise};

/// Values that are tried before the successors of a state are computed as a set.
const EFFORT: u64 = 1 << 20;

/// What a run shows of a property; a deadlock in its last state included.
///
/// # Errors
/// When it is no run of the relation.
pub fn evidence(relation: &Relation, run: &Path<Vec<i64>>, property: &Property) -> Result<StateEvidence, PathError> {
    let evidence = judge_states(relation, run, property)?;
    if evidence == StateEvidence::Deadlock {
        let last = run.steps.last().expect("a run has states");
        let mut stepper = Stepper::new(relation);
        stepper.set_effort(EFFORT);
        let stuck = match stepper.successors(last, |_| ControlFlow::Break(())) {
            Ok(()) => true,
            Err(Halt::Effort) => has_empty_image(relation, last),
            Err(_) => false,
        };
        return Ok(if stuck { StateEvidence::Deadlock } else { StateEvidence::None });
    }
    Ok(evidence)
}

/// Without BDDs, a list of successors that takes too long to make is taken for one that is not empty.
#[cfg(not(feature = "symbolic"))]
fn has_empty_image(_: &Relation, _: &[i64]) -> bool {
    false
}

/// What a trace shows.
pub(super) fn found_in(trace: &Trace) -> Option<Found<Vec<i64>>> {
    let Trace::States(Some((run, evidence))) = trace else { return None };
    let kind = match evidence {
        StateEvidence::None | StateEvidence::Illustration => return None,
        StateEvidence::Deadlock => FoundKind::Deadlock,
        StateEvidence::Lasso => FoundKind::Cycle,
        StateEvidence::Invariant => FoundKind::Invariant,
    };
    Some(Found::new(kind, run.clone()))
}

/// Makes sure that what a search found shows the violation, and minimises it.
pub(super) fn confirm(
    relation: &Relation,
    property: &Property,
    found: &Found<Vec<i64>>,
    minimise: Minimise<'_>,
) -> Result<Confirmed, EngineError> {
    let started = Instant::now();
    let unconfirmed = |why: String| EngineError::Unconfirmed(format!("{}: {why}", property.name));
    let counterexample = describe(property);
    let mut confirmed = Confirmed { counterexample, time: Duration::ZERO, expansions: 0, cut: false };
    let run = &found.path;
    if run.steps.is_empty() {
        return match property.kind {
            PropertyKind::Ctl(_) => Ok(confirmed),
            _ => Err(EngineError::NoCounterpart(property.name.clone())),
        };
    }
    let show = |run: &Path<Vec<i64>>| evidence(relation, run, property).map_err(|e| unconfirmed(e.to_string()));
    let shown = show(run)?;
    if shown == StateEvidence::None {
        return Err(unconfirmed("the run violates nothing".to_owned()));
    }
    let counterexample = &mut confirmed.counterexample;
    counterexample.found_length = run.length();
    counterexample.shortest = found.shortest;
    let goal = match &property.kind {
        PropertyKind::Invariant(term) => Some(StateGoal::False(term.term())),
        PropertyKind::Deadlock => Some(StateGoal::Deadlock),
        PropertyKind::Ltl { .. } => Some(StateGoal::Cycle),
        _ => None,
    };
    counterexample.trace = Trace::States(Some((run.clone(), shown)));
    let (Some(goal), Some(expansions)) = (goal, minimise.expansions.filter(|_| !found.shortest)) else {
        return Ok(confirmed);
    };
    let budget = minimise.budget(expansions);
    let shortened = budget.resources.bound(|| {
        let shorter = minimise_states(relation, run, goal, &budget);
        (show(&shorter.path), shorter)
    });
    let Ok((shown, shorter)) = shortened else {
        return Ok(Confirmed { time: started.elapsed(), expansions, cut: true, ..confirmed });
    };
    let Minimised { path: short, optimal, finished, expansions, .. } = shorter;
    let shown = shown?;
    // A shorter path to a cycle may be one along which the formula holds.
    if shown != StateEvidence::None && short.length() <= run.length() {
        counterexample.trace = Trace::States(Some((short, shown)));
        counterexample.shortest = optimal && goal != StateGoal::Cycle;
    }
    Ok(Confirmed { time: started.elapsed(), expansions, cut: !finished, ..confirmed })
}

fn describe(property: &Property) -> Counterexample {
    let name = &property.name;
    let message = match &property.kind {
        PropertyKind::Ctl(_) => format!("`{name}` is false in an initial state"),
        PropertyKind::Ltl { .. } => format!("a run that violates `{name}`"),
        PropertyKind::Deadlock => "a state without successors".to_owned(),
        _ => format!("the invariant `{name}` does not hold"),
    };
    Counterexample {
        kind: property.kind.name(),
        message,
        place: (property.span != Span::default()).then_some(property.span),
        trace: Trace::States(None),
        shortest: false,
        found_length: 0,
        count: 1,
    }
}
