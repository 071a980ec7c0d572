//! Replaying, judging and minimising paths of state machines.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use lurcher_ltl::holds_along;
use lurcher_search::{Found, FoundKind};
use lurcher_system::Path;
use lurcher_trace::minimise::{PathSystem, minimise_path};
use rustc_hash::FxHashMap;

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

/// A state, and the action that leads to it.
pub type Executed<M> = (Option<<M as StateMachine>::Action>, <M as StateMachine>::State);

/// Executes a path from its initial state; returns its states and actions.
///
/// # Errors
/// The index of the first step that is not possible.
pub fn replay<M: StateMachine>(machine: &M, path: &[OwnStep]) -> Result<Vec<Executed<M>>, usize> {
    let mut run: Vec<Executed<M>> = Vec::new();
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

/// Replays what a search found, makes sure that it is a violation, and minimises it.
pub(super) fn confirm<M: StateMachine>(
    machine: &M,
    prepared: &PreparedOwn,
    found: &Found<OwnStep>,
    minimise: Minimise<'_>,
) -> Result<Confirmed, EngineError> {
    let started = Instant::now();
    let evidence = |path: &Path<OwnStep>| evidence(machine, prepared, &found.kind, path);
    let unconfirmed = |why: String| EngineError::Unconfirmed(format!("{}: {why}", prepared.property.name));
    let shown = evidence(&found.path).map_err(unconfirmed)?;
    let found_length = shown.trace.length();
    let shown = Counterexample { found_length, shortest: found.shortest, count: found.count, ..shown };
    let Some(expansions) = minimise.expansions.filter(|_| !found.shortest) else {
        return Ok(Confirmed { counterexample: shown, time: Duration::ZERO, expansions: 0, cut: false });
    };
    let states = state_path(machine, &found.path).ok_or_else(|| unconfirmed("the path is empty".to_owned()))?;
    let mut system = InternedStates { machine, kind: &found.kind, table: RefCell::default(), actions: Vec::new() };
    let budget = minimise.budget(expansions);
    let shortened = budget.resources.bound(|| {
        let minimised = minimise_path(&mut system, &states, &budget);
        (step_path(machine, &minimised.path).and_then(|path| evidence(&path).ok()), minimised)
    });
    let Ok((shorter, minimised)) = shortened else {
        return Ok(Confirmed { counterexample: shown, time: started.elapsed(), expansions, cut: true });
    };
    // A formula may hold along a shorter path to the cycle.
    let counterexample = match shorter.filter(|c| c.trace.length() <= found_length) {
        None => shown,
        Some(shorter) => {
            let shortest = minimised.optimal && found.kind != FoundKind::Cycle;
            Counterexample { found_length, shortest, count: found.count, ..shorter }
        }
    };
    let (expansions, cut) = (minimised.expansions, !minimised.finished);
    Ok(Confirmed { counterexample, time: started.elapsed(), expansions, cut })
}

/// What a path shows; why it does not show this kind of violation.
fn evidence<M: StateMachine>(
    machine: &M,
    prepared: &PreparedOwn,
    kind: &FoundKind,
    path: &Path<OwnStep>,
) -> Result<Counterexample, String> {
    let run = replay(machine, &path.steps).map_err(|at| format!("step {at} is not possible"))?;
    let (_, last) = run.last().ok_or("the path is empty")?;
    let (kind, message, shown) = match (kind, &prepared.automaton) {
        (FoundKind::Deadlock, _) => {
            ("deadlock", "a state without enabled actions".to_owned(), is_deadlock(machine, last))
        }
        (FoundKind::Invariant, _) => ("invariant", "the invariant does not hold".to_owned(), !machine.invariant(last)),
        (FoundKind::Cycle, Some((formula, _))) => {
            let start = path.cycle_start.unwrap_or(run.len());
            let closes = run.get(start).is_some_and(|(_, state)| state == last) && start + 1 < run.len();
            let holds = |atom: lurcher_ir::AtomId, at: usize| machine.holds(atom.0 as usize, &run[at].1);
            let violated = closes && !holds_along(formula, run.len() - 1, start, &holds);
            ("ltl", format!("a run that violates `{}`", prepared.property.name), violated)
        }
        _ => ("safety", String::new(), false),
    };
    if !shown {
        return Err("the path does not show the violation".to_owned());
    }
    let text = |action: &Option<M::Action>| action.as_ref().map_or(String::new(), |a| format!("{a:?}"));
    let trace = OwnTrace {
        path: path.steps.clone(),
        actions: run.iter().map(|(action, _)| text(action)).collect(),
        states: run.iter().map(|(_, state)| format!("{state:?}")).collect(),
        cycle_start: path.cycle_start,
        ending: message.clone(),
    };
    let found_length = trace.length();
    let trace = Trace::Own(Box::new(trace));
    Ok(Counterexample { kind, message, place: None, found_length, trace, shortest: false, count: 1 })
}

fn is_deadlock<M: StateMachine>(machine: &M, state: &M::State) -> bool {
    let mut actions = Vec::new();
    machine.actions(state, &mut actions);
    actions.is_empty() && !machine.is_end(state)
}

/// The states of a path. The last state of a lasso, which is the first one of its cycle, is not repeated.
fn state_path<M: StateMachine>(machine: &M, path: &Path<OwnStep>) -> Option<Path<M::State>> {
    let mut steps: Vec<M::State> = replay(machine, &path.steps).ok()?.into_iter().map(|(_, state)| state).collect();
    if path.cycle_start.is_some() {
        steps.pop();
    }
    (!steps.is_empty()).then_some(Path { steps, cycle_start: path.cycle_start })
}

/// Steps that lead along a path of states.
fn step_path<M: StateMachine>(machine: &M, path: &Path<M::State>) -> Option<Path<OwnStep>> {
    let first = machine.initial().iter().position(|s| Some(s) == path.steps.first())?;
    let mut steps = vec![OwnStep::Initial(first as u32)];
    let closing = path.cycle_start.and_then(|start| path.steps.get(start));
    let mut actions = Vec::new();
    for (from, to) in path.steps.iter().zip(path.steps.iter().skip(1).chain(closing)) {
        actions.clear();
        machine.actions(from, &mut actions);
        let leads = |action: &M::Action| {
            let mut next = from.clone();
            machine.apply(&mut next, action);
            next == *to
        };
        steps.push(match actions.iter().position(leads) {
            Some(index) => OwnStep::Action(index as u32),
            None if actions.is_empty() && from == to => OwnStep::Stay,
            None => return None,
        });
    }
    Some(Path { steps, cycle_start: path.cycle_start })
}

/// Numbers of states by their encoding, and the states.
type Table<S> = (FxHashMap<Box<[u8]>, u32>, Vec<S>);

/// A state machine as the minimiser sees it: a state is encoded as its number in a table.
struct InternedStates<'a, M: StateMachine> {
    machine: &'a M,
    kind: &'a FoundKind,
    table: RefCell<Table<M::State>>,
    actions: Vec<M::Action>,
}

