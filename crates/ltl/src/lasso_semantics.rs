//! The semantics of formulas on lassos: words `prefix · cycle · cycle · …`.
//!
//! Evaluated from the definition, and independent of the translation: this is the oracle of the tests, and traces are
//! judged by it.
//!
//! The truth of a future operator at a position follows from its expansion law, `a U b = b || (a && X (a U b))`, from
//! the back to the front. In the cycle the evaluation starts from the value of an operator that is never decided (false
//! for until, true for release) and takes two rounds: the first computes the value at the start of the cycle.
//!
//! A past operator may differ between rounds: `O p` is false before the first p. One round takes its value at the start
//! of the round to that at the end by a monotone function of one bit, which is idempotent from the second round on. So
//! the cycle is unrolled once more for every past operator, and the last round repeats for ever.

use std::ops::Range;
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
/// If the cycle is empty.
pub fn holds(formula: &Formula, prefix: &[Letter], cycle: &[Letter]) -> bool {
    Lassos::new([(prefix, cycle)]).satisfy(formula)[0]
}

/// Whether a lasso of `length` positions, the last followed by `cycle_start`, satisfies a formula. `atom` gives the truth
/// of an atom at a position.
///
/// # Panics
///
/// If the cycle is empty.
pub fn holds_along(formula: &Formula, length: usize, cycle_start: usize, atom: &dyn Fn(AtomId, usize) -> bool) -> bool {
    Unrolled::new([(length, cycle_start)], formula).truth(formula, atom)[0]
}

/// Several lassos, for evaluating a formula on all of them at once.
pub struct Lassos<'a> {
    /// The letters of all words, one word after the other.
    letters: Vec<&'a Letter>,
    /// The length of each word and the start of its cycle.
    words: Vec<(usize, usize)>,
}

impl<'a> Lassos<'a> {
    /// The words `prefix · cycle · cycle · …`.
    pub fn new(words: impl IntoIterator<Item = (&'a [Letter], &'a [Letter])>) -> Self {
        let mut lassos = Lassos { letters: Vec::new(), words: Vec::new() };
        for (prefix, cycle) in words {
            lassos.letters.extend(prefix.iter().chain(cycle));
            lassos.words.push((prefix.len() + cycle.len(), prefix.len()));
        }
        lassos
    }

    /// Whether each word satisfies a formula.
    ///
    /// # Panics
    ///
    /// If a cycle is empty.
    pub fn satisfy(&self, formula: &Formula) -> Vec<bool> {
        let unrolled = Unrolled::new(self.words.iter().copied(), formula);
        unrolled.truth(formula, &|atom, position| self.letters[position].has(atom))
    }
}

/// Lassos with their cycles unrolled as far as a formula needs.
struct Unrolled {
    /// The position in the original words.
    original: Vec<usize>,
    /// The successor of each position.
    after: Vec<usize>,
    /// The positions of each word.
    words: Vec<Range<usize>>,
    /// Positions in the order of backward evaluation: two rounds of each cycle, then the positions before it.
    backwards: Vec<usize>,
}

impl Unrolled {
    fn new(words: impl IntoIterator<Item = (usize, usize)>, formula: &Formula) -> Self {
        let rounds = fold(formula, |node, inner: Drain<'_, usize>| inner.sum::<usize>() + usize::from(node.is_past()));
        let mut unrolled = Unrolled { original: vec![], after: vec![], words: vec![], backwards: vec![] };
        let mut first = 0;
        for (length, cycle_start) in words {
            assert!(cycle_start < length, "a lasso needs a cycle");
            let (start, period) = (unrolled.original.len(), length - cycle_start);
            let cycle = (first + cycle_start..first + length).cycle().take(period * rounds);
            unrolled.original.extend((first..first + length).chain(cycle));
            let end = unrolled.original.len();
            let turn = end - period;
            unrolled.after.extend((start + 1..end).chain([turn]));
            unrolled.backwards.extend((turn..end).rev().chain((turn..end).rev()).chain((start..turn).rev()));
            unrolled.words.push(start..end);
            first += length;
        }
        unrolled
    }

    /// The truth of a formula at the start of each word.
    fn truth(&self, formula: &Formula, atom: &dyn Fn(AtomId, usize) -> bool) -> Vec<bool> {
        let truth: Vec<bool> = fold(formula, |node, mut operands: Drain<'_, Vec<bool>>| {
            let a = operands.next().unwrap_or_default();
            let b = operands.next().unwrap_or_default();
            match node {
                Formula::True => self.pointwise(|_| true),
                Formula::False => self.pointwise(|_| false),
                Formula::Atom(id) => self.pointwise(|i| atom(*id, self.original[i])),
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
                Formula::Previous(_) => self.previous(false, &a),
                Formula::WeakPrevious(_) => self.previous(true, &a),
                Formula::Historically(_) => self.forwards(true, |i, before| a[i] && before),
                Formula::Once(_) => self.forwards(false, |i, before| a[i] || before),
                Formula::Since(..) => self.forwards(false, |i, before| b[i] || a[i] && before),
                Formula::Triggered(..) => self.forwards(true, |i, before| b[i] && (a[i] || before)),
            }
        });
        self.words.iter().map(|word| truth[word.start]).collect()
    }

    fn pointwise(&self, truth: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.original.len()).map(truth).collect()
    }

    /// The truth at each position from that of its successor; `undecided` if the operator is never decided.
    fn backwards(&self, undecided: bool, truth: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![undecided; self.original.len()];
        for &position in &self.backwards {
            values[position] = truth(position, values[self.after[position]]);
        }
        values
    }

    /// The truth at each position from that of its predecessor; `first` before the first position.
    fn forwards(&self, first: bool, truth: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = Vec::with_capacity(self.original.len());
        for word in &self.words {
            let mut before = first;
            values.extend(word.clone().map(|position| {
                before = truth(position, before);
                before
            }));
        }
        values
    }

    fn previous(&self, first: bool, operand: &[bool]) -> Vec<bool> {
        let word = |word: &Range<usize>| std::iter::once(first).chain(operand[word.start..word.end - 1].to_vec());
        self.words.iter().flat_map(word).collect()
    }
}

#[cfg(test)]
mod tests;
