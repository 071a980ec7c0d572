//! Linear programs over the rationals: a tableau of exact integers.
//!
//! Each basic variable is a row `denominator * basic = constant + Σ coefficient * nonbasic`; nonbasic variables are 0. The
//! columns of the program are free, the slack of an inequality is not negative. Feasibility is restored one violated row at
//! a time, as in Dutertre and de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV 2006; slacks are minimised by the
//! primal simplex method. Bland's rule (the smallest variable wins) ends both.
//!
//! Numbers are kept in 64 bits after division by what a row shares. Where they do not fit, the tableau is lost; the callers
//! have another method or do without.

use std::cmp::Ordering;

use lurcher_resources::charge;

use crate::Error;
use crate::arithmetic::{gcd, narrow, wide_gcd};
use crate::row::Row;

/// A variable: a column of the program, or after them the slack of an inequality.
type Variable = usize;

#[derive(Debug)]
struct TableauRow {
    /// Positive.
    denominator: i64,
    constant: i64,
    /// By position of the nonbasic variables.
    coefficients: Vec<i64>,
    basic: Variable,
}

/// A linear program.
#[derive(Debug)]
pub(crate) struct Tableau {
    /// The columns that inequalities mention.
    columns: Vec<usize>,
    rows: Vec<TableauRow>,
    nonbasic: Vec<Variable>,
    /// Whether a variable must not be negative.
    restricted: Vec<bool>,
}

impl Tableau {
    /// The program of these inequalities. [`Tableau::make_feasible`] comes first.
    pub fn new<'a>(inequalities: impl IntoIterator<Item = &'a Row> + Clone, columns: usize) -> Tableau {
        let mut used = vec![false; columns];
        for row in inequalities.clone() {
            row.entries().for_each(|(column, _)| used[column] = true);
        }
        let columns: Vec<usize> = (0..columns).filter(|&column| used[column]).collect();
        let rows: Vec<TableauRow> = (inequalities.into_iter().enumerate())
            .map(|(index, row)| TableauRow {
                denominator: 1,
                constant: row.constant,
                coefficients: columns.iter().map(|&column| row.at(column)).collect(),
                basic: columns.len() + index,
            })
            .collect();
        let nonbasic = (0..columns.len()).collect();
        let mut restricted = vec![true; columns.len() + rows.len()];
        restricted[..columns.len()].fill(false);
        Tableau { columns, rows, nonbasic, restricted }
    }

    /// Allows the slack of an inequality to be negative, or forbids it.
    pub fn restrict(&mut self, inequality: usize, restricted: bool) {
        let slack = self.columns.len() + inequality;
        self.restricted[slack] = restricted;
    }

    /// Finds rational values that satisfy all inequalities. Whether there are any.
    pub fn make_feasible(&mut self) -> Result<bool, Error> {
        loop {
            let violated = |row: &TableauRow| row.constant < 0 && self.restricted[row.basic];
            let rows = self.rows.iter().enumerate().filter(|(_, row)| violated(row));
            let Some((row, _)) = rows.min_by_key(|(_, row)| row.basic) else {
                return Ok(true);
            };
            let helps = |&(position, a): &(usize, i64)| a > 0 || a < 0 && !self.restricted[self.nonbasic[position]];
            let entries = self.rows[row].coefficients.iter().copied().enumerate();
            let Some((entering, _)) = entries.filter(helps).min_by_key(|&(position, _)| self.nonbasic[position]) else {
                return Ok(false);
            };
            self.pivot(row, entering)?;
        }
    }

    /// Whether the slack of an unrestricted inequality can be -1 or less. The program is feasible.
    pub fn reaches_minus_one(&mut self, inequality: usize) -> Result<bool, Error> {
        self.minimise(inequality, |value, denominator| value <= -denominator)
    }

    /// Whether the slack of an unrestricted inequality can be any number, however small. The program is feasible.
    pub fn is_unbounded(&mut self, inequality: usize) -> Result<bool, Error> {
        self.minimise(inequality, |_, _| false)
    }

    /// Decreases a slack until it is low enough (true), is unbounded (true) or is least (false).
    fn minimise(&mut self, inequality: usize, is_enough: impl Fn(i128, i128) -> bool) -> Result<bool, Error> {
        let slack = self.columns.len() + inequality;
        if let Some(position) = self.nonbasic.iter().position(|&variable| variable == slack) {
            // The slack is 0 and decreases until a row becomes 0.
            let Some(row) = self.blocking_row(position, -1) else { return Ok(true) };
            let TableauRow { constant, coefficients, .. } = &self.rows[row];
            if is_enough(-i128::from(*constant), i128::from(coefficients[position])) {
                return Ok(true);
            }
            self.pivot(row, position)?;
        }
        loop {
            let Some(row) = self.rows.iter().find(|row| row.basic == slack) else {
                unreachable!("a variable is basic or nonbasic");
            };
            if is_enough(row.constant.into(), row.denominator.into()) {
                return Ok(true);
            }
            let improves = |&(position, a): &(usize, i64)| a < 0 || a > 0 && !self.restricted[self.nonbasic[position]];
            let entries = row.coefficients.iter().copied().enumerate();
            let Some((entering, a)) = entries.filter(improves).min_by_key(|&(position, _)| self.nonbasic[position])
            else {
                return Ok(false);
            };
            match self.blocking_row(entering, -a.signum()) {
                None => return Ok(true),
                Some(blocking) => self.pivot(blocking, entering)?,
            }
        }
    }

    /// The restricted row that becomes 0 first when a nonbasic variable moves in a direction.
    fn blocking_row(&self, position: usize, direction: i64) -> Option<usize> {
        let mut best: Option<(usize, i128, i128)> = None;
        for (index, row) in self.rows.iter().enumerate() {
            let a = row.coefficients[position] * direction;
            if a >= 0 || !self.restricted[row.basic] {
                continue;
            }
            let (distance, speed) = (i128::from(row.constant), -i128::from(a));
            let nearer = best.is_none_or(|(other, d, s)| match (distance * s).cmp(&(d * speed)) {
                Ordering::Less => true,
                Ordering::Equal => row.basic < self.rows[other].basic,
                Ordering::Greater => false,
            });
            if nearer {
                best = Some((index, distance, speed));
            }
        }
        best.map(|(index, ..)| index)
    }

    /// Exchanges the basic variable of a row and a nonbasic one.
    fn pivot(&mut self, index: usize, position: usize) -> Result<(), Error> {
        charge(1 + self.rows.len() * self.nonbasic.len() / 16);
        // d b = k + … + a n  becomes  a n = d b - k - …
        let row = &mut self.rows[index];
        let a = row.coefficients[position];
        let sign = a.signum();
        row.coefficients.iter_mut().for_each(|x| *x *= -sign);
        row.constant *= -sign;
        row.coefficients[position] = sign * row.denominator;
        row.denominator = a.abs();
        std::mem::swap(&mut row.basic, &mut self.nonbasic[position]);
        reduce(row);
        let (before, rest) = self.rows.split_at_mut(index);
        let Some((pivot, after)) = rest.split_first_mut() else { return Ok(()) };
        for row in before.iter_mut().chain(after).filter(|row| row.coefficients[position] != 0) {
            row.replace(position, pivot)?;
        }
        Ok(())
    }

    /// The values of the columns.
    pub fn vertex(&self, columns: usize) -> Vec<Coordinate> {
        let mut values = vec![Coordinate { floor: 0, is_integer: true }; columns];
        for row in self.rows.iter().filter(|row| row.basic < self.columns.len()) {
            values[self.columns[row.basic]] = Coordinate {
                floor: row.constant.div_euclid(row.denominator),
                is_integer: row.constant % row.denominator == 0,
            };
        }
        values
    }
}

