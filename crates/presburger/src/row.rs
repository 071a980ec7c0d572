//! Linear terms over the columns: coefficients and a constant.

use std::cmp::Ordering;

use crate::Error;
use crate::arithmetic::{add, floor_div, gcd, inverse, narrow, wide_gcd};

/// A linear term. What it stands for (it is zero, it is not negative, a number divides it) is said by where it is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub coefficients: Vec<i64>,
    pub constant: i64,
}

/// What a row without coefficients, or one that was made simpler, says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    True,
    False,
    /// It depends on the columns.
    Open,
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Truth::True } else { Truth::False }
    }
}

/// How a term is compared with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equality,
    Inequality,
}

impl Row {
    pub fn zero(columns: usize) -> Row {
        Row { coefficients: vec![0; columns], constant: 0 }
    }

    /// The term that is one column and a constant.
    pub fn column(columns: usize, column: usize, coefficient: i64, constant: i64) -> Row {
        let mut row = Row { coefficients: vec![0; columns], constant };
        row.coefficients[column] = coefficient;
        row
    }

    #[inline]
    pub fn at(&self, column: usize) -> i64 {
        self.coefficients[column]
    }

    /// The columns with a coefficient that is not 0, with it.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (usize, i64)> + '_ {
        self.coefficients.iter().copied().enumerate().filter(|(_, a)| *a != 0)
    }

    /// The column of a row that speaks of one only.
    pub fn single_column(&self) -> Option<(usize, i64)> {
        let mut entries = self.entries();
        entries.next().filter(|_| entries.next().is_none())
    }

    /// Where the columns of this row lie in a row of `columns` columns.
    pub fn mapped(&self, to: &[usize], columns: usize) -> Row {
        let mut coefficients = vec![0; columns];
        for (column, a) in self.entries() {
            coefficients[to[column]] = a;
        }
        Row { coefficients, constant: self.constant }
    }

    pub fn negated(&self) -> Row {
        Row { coefficients: self.coefficients.iter().map(|a| -a).collect(), constant: -self.constant }
    }

    pub fn plus_constant(mut self, constant: i64) -> Result<Row, Error> {
        self.constant = add(self.constant, constant)?;
        Ok(self)
    }

    /// Not this inequality: the term is at most -1.
    pub fn violated(&self) -> Result<Row, Error> {
        self.negated().plus_constant(-1)
    }

    /// The value at a point.
    pub fn value(&self, point: &[i64]) -> Result<i128, Error> {
        let mut sum = i128::from(self.constant);
        for (&a, &x) in self.coefficients.iter().zip(point) {
            if a != 0 {
                sum = sum.checked_add(i128::from(a) * i128::from(x)).ok_or(Error::NumberTooLarge)?;
            }
        }
        // The callers negate it and add to it.
        if sum.unsigned_abs() < 1 << 125 { Ok(sum) } else { Err(Error::NumberTooLarge) }
    }

    /// `a * self + b * other` as a term that is compared with 0. Only where it is too large for 64 bits, it is divided by what
    /// its numbers share.
    pub fn combined(&self, a: i64, other: &Row, b: i64, comparison: Comparison) -> Result<Row, Error> {
        let small = |x: i64, y: i64| a.checked_mul(x)?.checked_add(b.checked_mul(y)?).filter(|&sum| sum != i64::MIN);
        let mut coefficients = Vec::with_capacity(self.coefficients.len());
        for (&x, &y) in self.coefficients.iter().zip(&other.coefficients) {
            match small(x, y) {
                Some(sum) => coefficients.push(sum),
                None => return self.combined_wide(a, other, b, comparison),
            }
        }
        match small(self.constant, other.constant) {
            Some(constant) => Ok(Row { coefficients, constant }),
            None => self.combined_wide(a, other, b, comparison),
        }
    }

    #[cold]
    fn combined_wide(&self, a: i64, other: &Row, b: i64, comparison: Comparison) -> Result<Row, Error> {
        let sum = |x: i64, y: i64| i128::from(a) * i128::from(x) + i128::from(b) * i128::from(y);
        let constant = sum(self.constant, other.constant);
        let wide: Vec<i128> = self.coefficients.iter().zip(&other.coefficients).map(|(&x, &y)| sum(x, y)).collect();
        let shared = wide.iter().fold(0, |shared, &x| wide_gcd(shared, x));
        let divisor = match comparison {
            // The constant may be rounded down.
            Comparison::Inequality if shared != 0 => shared,
            _ => wide_gcd(shared, constant).max(1),
        };
        let coefficients = wide.iter().map(|x| narrow(x / divisor)).collect::<Result<_, _>>()?;
        Ok(Row { coefficients, constant: narrow(floor_div(constant, divisor))? })
    }

    /// `a * self + b * other` modulo a number.
    pub fn combined_modulo(&self, a: i64, other: &Row, b: i64, modulus: i64) -> Row {
        let sum = |x: i64, y: i64| {
            let sum = i128::from(a) * i128::from(x) + i128::from(b) * i128::from(y);
            i64::try_from(sum.rem_euclid(i128::from(modulus))).unwrap_or(0)
        };
        Row {
            coefficients: self.coefficients.iter().zip(&other.coefficients).map(|(&x, &y)| sum(x, y)).collect(),
            constant: sum(self.constant, other.constant),
        }
    }

    pub fn multiplied_modulo(&self, factor: i64, modulus: i64) -> Row {
        self.combined_modulo(factor, self, 0, modulus)
    }

    /// The greatest common divisor of the coefficients.
    fn content(&self) -> i64 {
        let mut divisor = 0;
        for &a in &self.coefficients {
            if a != 0 {
                divisor = gcd(divisor, a);
                if divisor == 1 {
                    break;
                }
            }
        }
        divisor
    }

    fn divide(&mut self, divisor: i64) {
        if divisor > 1 {
            self.coefficients.iter_mut().for_each(|a| *a /= divisor);
        }
    }

    /// Makes this inequality as tight as integers allow.
    pub fn tighten(&mut self) -> Truth {
        let divisor = self.content();
        if divisor == 0 {
            return (self.constant >= 0).into();
        }
        self.divide(divisor);
        self.constant = self.constant.div_euclid(divisor);
        Truth::Open
    }

    /// Divides this equality by what its coefficients share, and makes its first coefficient positive.
    pub fn reduce_equality(&mut self) -> Truth {
        let divisor = self.content();
        if divisor == 0 {
            return (self.constant == 0).into();
        }
        if self.constant % divisor != 0 {
            return Truth::False;
        }
        self.divide(divisor);
        self.constant /= divisor;
        if self.sign() < 0 {
            *self = self.negated();
        }
        Truth::Open
    }

    /// The sign of the first coefficient.
    pub fn sign(&self) -> i64 {
        self.coefficients.iter().find(|a| **a != 0).map_or(0, |a| a.signum())
    }

    /// Orders inequalities so that parallel ones are neighbours: by direction regardless of its sign, those of the first columns
    /// first; then by sign, the negative one first; then the tightest first.
    pub fn by_direction(&self, other: &Row) -> Ordering {
        let (s, t) = (self.sign(), other.sign());
        let directions = self.coefficients.iter().map(|a| s * a).cmp(other.coefficients.iter().map(|b| t * b));
        directions.reverse().then(s.cmp(&t)).then(self.constant.cmp(&other.constant))
    }

    /// Whether the coefficients are the same up to sign.
    pub fn is_parallel(&self, other: &Row) -> bool {
        let sign = self.sign() * other.sign();
        self.coefficients.iter().zip(&other.coefficients).all(|(&a, &b)| a == sign * b)
    }
}

