//! What a formula means on an infinite word that repeats.
//!
//! Straight from the definition, and apart from the translation on purpose: it is the oracle of the tests, and the
//! judge of traces that someone claims to violate a property.
//!
//! A lasso has finitely many positions, and the position after the last is the first of the cycle. The truth of a
//! temporal operator at a position is its expansion law, `a U b = b || (a && X (a U b))`, read from the back to the
//! front. Around the cycle one starts from the value that staying for ever has (false for until, true for release) and
//! goes round twice: a witness never lies beyond one whole round, so after the first the value at the start of the cycle
//! is right, and the second makes the others right.

use std::vec::Drain;

use lurcher_ir::ltl::{AtomId, Formula};

use crate::walk::fold;

/// The atoms that are true at one position of a word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letter(Vec<AtomId>);

impl Letter {
    /// Whether an atom is true.
    pub fn has(&self, atom: AtomId) -> bool {
        self.0.binary_search(&atom).is_ok()
    }

    /// The true atoms in order.
    pub fn atoms(&self) -> &[AtomId] {
        &self.0
    }
}

impl FromIterator<AtomId> for Letter {
    fn from_iter<I: IntoIterator<Item = AtomId>>(atoms: I) -> Self {
        let mut atoms: Vec<AtomId> = atoms.into_iter().collect();
        atoms.sort_unstable();
        atoms.dedup();
        Letter(atoms)
    }
}

/// Whether the word `prefix · cycle · cycle · …` satisfies a formula.
///
/// # Panics
///
/// If the cycle is empty: there is no infinite word then.
pub fn holds(formula: &Formula, prefix: &[Letter], cycle: &[Letter]) -> bool {
    assert!(!cycle.is_empty(), "a lasso needs a cycle");
    let lasso = Lasso { letters: prefix.iter().chain(cycle).collect(), start: prefix.len() };
    let truth: Vec<bool> = fold(formula, |node, mut operands: Drain<'_, Vec<bool>>| {
        let mut operand = || operands.next().expect("an operator has its operands");
        match node {
            Formula::True => lasso.pointwise(|_| true),
            Formula::False => lasso.pointwise(|_| false),
            Formula::Atom(atom) => lasso.pointwise(|i| lasso.letters[i].has(*atom)),
            Formula::Not(_) => {
                let a = operand();
                lasso.pointwise(|i| !a[i])
            }
            Formula::And(..) => {
                let (a, b) = (operand(), operand());
                lasso.pointwise(|i| a[i] && b[i])
            }
            Formula::Or(..) => {
                let (a, b) = (operand(), operand());
                lasso.pointwise(|i| a[i] || b[i])
            }
            Formula::Implies(..) => {
                let (a, b) = (operand(), operand());
                lasso.pointwise(|i| !a[i] || b[i])
            }
            Formula::Iff(..) => {
                let (a, b) = (operand(), operand());
                lasso.pointwise(|i| a[i] == b[i])
            }
            Formula::Next(_) => {
                let a = operand();
                lasso.pointwise(|i| a[lasso.after(i)])
            }
            Formula::Always(_) => {
                let a = operand();
                lasso.backwards(true, |i, later| a[i] && later)
            }
            Formula::Eventually(_) => {
                let a = operand();
                lasso.backwards(false, |i, later| a[i] || later)
            }
            Formula::Until(..) => {
                let (a, b) = (operand(), operand());
                lasso.backwards(false, |i, later| b[i] || a[i] && later)
            }
            Formula::WeakUntil(..) => {
                let (a, b) = (operand(), operand());
                lasso.backwards(true, |i, later| b[i] || a[i] && later)
            }
            Formula::Release(..) => {
                let (a, b) = (operand(), operand());
                lasso.backwards(true, |i, later| b[i] && (a[i] || later))
            }
        }
    });
    truth[0]
}

struct Lasso<'a> {
    letters: Vec<&'a Letter>,
    /// Where the cycle starts.
    start: usize,
}

impl Lasso<'_> {
    fn after(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.start }
    }

    /// The truth at each position from that position alone.
    fn pointwise(&self, truth: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.letters.len()).map(truth).collect()
    }

    /// The truth at each position from that of the position after it.
    fn backwards(&self, for_ever: bool, truth: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![for_ever; self.letters.len()];
        let cycle = self.start..self.letters.len();
        for position in cycle.clone().rev().chain(cycle.rev()).chain((0..self.start).rev()) {
            values[position] = truth(position, values[self.after(position)]);
        }
        values
    }
}

#[cfg(test)]
mod tests;
