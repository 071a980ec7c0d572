//! The translation.

use lurcher_ir::{AtomId, Buchi, BuchiEdge, BuchiState, Formula, Literal};

use crate::alternating::{Alternating, cubes};
use crate::automaton::{Acceptance, Automaton, Edge};
use crate::degeneralise::{Fairness, degeneralised};
use crate::fairness;
use crate::generalised::generalised;
use crate::limits::{Limits, Meter, TooLarge};
use crate::reduce::reduced;
use crate::term::{Simplified, Term, Terms, View, postponed, simplify};
use crate::walk::copy;

/// The automaton that accepts exactly the words that satisfy a formula.
///
/// State 0 is initial. Every state is reachable and accepts some word; for an unsatisfiable formula there is one state
/// without edges. Equal formulas give equal automata.
///
/// # Panics
///
/// If the formula has past operators; [`violations`](crate::violations) eliminates them.
pub fn translate(formula: &Formula, limits: &Limits) -> Result<Buchi, TooLarge> {
    let Simplified { mut terms, root, atoms } = simplify(formula);
    translate_term(&mut terms, root, &atoms, limits)
}

/// The same for a simplified formula over these atoms.
pub(crate) fn translate_term(
    terms: &mut Terms,
    root: Term,
    atoms: &[AtomId],
    limits: &Limits,
) -> Result<Buchi, TooLarge> {
    let mut meter = Meter::new(*limits);
    let root = postponed(terms, root);
    let (rest, fair) = fairness::split(terms, root);
    let alternating = Alternating::new(terms, rest, &mut meter)?;
    let with_marks = reduced(&generalised(&alternating, &mut meter)?, Acceptance::Transitions);
    let fair: Result<Vec<Fairness>, TooLarge> = fair.into_iter().map(|p| cubes(terms, p, &mut meter)).collect();
    let counted = reduced(&degeneralised(&with_marks, &fair?, &meter)?, Acceptance::States);
    Ok(to_buchi(&counted, atoms))
}

fn to_buchi(automaton: &Automaton, atoms: &[AtomId]) -> Buchi {
    let literal = |(atom, positive): (usize, bool)| Literal { atom: atoms[atom], positive };
    let edge = |edge: &Edge| BuchiEdge {
        guard: edge.guard.literals().into_iter().map(literal).collect(),
        target: edge.target,
    };
    let state = |edges: &Vec<Edge>| BuchiState {
        accepting: edges.first().is_some_and(|edge| !edge.marks.is_empty()),
        edges: edges.iter().map(edge).collect(),
    };
    Buchi { states: automaton.states.iter().map(state).collect() }
}

/// The negation of a formula, without double negation.
pub fn negate(formula: &Formula) -> Formula {
    match formula {
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        Formula::Not(inner) => copy(inner),
        _ => Formula::Not(Box::new(copy(formula))),
    }
}

/// Whether a formula may be stutter-sensitive: whether it has `X` after simplification. If not, partial-order reduction is
/// sound for it.
pub fn is_stutter_sensitive(formula: &Formula) -> bool {
    let Simplified { terms, root, .. } = simplify(formula);
    terms.subterms(root).into_iter().any(|term| matches!(terms.view(term), View::Next(_)))
}
