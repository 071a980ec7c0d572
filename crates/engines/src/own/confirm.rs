//! Replaying, judging and minimising paths of state machines.

use std::time::Duration;

use lurcher_ltl::holds_along;
use lurcher_search::{Found, FoundKind};

use super::{OwnStep, PreparedOwn, StateMachine};
use crate::error::EngineError;
use crate::report::{Counterexample, Trace};
use crate::system::{Confirmed, Minimise};

/// A path of a state machine that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTrace {
    /// The steps, as they can be replayed.
    pub path: Vec<OwnStep>,
    /// The actions as text; the first is empty.
    pub actions: Vec<String>,
    /// The states as text, the initial one first.
    pub states: Vec<String>,
    /// For a lasso: the number of steps before the cycle.
    pub cycle_start: Option<usize>,
    /// What it shows, in one sentence.
    pub ending: String,
}

impl OwnTrace {
    /// Its length in steps.
    pub fn length(&self) -> u32 {
        self.path.iter().filter(|s| matches!(s, OwnStep::Action(_))).count() as u32
    }
}

/// Executes a path from its initial state; returns its states and actions.
///
/// # Errors
/// The index of the first step that is not possible.
pub fn replay<M: StateMachine>(machine: &M, path: &[OwnStep]) -> Result<Vec<(Option<M::Action>, M::State)>, usize> {
    let mut run: Vec<(Option<M::Action>, M::State)> = Vec::new();
    let mut actions = Vec::new();
    for (at, step) in path.iter().enumerate() {
        let next = match (*step, run.last()) {
            (OwnStep::Initial(index), None) => {
                let initial = machine.initial().into_iter().nth(index as usize);
                (None, initial.ok_or(at)?)
            }
            (OwnStep::Action(index), Some((_, state))) => {
                actions.clear();
                machine.actions(state, &mut actions);
                let action = actions.get(index as usize).cloned().ok_or(at)?;
                let mut state = state.clone();
                machine.apply(&mut state, &action);
                (Some(action), state)
            }
            (OwnStep::Stay, Some((_, state))) => (None, state.clone()),
            _ => return Err(at),
        };
        run.push(next);
    }
    Ok(run)
}

/// Replays what a search found and makes sure that it is a violation.
pub(super) fn confirm<M: StateMachine>(
    machine: &M,
    prepared: &PreparedOwn,
    found: &Found<OwnStep>,
    _: Minimise<'_>,
) -> Result<Confirmed, EngineError> {
    let unconfirmed = |why: &str| EngineError::Unconfirmed(format!("{}: {why}", prepared.property.name));
    let run = replay(machine, &found.path).map_err(|at| unconfirmed(&format!("step {at} is not possible")))?;
    let (_, last) = run.last().ok_or_else(|| unconfirmed("the path is empty"))?;
    let mut actions = Vec::new();
    machine.actions(last, &mut actions);
    let (kind, message, shown) = match (&found.kind, &prepared.automaton) {
        (FoundKind::Deadlock, _) => {
            let dead = actions.is_empty() && !machine.is_end(last);
            ("deadlock", "a state without enabled actions".to_owned(), dead)
        }
        (FoundKind::Invariant, _) => ("invariant", "the invariant does not hold".to_owned(), !machine.invariant(last)),
        (FoundKind::Cycle, Some((formula, _))) => {
            let start = found.cycle_start.unwrap_or(run.len());
            let closes = run.get(start).is_some_and(|(_, state)| state == last) && start + 1 < run.len();
            let holds = |atom: lurcher_ir::AtomId, at: usize| machine.holds(atom.0 as usize, &run[at].1);
            let violated = closes && !holds_along(formula, run.len() - 1, start, &holds);
            ("ltl", format!("a run that violates `{}`", prepared.property.name), violated)
        }
        _ => ("safety", String::new(), false),
    };
    if !shown {
        return Err(unconfirmed("the path does not show the violation"));
    }
    let text = |action: &Option<M::Action>| action.as_ref().map_or(String::new(), |a| format!("{a:?}"));
    let trace = OwnTrace {
        path: found.path.clone(),
        actions: run.iter().map(|(action, _)| text(action)).collect(),
        states: run.iter().map(|(_, state)| format!("{state:?}")).collect(),
        cycle_start: found.cycle_start,
        ending: message.clone(),
    };
    let counterexample = Counterexample {
        kind,
        message,
        place: None,
        found_length: trace.length(),
        trace: Trace::Own(Box::new(trace)),
        shortest: found.shortest,
        count: found.count,
    };
    Ok(Confirmed { counterexample, time: Duration::ZERO, expansions: 0, cut: false })
}
