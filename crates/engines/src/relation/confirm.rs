//! Judging what was found in a relation.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use lurcher_ir::relation::{Assignment, Block, Relation};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::Budget;
use lurcher_symbolic::{Encoding, Stoppable, deep};
use lurcher_syntax::Span;
use lurcher_system::Path;
use lurcher_system::relation::{Halt, Stepper};
use lurcher_trace::minimise::{MinimiseBudget, Minimised, StateGoal, minimise_states};
use lurcher_trace::{PathError, StateEvidence, judge_states};

use crate::confirm::{BRAKE, GRACE};
use crate::job::JobError;
use crate::verdict::{Counterexample, Trace};

/// Values that are tried before the successors of a state are found as a set.
const EFFORT: u64 = 1 << 20;

/// What a run shows of a property, a last state without successors included.
pub fn shows(relation: &Relation, run: &Path<Vec<i64>>, property: &Property) -> Result<StateEvidence, PathError> {
    let evidence = judge_states(relation, run, property)?;
    if evidence == StateEvidence::Deadlock {
        let last = run.steps.last().expect("a run has states");
        let mut stepper = Stepper::new(relation);
        stepper.set_effort(EFFORT);
        let stuck = match stepper.successors(last, |_| ControlFlow::Break(())) {
            Ok(()) => true,
            Err(Halt::Effort) => deep(|| has_empty_image(relation, last)) == Ok(true),
            Err(_) => false,
        };
        return Ok(if stuck { StateEvidence::Deadlock } else { StateEvidence::None });
    }
    Ok(evidence)
}

/// Does no step lead out of a state? Asked of the set of its successors, where listing them takes too long.
fn has_empty_image(relation: &Relation, state: &[i64]) -> Stoppable<bool> {
    let mut from_here = relation.clone();
    let here = state.iter().zip(relation.variables()).map(|(&value, (variable, _))| Assignment {
        variable,
        value: from_here.terms.value(value),
        span: Span::default(),
    });
    from_here.initial = Block { assignments: here.collect(), constraints: Vec::new() };
    let encoding = Encoding::new(&from_here, &Budget::default())?;
    Ok(encoding.kernel().is_empty(&encoding.image(encoding.initial())?))
}

/// A confirmed violation, and what minimising it took.
pub(crate) struct Confirmed {
    pub counterexample: Counterexample,
    pub minimise: Duration,
    /// Minimising was stopped by the clock or the user.
    pub cut: bool,
}

/// What a search says it found.
pub(crate) struct FoundRun {
    /// The run; none where the violation is not one of a single run.
    pub run: Option<Path<Vec<i64>>>,
    /// No shorter one exists.
    pub shortest: bool,
}

/// Makes what a search found short, and makes sure that it shows what the search says.
pub(crate) fn confirm_run(
    relation: &Relation,
    property: &Property,
    found: FoundRun,
    expansions: Option<u64>,
    budget: &Budget,
) -> Result<Confirmed, JobError> {
    let started = Instant::now();
    let unconfirmed = |why: String| JobError::Unconfirmed(format!("{}: {why}", property.name));
    let mut confirmed = Confirmed { counterexample: describe(property), minimise: Duration::ZERO, cut: false };
    let Some(run) = found.run else {
        return match property.kind {
            PropertyKind::Ctl(_) => Ok(confirmed),
            _ => Err(unconfirmed("the run has no counterpart in the whole model".to_owned())),
        };
    };
    let show = |run: &Path<Vec<i64>>| shows(relation, run, property).map_err(|e| unconfirmed(e.to_string()));
    let evidence = show(&run)?;
    if evidence == StateEvidence::None {
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
    counterexample.trace = Trace::States(Some((run.clone(), evidence)));
    let (Some(goal), Some(expansions)) = (goal, expansions.filter(|_| !found.shortest)) else {
        return Ok(confirmed);
    };
    let minimise = MinimiseBudget {
        expansions,
        interrupt: budget.interrupt.clone(),
        deadline: Some(budget.deadline.map_or(started + BRAKE, |d| d.max(started + GRACE))),
        memory: budget.memory.unwrap_or(u64::MAX),
    };
    let Minimised { path: short, optimal, finished, .. } = minimise_states(relation, &run, goal, &minimise);
    let evidence = show(&short)?;
    // A shorter way to a cycle may be one along which the formula is true.
    if evidence != StateEvidence::None && short.length() <= run.length() {
        counterexample.trace = Trace::States(Some((short, evidence)));
        counterexample.shortest = optimal && goal != StateGoal::Cycle;
    }
    Ok(Confirmed { minimise: started.elapsed(), cut: !finished, ..confirmed })
}

fn describe(property: &Property) -> Counterexample {
    let name = &property.name;
    let message = match &property.kind {
        PropertyKind::Invariant(_) | PropertyKind::StepInvariant(_) => {
            format!("the invariant `{name}` does not hold")
        }
        PropertyKind::Ctl(_) => format!("`{name}` is false in an initial state"),
        PropertyKind::Ltl { .. } => format!("a run that violates `{name}`"),
        _ => "a state without successors".to_owned(),
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
