//! From the formula as written to a term.

use std::vec::Drain;

use lurcher_ir::{AtomId, Formula};

use super::{Term, Terms};
use crate::walk::fold;

/// A formula after rewriting.
pub(crate) struct Simplified {
    pub(crate) terms: Terms,
    pub(crate) root: Term,
    /// The atoms of the formula in order; terms speak of them by their index here.
    pub(crate) atoms: Vec<AtomId>,
}

/// Rewrites a formula to a term.
pub(crate) fn simplify(formula: &Formula) -> Simplified {
    let atoms = atoms_of(formula);
    let mut terms = Terms::new();
    let root = fold(formula, |node, mut operands: Drain<'_, Term>| {
        let mut operand = || operands.next().expect("an operator has its operands");
        match node {
            Formula::True => Term::TRUE,
            Formula::False => Term::FALSE,
            Formula::Atom(atom) => terms.atom(atoms.binary_search(atom).expect("all atoms were collected")),
            Formula::Not(_) => !operand(),
            Formula::And(..) => terms.and(operand(), operand()),
            Formula::Or(..) => terms.or(operand(), operand()),
            Formula::Implies(..) => terms.or(!operand(), operand()),
            Formula::Iff(..) => {
                let (a, b) = (operand(), operand());
                let (both, neither) = (terms.and(a, b), terms.and(!a, !b));
                terms.or(both, neither)
            }
            Formula::Next(_) => terms.next(operand()),
            Formula::Always(_) => terms.release(Term::FALSE, operand()),
            Formula::Eventually(_) => terms.until(Term::TRUE, operand()),
            Formula::Until(..) => terms.until(operand(), operand()),
            Formula::WeakUntil(..) => {
                let (a, b) = (operand(), operand());
                let either = terms.or(a, b);
                terms.release(b, either)
            }
            Formula::Release(..) => terms.release(operand(), operand()),
            _ => panic!("past operators have no automaton: {node:?}"),
        }
    });
    Simplified { terms, root, atoms }
}

fn atoms_of(formula: &Formula) -> Vec<AtomId> {
    let mut atoms = Vec::new();
    fold(formula, |node, _| {
        if let Formula::Atom(atom) = node {
            atoms.push(*atom);
        }
    });
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}