impl<M: StateMachine> InternedStates<'_, M> {
    fn number(&self, state: &M::State) -> [u8; 4] {
        let (numbers, states) = &mut *self.table.borrow_mut();
        let mut bytes = Vec::new();
        self.machine.encode(state, &mut bytes);
        let number = *numbers.entry(bytes.into()).or_insert_with(|| {
            states.push(state.clone());
            states.len() as u32 - 1
        });
        number.to_le_bytes()
    }
}

impl<M: StateMachine> PathSystem for InternedStates<'_, M> {
    type State = M::State;

    fn encode(&self, state: &M::State) -> Vec<u8> {
        self.number(state).to_vec()
    }

    fn decode(&self, code: &[u8]) -> M::State {
        let number = u32::from_le_bytes([code[0], code[1], code[2], code[3]]);
        self.table.borrow().1[number as usize].clone()
    }

    fn initial(&mut self, mut visit: impl FnMut(&[u8]) -> ControlFlow<()>) -> bool {
        self.machine.initial().iter().all(|state| visit(&self.number(state)).is_continue())
    }

    fn successors(&mut self, state: &M::State, mut visit: impl FnMut(&[u8])) -> bool {
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        self.machine.actions(state, &mut actions);
        for action in &actions {
            let mut next = state.clone();
            self.machine.apply(&mut next, action);
            visit(&self.number(&next));
        }
        self.actions = actions;
        true
    }

    fn is_goal(&mut self, state: &M::State) -> bool {
        match self.kind {
            FoundKind::Invariant => !self.machine.invariant(state),
            FoundKind::Deadlock => is_deadlock(self.machine, state),
            _ => false,
        }
    }
}
