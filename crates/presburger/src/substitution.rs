//! Columns replaced by what equalities and congruences say of them.

use crate::Error;
use crate::arithmetic::{floor_div, gcd, inverse, multiply, narrow};
use crate::row::{Comparison, Congruence, Row};

/// `divisor * column = numerator`, to be put into rows. The numerator may speak of the column itself; it then stands for a
/// new column in the same place.
#[derive(Clone, Debug)]
pub(crate) struct Substitution {
    pub column: usize,
    /// Positive.
    pub divisor: i64,
    pub numerator: Row,
}

impl Substitution {
    /// What an equality says of one of its columns.
    pub fn solve(equality: &Row, column: usize) -> Substitution {
        let a = equality.at(column);
        let mut numerator = if a > 0 { equality.negated() } else { equality.clone() };
        numerator.coefficients[column] = 0;
        Substitution { column, divisor: a.abs(), numerator }
    }

    /// All values of a column that satisfy a congruence: `divisor * column = modulus * new - inverse * rest`, where the
    /// divisor divides the rest.
    pub fn parametrise(congruence: &Congruence, column: usize) -> (Substitution, Congruence) {
        let modulus = congruence.modulus;
        let divisor = gcd(congruence.row.at(column), modulus);
        let factor = inverse(congruence.row.at(column) / divisor, modulus / divisor);
        let mut rest = congruence.row.clone();
        rest.coefficients[column] = 0;
        // A multiple of the modulus that is taken from the numerator shifts the new column.
        let mut numerator = rest.multiplied_modulo(-factor, modulus);
        for a in numerator.coefficients.iter_mut().chain([&mut numerator.constant]) {
            *a = symmetric(*a, modulus);
        }
        numerator.coefficients[column] = modulus;
        (Substitution { column, divisor, numerator }, Congruence::new(divisor, rest))
    }

    /// By what a row without the column and the numerator have to be multiplied before they are added.
    fn factors(&self, row: &Row) -> (i64, i64) {
        let shared = gcd(self.divisor, row.at(self.column));
        (self.divisor / shared, row.at(self.column) / shared)
    }

    /// Replaces the column in an equality or inequality.
    pub fn apply(&self, row: &mut Row, comparison: Comparison) -> Result<(), Error> {
        if row.at(self.column) == 0 {
            return Ok(());
        }
        let (a, b) = self.factors(row);
        row.coefficients[self.column] = 0;
        *row = row.combined(a, &self.numerator, b, comparison)?;
        Ok(())
    }

    /// Replaces the column in a congruence.
    pub fn apply_to_congruence(&self, congruence: &mut Congruence) -> Result<(), Error> {
        if congruence.row.at(self.column) == 0 {
            return Ok(());
        }
        let (a, b) = self.factors(&congruence.row);
        congruence.row.coefficients[self.column] = 0;
        congruence.modulus = multiply(congruence.modulus, a)?;
        congruence.row = congruence.row.combined_modulo(a, &self.numerator, b, congruence.modulus);
        Ok(())
    }

    /// The value of the replaced column where the others have these values.
    pub fn value(&self, point: &[i64]) -> Result<i64, Error> {
        narrow(floor_div(self.numerator.value(point)?, i128::from(self.divisor)))
    }
}

/// The number of least absolute value that is the same modulo the modulus.
fn symmetric(a: i64, modulus: i64) -> i64 {
    let rest = a.rem_euclid(modulus);
    if rest > modulus / 2 { rest - modulus } else { rest }
}
