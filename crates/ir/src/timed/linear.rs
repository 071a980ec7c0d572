//! Linear combinations of numbers.

use super::TermId;

/// A sum of terms times numbers, and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    /// Terms with their coefficients, in ascending order. A coefficient is 0 only if the term may have no value.
    pub terms: Vec<(TermId, i64)>,
    /// The number.
    pub constant: i64,
}

impl Linear {
    /// A number.
    pub fn number(value: i64) -> Self {
        Linear { terms: Vec::new(), constant: value }
    }

    /// The number, if there are no terms.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self * factor`; none if a number does not fit.
    pub fn times(&self, factor: i64) -> Option<Linear> {
        let scaled = |&(term, a): &(TermId, i64)| Some((term, a.checked_mul(factor)?));
        let terms = self.terms.iter().map(scaled).collect::<Option<_>>()?;
        Some(Linear { terms, constant: self.constant.checked_mul(factor)? })
    }

    /// `self + other`, with coefficients 0 left in; none if a number does not fit.
    pub(super) fn merged(&self, other: &Linear) -> Option<Linear> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        while let Some(term) = [left.peek(), right.peek()].into_iter().flatten().map(|x| x.0).min() {
            let a = left.next_if(|x| x.0 == term).map_or(0, |x| x.1);
            let b = right.next_if(|x| x.0 == term).map_or(0, |x| x.1);
            terms.push((term, a.checked_add(b)?));
        }
        Some(Linear { terms, constant: self.constant.checked_add(other.constant)? })
    }

    /// The greatest common divisor of the coefficients; 0 if there are none.
    pub fn content(&self) -> u64 {
        self.terms.iter().fold(0, |g, (_, a)| gcd(g, a.unsigned_abs()))
    }
}

/// The greatest common divisor.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
