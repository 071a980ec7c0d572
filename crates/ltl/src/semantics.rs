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

use lurcher_ir::{AtomId, Formula};

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
    Lassos::new([(prefix, cycle)]).satisfy(formula)[0]
}

/// Several words, for evaluating a formula on all of them at once.
pub struct Lassos<'a> {
    /// The letters of all words, one word after the other.
    letters: Vec<&'a Letter>,
    /// The position after each.
    after: Vec<usize>,
    /// The first position of each word.
    starts: Vec<usize>,
    /// Positions in the order in which truth is carried from the back to the front: twice round each cycle, then the
    /// prefix.
    backwards: Vec<usize>,
}

impl<'a> Lassos<'a> {
    /// The words `prefix · cycle · cycle · …`.
    ///
    /// # Panics
    ///
    /// If a cycle is empty: there is no infinite word then.
    pub fn new(words: impl IntoIterator<Item = (&'a [Letter], &'a [Letter])>) -> Self {
        let mut lassos = Lassos { letters: vec![], after: vec![], starts: vec![], backwards: vec![] };
        for (prefix, cycle) in words {
            assert!(!cycle.is_empty(), "a lasso needs a cycle");
            let start = lassos.letters.len();
            let (turn, end) = (start + prefix.len(), start + prefix.len() + cycle.len());
            lassos.letters.extend(prefix.iter().chain(cycle));
            lassos.after.extend((start + 1..end).chain([turn]));
            lassos.starts.push(start);
            lassos.backwards.extend((turn..end).rev().chain((turn..end).rev()).chain((start..turn).rev()));
        }
        lassos
    }

    /// Whether each word satisfies a formula.
    pub fn satisfy(&self, formula: &Formula) -> Vec<bool> {
        let truth: Vec<bool> = fold(formula, |node, mut operands: Drain<'_, Vec<bool>>| {
            let a = operands.next().unwrap_or_default();
            let b = operands.next().unwrap_or_default();
            match node {
                Formula::True => self.pointwise(|_| true),
                Formula::False => self.pointwise(|_| false),
                Formula::Atom(atom) => self.pointwise(|i| self.letters[i].has(*atom)),
                Formula::Not(_) => self.pointwise(|i| !a[i]),
                Formula::And(..) => self.pointwise(|i| a[i] && b[i]),
                Formula::Or(..) => self.pointwise(|i| a[i] || b[i]),
                Formula::Implies(..) => self.pointwise(|i| !a[i] || b[i]),
                Formula::Iff(..) => self.pointwise(|i| a[i] == b[i]),
                Formula::Next(_) => self.pointwise(|i| a[self.after[i]]),
                Formula::Always(_) => self.backwards(true, |i, later| a[i] && later),
                Formula::Eventually(_) => self.backwards(false, |i, later| a[i] || later),
                Formula::Until(..) => self.backwards(false, |i, later| b[i] || a[i] && later),
                Formula::WeakUntil(..) => self.backwards(true, |i, later| b[i] || a[i] && later),
                Formula::Release(..) => self.backwards(true, |i, later| b[i] && (a[i] || later)),
                _ => panic!("`holds_along` evaluates past operators"),
            }
        });
        self.starts.iter().map(|&start| truth[start]).collect()
    }

    /// The truth at each position from that position alone.
    fn pointwise(&self, truth: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.letters.len()).map(truth).collect()
    }

    /// The truth at each position from that of the position after it; `for_ever` if the next is put off for ever.
    fn backwards(&self, for_ever: bool, truth: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![for_ever; self.letters.len()];
        for &position in &self.backwards {
            values[position] = truth(position, values[self.after[position]]);
        }
        values
    }
}

#[cfg(test)]
mod tests;
