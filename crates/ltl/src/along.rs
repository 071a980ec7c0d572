//! What a formula with past operators means along a lasso of states.
//!
//! Straight from the definition, and apart from [`violations`](crate::violations) on purpose: traces are judged by it.
//!
//! A past operator tells rounds of the cycle apart: `O p` is false in the first round up to the first p and true ever
//! after. But it needs only one round to settle: going once round the cycle turns what it said before into what it says
//! now by a monotone function of one bit, and a monotone function applied twice says what it said the first time. So
//! the cycle is written out once more for every past operator, and the last round repeats for ever.

use lurcher_ir::relation::{Temporal, TermId};

/// Whether a formula is true at the first position of a lasso: `length` positions, the last followed by `cycle_start`.
/// `atom` says whether a term is true at a position.
///
/// # Panics
///
/// If the cycle is empty.
pub fn holds_along(
    formula: &Temporal,
    length: usize,
    cycle_start: usize,
    atom: &dyn Fn(TermId, usize) -> bool,
) -> bool {
    assert!(cycle_start < length, "there is no cycle");
    let period = length - cycle_start;
    let positions = length + period * past_operators(formula);
    let along = Along { length, period, positions, atom };
    along.truth(formula)[0]
}

fn past_operators(formula: &Temporal) -> usize {
    match formula {
        Temporal::Atom(_) => 0,
        Temporal::Not(a) | Temporal::Next(a) | Temporal::Globally(a) | Temporal::Finally(a) => past_operators(a),
        Temporal::And(a, b)
        | Temporal::Or(a, b)
        | Temporal::Iff(a, b)
        | Temporal::Until(a, b)
        | Temporal::Releases(a, b) => past_operators(a) + past_operators(b),
        Temporal::Previous(a) | Temporal::WeakPrevious(a) | Temporal::Historically(a) | Temporal::Once(a) => {
            1 + past_operators(a)
        }
        Temporal::Since(a, b) | Temporal::Triggered(a, b) => 1 + past_operators(a) + past_operators(b),
    }
}

struct Along<'a> {
    /// Positions of the lasso.
    length: usize,
    /// Positions of its cycle.
    period: usize,
    /// Positions written out.
    positions: usize,
    atom: &'a dyn Fn(TermId, usize) -> bool,
}

impl Along<'_> {
    /// The truth of a formula at every position.
    fn truth(&self, formula: &Temporal) -> Vec<bool> {
        let two = |a: &Temporal, b: &Temporal| -> Vec<(bool, bool)> {
            self.truth(a).into_iter().zip(self.truth(b)).collect()
        };
        match formula {
            Temporal::Atom(term) => (0..self.positions).map(|i| (self.atom)(*term, self.original(i))).collect(),
            Temporal::Not(a) => self.truth(a).into_iter().map(|a| !a).collect(),
            Temporal::And(a, b) => two(a, b).into_iter().map(|(a, b)| a && b).collect(),
            Temporal::Or(a, b) => two(a, b).into_iter().map(|(a, b)| a || b).collect(),
            Temporal::Iff(a, b) => two(a, b).into_iter().map(|(a, b)| a == b).collect(),
            Temporal::Next(a) => {
                let a = self.truth(a);
                (0..self.positions).map(|i| a[self.after(i)]).collect()
            }
            Temporal::Globally(a) => self.ahead(true, &self.truth(a), |&a, later| a && later),
            Temporal::Finally(a) => self.ahead(false, &self.truth(a), |&a, later| a || later),
            Temporal::Until(a, b) => self.ahead(false, &two(a, b), |&(a, b), later| b || (a && later)),
            Temporal::Releases(a, b) => self.ahead(true, &two(a, b), |&(a, b), later| b && (a || later)),
            Temporal::Previous(a) => before(false, &self.truth(a)),
            Temporal::WeakPrevious(a) => before(true, &self.truth(a)),
            Temporal::Historically(a) => so_far(true, &self.truth(a), |&a, before| a && before),
            Temporal::Once(a) => so_far(false, &self.truth(a), |&a, before| a || before),
            Temporal::Since(a, b) => so_far(false, &two(a, b), |&(a, b), before| b || (a && before)),
            Temporal::Triggered(a, b) => so_far(true, &two(a, b), |&(a, b), before| b && (a || before)),
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
