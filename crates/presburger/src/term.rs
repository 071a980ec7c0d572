//! Linear terms, as a caller writes them.

use std::ops::{Add, Mul, Neg, Sub};

use crate::arithmetic::narrow;
use crate::row::Row;
use crate::{Error, Formula};

/// A linear term over columns. A number that does not fit is reported where the term is used.
///
/// ```
/// use lurcher_presburger::Term;
/// let twice = Term::column(0) * 2 - Term::column(1) + 3;
/// assert_eq!(twice.to_string(), "2*c0 - c1 + 3");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Term {
    /// Columns in ascending order, with coefficients that are not 0.
    coefficients: Vec<(usize, i128)>,
    constant: i128,
    too_large: bool,
}

impl Term {
    /// The value of a column.
    pub fn column(column: usize) -> Term {
        Term { coefficients: vec![(column, 1)], ..Term::default() }
    }

    /// A number.
    pub fn constant(value: i64) -> Term {
        Term { constant: value.into(), ..Term::default() }
    }

    /// The sum of columns times numbers, and a number.
    pub fn linear(coefficients: impl IntoIterator<Item = (usize, i64)>, constant: i64) -> Term {
        coefficients.into_iter().fold(Term::constant(constant), |sum, (column, a)| sum + Term::column(column) * a)
    }

    /// `self = other`.
    pub fn equals(self, other: impl Into<Term>) -> Formula {
        Formula::Zero(self - other.into())
    }

    /// `self >= other`.
    pub fn at_least(self, other: impl Into<Term>) -> Formula {
        Formula::NotNegative(self - other.into())
    }

    /// `self <= other`.
    pub fn at_most(self, other: impl Into<Term>) -> Formula {
        other.into().at_least(self)
    }

    /// `self > other`.
    pub fn above(self, other: impl Into<Term>) -> Formula {
        self.at_least(other.into() + 1)
    }

    /// `self < other`.
    pub fn below(self, other: impl Into<Term>) -> Formula {
        other.into().above(self)
    }

    /// The term as a row of so many columns.
    pub(crate) fn row(&self, columns: usize) -> Result<Row, Error> {
        if self.too_large {
            return Err(Error::NumberTooLarge);
        }
        let mut row = Row::zero(columns);
        for &(column, a) in &self.coefficients {
            *row.coefficients.get_mut(column).ok_or(Error::NoSuchColumn)? = narrow(a)?;
        }
        row.constant = narrow(self.constant)?;
        Ok(row)
    }

    /// The columns with their coefficients.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, i128)> + '_ {
        self.coefficients.iter().copied()
    }

    /// The value where all columns are 0.
    pub(crate) fn value_without_columns(&self) -> i128 {
        self.constant
    }

    fn combine(self, other: &Term, factor: i128) -> Term {
        let mut sum = Term { coefficients: Vec::new(), constant: 0, too_large: self.too_large || other.too_large };
        let mut add = |x: i128, y: i128| {
            let result = factor.checked_mul(y).and_then(|y| x.checked_add(y));
            sum.too_large |= result.is_none();
            result.unwrap_or(0)
        };
        let (mut left, mut right) = (self.coefficients.into_iter().peekable(), other.coefficients.iter().peekable());
        let mut coefficients = Vec::new();
        while let Some(column) = [left.peek().map(|x| x.0), right.peek().map(|x| x.0)].into_iter().flatten().min() {
            let a = left.next_if(|x| x.0 == column).map_or(0, |x| x.1);
            let b = right.next_if(|x| x.0 == column).map_or(0, |x| x.1);
            coefficients.push((column, add(a, b)));
        }
        coefficients.retain(|(_, a)| *a != 0);
        let constant = add(self.constant, other.constant);
        Term { coefficients, constant, ..sum }
    }
}

impl From<i64> for Term {
    fn from(value: i64) -> Self {
        Term::constant(value)
    }
}

impl<T: Into<Term>> Add<T> for Term {
    type Output = Term;

    fn add(self, other: T) -> Term {
        self.combine(&other.into(), 1)
    }
}

impl<T: Into<Term>> Sub<T> for Term {
    type Output = Term;

    fn sub(self, other: T) -> Term {
        self.combine(&other.into(), -1)
    }
}

impl Neg for Term {
    type Output = Term;

    fn neg(self) -> Term {
        Term::default() - self
    }
}

impl Mul<i64> for Term {
    type Output = Term;

    fn mul(self, factor: i64) -> Term {
        Term::default().combine(&self, factor.into())
    }
}