/// A term and a number that divides it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Congruence {
    pub row: Row,
    /// Positive.
    pub modulus: i64,
}

impl Congruence {
    pub fn new(modulus: i64, row: Row) -> Congruence {
        Congruence { row, modulus }
    }

    pub fn holds(&self, point: &[i64]) -> Result<bool, Error> {
        Ok(self.row.value(point)? % i128::from(self.modulus) == 0)
    }

    /// Takes coefficients modulo the modulus and divides by what all numbers share.
    pub fn reduce(&mut self) -> Truth {
        let m = self.modulus;
        self.row.coefficients.iter_mut().for_each(|a| *a = a.rem_euclid(m));
        self.row.constant = self.row.constant.rem_euclid(m);
        let shared = gcd(self.row.content(), m);
        if self.row.constant % shared != 0 {
            return Truth::False;
        }
        self.row.divide(shared);
        self.row.constant /= shared;
        self.modulus /= shared;
        if self.modulus == 1 {
            return Truth::True;
        }
        // Where the first coefficient has an inverse, it becomes 1.
        let first = self.row.coefficients.iter().copied().find(|a| *a != 0).unwrap_or(1);
        if first != 1 && gcd(first, self.modulus) == 1 {
            let factor = inverse(first, self.modulus);
            self.row = self.row.multiplied_modulo(factor, self.modulus);
        }
        Truth::Open
    }
}
