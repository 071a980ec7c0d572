//! What a formula with past operators means along a lasso of states.
//!
//! Straight from the definition, and apart from [`violations`](crate::violations) on purpose: traces are judged by it.
//!
//! A past operator tells rounds of the cycle apart: `O p` is false in the first round up to the first p and true ever
//! after. But it needs only one round to settle: going once round the cycle turns what it said before into what it says
//! now by a monotone function of one bit, and a monotone function applied twice says what it said the first time. So
//! the cycle is written out once more for every past operator, and the last round repeats for ever.

use lurcher_ir::{AtomId, Formula};

/// Whether a formula is true at the first position of a lasso: `length` positions, the last followed by `cycle_start`.
/// `atom` says whether an atom is true at a position.
///
/// # Panics
///
/// If the cycle is empty.
pub fn holds_along(formula: &Formula, length: usize, cycle_start: usize, atom: &dyn Fn(AtomId, usize) -> bool) -> bool {
    assert!(cycle_start < length, "there is no cycle");
    let period = length - cycle_start;
    let positions = length + period * past_operators(formula);
    let along = Along { length, period, positions, atom };
    along.truth(formula)[0]
}

fn past_operators(formula: &Formula) -> usize {
    usize::from(formula.is_past()) + formula.operands().map(past_operators).sum::<usize>()
}

struct Along<'a> {
    /// Positions of the lasso.
    length: usize,
    /// Positions of its cycle.
    period: usize,
    /// Positions written out.
    positions: usize,
    atom: &'a dyn Fn(AtomId, usize) -> bool,
}

impl Along<'_> {
    /// The truth of a formula at every position.
    fn truth(&self, formula: &Formula) -> Vec<bool> {
        let two =
            |a: &Formula, b: &Formula| -> Vec<(bool, bool)> { self.truth(a).into_iter().zip(self.truth(b)).collect() };
        match formula {
            Formula::True => vec![true; self.positions],
            Formula::False => vec![false; self.positions],
            Formula::Atom(id) => (0..self.positions).map(|i| (self.atom)(*id, self.original(i))).collect(),
            Formula::Not(a) => self.truth(a).into_iter().map(|a| !a).collect(),
            Formula::And(a, b) => two(a, b).into_iter().map(|(a, b)| a && b).collect(),
            Formula::Or(a, b) => two(a, b).into_iter().map(|(a, b)| a || b).collect(),
            Formula::Implies(a, b) => two(a, b).into_iter().map(|(a, b)| !a || b).collect(),
            Formula::Iff(a, b) => two(a, b).into_iter().map(|(a, b)| a == b).collect(),
            Formula::Next(a) => {
                let a = self.truth(a);
                (0..self.positions).map(|i| a[self.after(i)]).collect()
            }
            Formula::Always(a) => self.ahead(true, &self.truth(a), |&a, later| a && later),
            Formula::Eventually(a) => self.ahead(false, &self.truth(a), |&a, later| a || later),
            Formula::Until(a, b) => self.ahead(false, &two(a, b), |&(a, b), later| b || (a && later)),
            Formula::WeakUntil(a, b) => self.ahead(true, &two(a, b), |&(a, b), later| b || (a && later)),
            Formula::Release(a, b) => self.ahead(true, &two(a, b), |&(a, b), later| b && (a || later)),
            Formula::Previous(a) => before(false, &self.truth(a)),
            Formula::WeakPrevious(a) => before(true, &self.truth(a)),
            Formula::Historically(a) => so_far(true, &self.truth(a), |&a, before| a && before),
            Formula::Once(a) => so_far(false, &self.truth(a), |&a, before| a || before),
            Formula::Since(a, b) => so_far(false, &two(a, b), |&(a, b), before| b || (a && before)),
            Formula::Triggered(a, b) => so_far(true, &two(a, b), |&(a, b), before| b && (a || before)),
        }
    }

    /// The position of the lasso that was written out here.
    fn original(&self, position: usize) -> usize {
        if position < self.length {
            position
        } else {
            self.length - self.period + (position - self.length) % self.period
        }
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 < self.positions { position + 1 } else { self.positions - self.period }
    }

    /// An operator that follows from its operands here and from what it says one position later; `staying` is its
    /// value when the operands never decide. Two times round the cycle settle it.
    fn ahead<T>(&self, staying: bool, operands: &[T], says: impl Fn(&T, bool) -> bool) -> Vec<bool> {
        let mut truth = vec![staying; self.positions];
        for _ in 0..2 {
            for position in (0..self.positions).rev() {
                truth[position] = says(&operands[position], truth[self.after(position)]);
            }
        }
        truth
    }
}

fn before(first: bool, operand: &[bool]) -> Vec<bool> {
    std::iter::once(first).chain(operand.iter().copied()).take(operand.len()).collect()
}

fn so_far<T>(first: bool, operands: &[T], says: impl Fn(&T, bool) -> bool) -> Vec<bool> {
    let settle = |before: &mut bool, operand: &T| {
        *before = says(operand, *before);
        Some(*before)
    };
    operands.iter().scan(first, settle).collect()
}
