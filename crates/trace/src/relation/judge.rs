//! What a run of a relation shows.

use std::fmt;

use lurcher_ir::relation::Relation;
use lurcher_ir::{AtomId, Ctl, Property, PropertyKind};
use lurcher_ltl::holds_along;
use lurcher_system::relation::{Oracle, StateRun};

/// What a run shows of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateEvidence {
    /// Nothing: it is a run, and violates nothing.
    None,
    /// The invariant is false in the last state.
    Invariant,
    /// The lasso is fair and violates the formula.
    Lasso,
    /// It is a run of the kind that the violated formula is about; that it can go wrong in this way is the engine's word.
    Illustration,
    /// The last state is said to have no successor.
    Deadlock,
}

/// Why a list of states is no run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateRunError {
    /// It has no states.
    Empty,
    /// The first state is no initial state.
    NotInitial,
    /// This state (counted from zero) does not follow the one before it.
    NoStep(usize),
    /// The cycle does not close.
    Open,
}

impl fmt::Display for StateRunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateRunError::Empty => write!(f, "it has no states"),
            StateRunError::NotInitial => write!(f, "its first state is no initial state"),
            StateRunError::NoStep(at) => write!(f, "state {at} cannot follow state {}", at - 1),
            StateRunError::Open => write!(f, "its cycle does not close"),
        }
    }
}

impl std::error::Error for StateRunError {}

/// Judges a run: is it one, and what does it show of a property?
pub fn judge_states(
    relation: &Relation,
    run: &StateRun,
    specification: &Property,
) -> Result<StateEvidence, StateRunError> {
    let oracle = Oracle::new(relation);
    replay(&oracle, run)?;
    let last = run.states.last().expect("a run has states");
    Ok(match &specification.kind {
        PropertyKind::Invariant(term) if !oracle.holds(term.term(), last) => StateEvidence::Invariant,
        PropertyKind::StepInvariant(term) => match run.states.as_slice() {
            [.., before, after] if oracle.values(term.term(), before, after).contains(&0) => StateEvidence::Invariant,
            _ => StateEvidence::None,
        },
        PropertyKind::Deadlock if run.cycle_start.is_none() => StateEvidence::Deadlock,
        PropertyKind::Ltl { formula, atoms } => match run.cycle_start {
            Some(start) if is_fair(relation, &oracle, run, start) => {
                let atom =
                    |id: AtomId, position: usize| oracle.holds(atoms[id.0 as usize].term(), &run.states[position]);
                match holds_along(formula, run.states.len(), start, &atom) {
                    true => StateEvidence::None,
                    false => StateEvidence::Lasso,
                }
            }
            _ => StateEvidence::None,
        },
        PropertyKind::Ctl(formula) => match always(formula) {
            Some(inner) if run.cycle_start.is_none() => match state_formula(&oracle, inner, last) {
                Some(true) => StateEvidence::None,
                Some(false) => StateEvidence::Invariant,
                None => StateEvidence::Illustration,
            },
            _ => StateEvidence::Illustration,
        },
        _ => StateEvidence::None,
    })
}

/// The p of `AG p`, which is written `!E[true U !p]`.
fn always(formula: &Ctl) -> Option<&Ctl> {
    let Ctl::Not(inner) = formula else { return None };
    let Ctl::ExistsUntil(_, bad) = inner.as_ref() else { return None };
    let Ctl::Not(good) = bad.as_ref() else { return None };
    Some(good)
}

/// The truth of a formula that speaks of one state only.
fn state_formula(oracle: &Oracle<'_>, formula: &Ctl, state: &[i64]) -> Option<bool> {
    Some(match formula {
        Ctl::Atom(term) => oracle.holds(*term, state),
        Ctl::Not(a) => !state_formula(oracle, a, state)?,
        Ctl::And(a, b) => state_formula(oracle, a, state)? & state_formula(oracle, b, state)?,
        Ctl::Or(a, b) => state_formula(oracle, a, state)? | state_formula(oracle, b, state)?,
        _ => return None,
    })
}

fn replay(oracle: &Oracle<'_>, run: &StateRun) -> Result<(), StateRunError> {
    let first = run.states.first().ok_or(StateRunError::Empty)?;
    if !oracle.is_initial(first) {
        return Err(StateRunError::NotInitial);
    }
    for (index, pair) in run.states.windows(2).enumerate() {
        if oracle.steps(&pair[0], &pair[1]).next().is_none() {
            return Err(StateRunError::NoStep(index + 1));
        }
    }
    if let Some(start) = run.cycle_start {
        let back = run.states.get(start).ok_or(StateRunError::Open)?;
        let last = run.states.last().expect("it has a first");
        if oracle.steps(last, back).next().is_none() {
            return Err(StateRunError::Open);
        }
    }
    Ok(())
}

/// Is every justice met in the cycle, and every compassion respected?
fn is_fair(relation: &Relation, oracle: &Oracle<'_>, run: &StateRun, start: usize) -> bool {
    let cycle = &run.states[start..];
    let met = |term| cycle.iter().any(|s| oracle.holds(term, s));
    relation.justice.iter().all(|&t| met(t)) && relation.compassion.iter().all(|&(p, q)| !met(p) || met(q))
}