/// A rational value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinate {
    /// The value, rounded down.
    pub floor: i64,
    pub is_integer: bool,
}

impl TableauRow {
    /// Puts the pivot row in for the variable that it defines.
    fn replace(&mut self, position: usize, pivot: &TableauRow) -> Result<(), Error> {
        let e = std::mem::take(&mut self.coefficients[position]);
        if pivot.denominator == 1 && self.replace_small(e, pivot) {
            return Ok(());
        }
        let (d, e) = (i128::from(pivot.denominator), i128::from(e));
        let sum = |x: i64, y: i64| d * i128::from(x) + e * i128::from(y);
        let denominator = d * i128::from(self.denominator);
        let constant = sum(self.constant, pivot.constant);
        let coefficients: Vec<i128> =
            self.coefficients.iter().zip(&pivot.coefficients).map(|(&x, &y)| sum(x, y)).collect();
        let mut shared = wide_gcd(denominator, constant);
        for &x in &coefficients {
            if shared == 1 {
                break;
            }
            shared = wide_gcd(shared, x);
        }
        self.denominator = narrow(denominator / shared)?;
        self.constant = narrow(constant / shared)?;
        for (x, wide) in self.coefficients.iter_mut().zip(coefficients) {
            *x = narrow(wide / shared)?;
        }
        Ok(())
    }

    /// The same where the pivot row has no denominator and everything is small. Whether it was.
    fn replace_small(&mut self, e: i64, pivot: &TableauRow) -> bool {
        const SMALL: i64 = 1 << 30;
        let small = |x: i64| -SMALL < x && x < SMALL;
        let fits = small(e)
            && small(self.constant)
            && small(pivot.constant)
            && self.coefficients.iter().chain(&pivot.coefficients).all(|&x| small(x));
        if fits {
            self.constant += e * pivot.constant;
            for (x, &y) in self.coefficients.iter_mut().zip(&pivot.coefficients) {
                *x += e * y;
            }
            reduce(self);
        }
        fits
    }
}

/// Divides a row by what all its numbers share.
fn reduce(row: &mut TableauRow) {
    let mut shared = gcd(row.denominator, row.constant);
    for &x in &row.coefficients {
        if shared == 1 {
            return;
        }
        shared = gcd(shared, x);
    }
    row.denominator /= shared;
    row.constant /= shared;
    row.coefficients.iter_mut().for_each(|x| *x /= shared);
}
