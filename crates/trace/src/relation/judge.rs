//! What a path of a relation shows.

use std::fmt;

use lurcher_ir::relation::Relation;
use lurcher_ir::{AtomId, Ctl, Property, PropertyKind};
use lurcher_ltl::holds_along;
use lurcher_resources::checkpoint;
use lurcher_system::Path;
use lurcher_system::relation::Oracle;

/// What a path shows of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateEvidence {
    /// No violation.
    None,
    /// The invariant is false in the last state.
    Invariant,
    /// The lasso is fair and violates the formula.
    Lasso,
    /// A path that illustrates a violated CTL formula. The violation itself rests on the engine alone.
    Illustration,
    /// A path to a deadlock; the caller checks that the last state has no successor.
    Deadlock,
}

/// Why a list of states is not a path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// There is no state.
    Empty,
    /// The first state is not initial.
    NotInitial,
    /// This state (counted from zero) is not a successor of the one before it.
    NoStep(usize),
    /// The cycle does not close.
    Open,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::Empty => write!(f, "it has no states"),
            PathError::NotInitial => write!(f, "its first state is no initial state"),
            PathError::NoStep(at) => write!(f, "state {at} cannot follow state {}", at - 1),
            PathError::Open => write!(f, "its cycle does not close"),
        }
    }
}

impl std::error::Error for PathError {}

/// Checks that a list of states is a path, and judges what it shows of a property.
pub fn judge_states(
    relation: &Relation,
    path: &Path<Vec<i64>>,
    specification: &Property,
) -> Result<StateEvidence, PathError> {
    let oracle = Oracle::new(relation);
    replay(&oracle, path)?;
    let last = path.steps.last().expect("a path has states");
    Ok(match &specification.kind {
        PropertyKind::Invariant(term) if !oracle.holds(term.term(), last) => StateEvidence::Invariant,
        PropertyKind::StepInvariant(term) => match path.steps.as_slice() {
            [.., before, after] if oracle.values(term.term(), before, after).contains(&0) => StateEvidence::Invariant,
            _ => StateEvidence::None,
        },
        PropertyKind::Deadlock if path.cycle_start.is_none() => StateEvidence::Deadlock,
        PropertyKind::Ltl { formula, atoms } => match path.cycle_start {
            Some(start) if is_fair(relation, &oracle, path) => {
                let atom =
                    |id: AtomId, position: usize| oracle.holds(atoms[id.0 as usize].term(), &path.steps[position]);
                match holds_along(formula, path.steps.len(), start, &atom) {
                    true => StateEvidence::None,
                    false => StateEvidence::Lasso,
                }
            }
            _ => StateEvidence::None,
        },
        PropertyKind::Ctl(formula) => match always(formula) {
            Some(inner) if path.cycle_start.is_none() => match state_formula(&oracle, inner, last) {
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

/// The value of a formula without temporal operators.
fn state_formula(oracle: &Oracle<'_>, formula: &Ctl, state: &[i64]) -> Option<bool> {
    Some(match formula {
        Ctl::Atom(term) => oracle.holds(*term, state),
        Ctl::Not(a) => !state_formula(oracle, a, state)?,
        Ctl::And(a, b) => state_formula(oracle, a, state)? & state_formula(oracle, b, state)?,
        Ctl::Or(a, b) => state_formula(oracle, a, state)? | state_formula(oracle, b, state)?,
        _ => return None,
    })
}

fn replay(oracle: &Oracle<'_>, path: &Path<Vec<i64>>) -> Result<(), PathError> {
    let first = path.steps.first().ok_or(PathError::Empty)?;
    if !oracle.is_initial(first) {
        return Err(PathError::NotInitial);
    }
    for (index, pair) in path.steps.windows(2).enumerate() {
        checkpoint();
        if oracle.steps(&pair[0], &pair[1]).next().is_none() {
            return Err(PathError::NoStep(index + 1));
        }
    }
    if let Some(start) = path.cycle_start {
        let back = path.steps.get(start).ok_or(PathError::Open)?;
        let last = path.steps.last().expect("there is a first state");
        if oracle.steps(last, back).next().is_none() {
            return Err(PathError::Open);
        }
    }
    Ok(())
}

/// Whether the cycle meets every justice and every compassion constraint.
fn is_fair(relation: &Relation, oracle: &Oracle<'_>, path: &Path<Vec<i64>>) -> bool {
    let met = |term| path.cycle().iter().any(|s| oracle.holds(term, s));
    relation.justice.iter().all(|&t| met(t)) && relation.compassion.iter().all(|&(p, q)| !met(p) || met(q))
}
