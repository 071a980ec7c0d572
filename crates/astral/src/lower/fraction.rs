//! Numbers with a denominator. Quotients are exact, so that every number is a linear combination over a positive integer.

use lurcher_ir::timed::{Linear, TermId, Terms};

use crate::checked::Rational;

/// A linear combination divided by a positive integer, in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fraction {
    pub(super) sum: Linear,
    pub(super) over: i64,
}

/// The greatest common divisor.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// All operations are `None` if a number does not fit.
impl Fraction {
    pub(super) fn integer(value: i64) -> Self {
        Fraction { sum: Linear::number(value), over: 1 }
    }

    pub(super) fn rational(value: Rational) -> Self {
        Fraction { sum: Linear::number(value.numerator), over: value.denominator }
    }

    pub(super) fn term(term: TermId, terms: &Terms) -> Self {
        Fraction { sum: terms.linear(term), over: 1 }
    }

    /// The number, if it is one.
    pub(super) fn as_rational(&self) -> Option<Rational> {
        Some(Rational { numerator: self.sum.as_number()?, denominator: self.over })
    }

    /// The integer, if it is one.
    pub(super) fn as_integer(&self) -> Option<i64> {
        self.sum.as_number().filter(|_| self.over == 1)
    }

    /// Lowest terms.
    fn reduced(self) -> Self {
        let common = gcd(gcd(self.sum.content(), self.sum.constant.unsigned_abs()), self.over.unsigned_abs());
        let common = i64::try_from(common).unwrap_or(1).max(1);
        let terms = self.sum.terms.iter().map(|&(term, a)| (term, a / common)).collect();
        Fraction { sum: Linear { terms, constant: self.sum.constant / common }, over: self.over / common }
    }

    /// `self + other * factor`.
    pub(super) fn plus(&self, other: &Self, factor: i64, terms: &Terms) -> Option<Self> {
        let (left, right) = (self.over_common(other)?, other.over_common(self)?);
        Some(Fraction { sum: terms.combine(&left.sum, &right.sum, factor)?, over: left.over }.reduced())
    }

    /// `self`, over the least common denominator with another number.
    pub(super) fn over_common(&self, other: &Self) -> Option<Self> {
        let common = i64::try_from(gcd(self.over.unsigned_abs(), other.over.unsigned_abs())).ok()?;
        let factor = other.over / common;
        Some(Fraction { sum: self.sum.times(factor)?, over: self.over.checked_mul(factor)? })
    }

    pub(super) fn times(&self, factor: Rational, terms: &Terms) -> Option<Self> {
        let sum = terms.combine(&Linear::default(), &self.sum, factor.numerator)?;
        Some(Fraction { sum, over: self.over.checked_mul(factor.denominator)? }.reduced())
    }

    /// The divisor must not be 0.
    pub(super) fn divided_by(&self, divisor: Rational, terms: &Terms) -> Option<Self> {
        let sign = divisor.numerator.signum();
        let numerator = divisor.denominator.checked_mul(sign)?;
        self.times(Rational { numerator, denominator: divisor.numerator.checked_abs()? }, terms)
    }
}
