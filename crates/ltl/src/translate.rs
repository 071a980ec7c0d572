//! The steps in order.

use lurcher_ir::{AtomId, Buchi, BuchiEdge, BuchiState, Formula, Literal};

use crate::alternating::{Alternating, cubes};
use crate::automaton::{Automaton, Edge, Place};
use crate::degeneralise::{Fairness, degeneralised};
use crate::fairness;
use crate::generalised::generalised;
use crate::limits::{Limits, Meter, TooLarge};
use crate::reduce::reduced;
use crate::term::{Simplified, View, postponed, simplify};
use crate::walk::copy;

/// The automaton that accepts exactly the words that satisfy a formula.
///
/// State 0 is initial, every other state is reachable from it, and from every state some word is accepted, unless the
/// formula is unsatisfiable: then there is one state without edges. The same formula gives the same automaton.
///
/// # Panics
///
/// If the formula has past operators; [`violations`](crate::violations) eliminates them.
pub fn translate(formula: &Formula, limits: &Limits) -> Result<Buchi, TooLarge> {
    let mut meter = Meter::new(*limits);
    let Simplified { mut terms, root, atoms } = simplify(formula);
    let root = postponed(&mut terms, root);
    let (rest, fair) = fairness::split(&mut terms, root);
    let alternating = Alternating::new(&mut terms, rest, &mut meter)?;
    let with_marks = reduced(&generalised(&alternating, &mut meter)?, Place::Edges);
    let fair: Result<Vec<Fairness>, TooLarge> = fair.into_iter().map(|p| cubes(&mut terms, p, &mut meter)).collect();
    let counted = reduced(&degeneralised(&with_marks, &fair?, &meter)?, Place::States);
    Ok(to_buchi(&counted, &atoms))
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

/// The negation, without a double one at the front.
pub fn negate(formula: &Formula) -> Formula {
    match formula {
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        Formula::Not(inner) => copy(inner),
        _ => Formula::Not(Box::new(copy(formula))),
    }
}

/// Whether a formula may tell apart words that differ only in how often letters are repeated: whether it speaks of the
/// next step once it is simplified. If it does not, partial-order reduction is sound for it.
pub fn is_stutter_sensitive(formula: &Formula) -> bool {
    let Simplified { terms, root, .. } = simplify(formula);
    terms.subterms(root).into_iter().any(|term| matches!(terms.view(term), View::Next(_)))
}
