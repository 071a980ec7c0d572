//! Elimination of columns that are bound by *exists*, exact over the integers.
//!
//! Equalities leave congruences ([`Constraints::tidy`]). A column in congruences is replaced by what satisfies them. A column
//! that is bounded on one side only takes its inequalities with it. Otherwise pairs of lower and upper bounds are combined
//! (Fourier and Motzkin), which is exact where one of each pair has a unit coefficient. What is left is kept as a bound
//! column, or split by the Omega test into a dark shadow and splinters: W. Pugh, *The Omega test: a fast and practical
//! integer programming algorithm for dependence analysis*, Supercomputing 1991.

use lurcher_resources::{charge, checkpoint};

use crate::Error;
use crate::arithmetic::{floor_div, gcd, narrow};
use crate::constraints::Constraints;
use crate::error::{Stop, consistent};
use crate::redundancy::remove_redundant;
use crate::row::{Comparison, Row};

/// More inequalities than these after an elimination are worth a linear program for each.
const MANY_INEQUALITIES: usize = 32;

/// How a column occurs in inequalities and congruences.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Occurrences {
    pub lower: usize,
    pub upper: usize,
    /// Bounds with a coefficient other than 1.
    pub scaled_lower: usize,
    pub scaled_upper: usize,
    pub congruences: usize,
}

impl Occurrences {
    /// How each column of the constraints from `dims` on occurs.
    pub fn count(constraints: &Constraints, dims: usize) -> Vec<Occurrences> {
        let mut all = vec![Occurrences::default(); constraints.columns - dims];
        charge(constraints.len());
        for row in &constraints.inequalities {
            for (found, &a) in all.iter_mut().zip(&row.coefficients[dims..]) {
                found.lower += usize::from(a > 0);
                found.upper += usize::from(a < 0);
                found.scaled_lower += usize::from(a > 1);
                found.scaled_upper += usize::from(a < -1);
            }
        }
        for congruence in &constraints.congruences {
            for (found, &a) in all.iter_mut().zip(&congruence.row.coefficients[dims..]) {
                found.congruences += usize::from(a != 0);
            }
        }
        all
    }

    /// Whether combining all pairs of bounds is exact over the integers.
    pub fn is_exact(&self) -> bool {
        self.scaled_lower == 0 || self.scaled_upper == 0
    }

    pub fn is_one_sided(&self) -> bool {
        self.lower == 0 || self.upper == 0
    }

    /// By how many inequalities the constraints grow when all pairs are combined.
    pub fn growth(&self) -> isize {
        (self.lower * self.upper).cast_signed() - (self.lower + self.upper).cast_signed()
    }

    fn occurs(&self) -> bool {
        self.lower + self.upper + self.congruences > 0
    }
}

/// Brings constraints into solved form and eliminates the columns from `dims` on as far as one conjunction can say the
/// result. The columns that are left occur in inequalities only.
pub(crate) fn simplify(constraints: &mut Constraints, dims: usize) -> Result<(), Stop> {
    constraints.tidy(dims)?;
    while eliminate_one(constraints, dims)? {
        checkpoint();
    }
    constraints.drop_unused_columns(dims);
    Ok(())
}

/// Eliminates one column, or one of its congruences. Whether there was any.
fn eliminate_one(constraints: &mut Constraints, dims: usize) -> Result<bool, Stop> {
    if constraints.columns == dims {
        return Ok(false);
    }
    let all = Occurrences::count(constraints, dims);
    let occurring = all.iter().enumerate().filter(|(_, found)| found.occurs()).map(|(i, found)| (dims + i, found));
    let cost = |found: &Occurrences| match found {
        _ if found.is_one_sided() => isize::MIN,
        _ if found.congruences > 0 => isize::MIN + 1,
        _ => found.growth(),
    };
    let possible = occurring.filter(|(_, found)| found.congruences > 0 || found.is_one_sided() || found.is_exact());
    let Some((column, found)) = possible.min_by_key(|(_, found)| cost(found)) else { return Ok(false) };
    if found.is_one_sided() {
        constraints.inequalities.retain(|row| row.at(column) == 0);
    }
    if found.congruences > 0 {
        satisfy_congruences(constraints, column)?;
        constraints.tidy(dims)?;
    } else if !found.is_one_sided() {
        let before = constraints.inequalities.len();
        combine_bounds(constraints, column)?;
        constraints.tidy_changed_inequalities(dims)?;
        if constraints.inequalities.len() > before.max(MANY_INEQUALITIES) {
            remove_redundant(constraints);
        }
    }
    Ok(true)
}

/// Replaces a column until no congruence mentions it.
fn satisfy_congruences(constraints: &mut Constraints, column: usize) -> Result<(), Stop> {
    while let Some(index) = constraints.congruences.iter().position(|congruence| congruence.row.at(column) != 0) {
        checkpoint();
        constraints.parametrise(index, column)?;
    }
    Ok(())
}

/// The inequalities that bound a column, lower bounds first, removed from the constraints.
pub(crate) fn take_bounds(constraints: &mut Constraints, column: usize) -> (Vec<Row>, Vec<Row>) {
    let (bounds, rest): (Vec<Row>, Vec<Row>) =
        std::mem::take(&mut constraints.inequalities).into_iter().partition(|row| row.at(column) != 0);
    constraints.inequalities = rest;
    bounds.into_iter().partition(|row| row.at(column) > 0)
}

/// Replaces the bounds of a column by the combinations of all pairs: the rational shadow.
pub(crate) fn combine_bounds(constraints: &mut Constraints, column: usize) -> Result<(), Error> {
    let (lower, upper) = take_bounds(constraints, column);
    for low in &lower {
        charge(upper.len() * (1 + constraints.columns / 16));
        for high in &upper {
            constraints.inequalities.push(combine(low, high, column)?);
        }
    }
    Ok(())
}

/// What a lower and an upper bound of a column say without it.
fn combine(low: &Row, high: &Row, column: usize) -> Result<Row, Error> {
    let (b, a) = (low.at(column), -high.at(column));
    let shared = gcd(a, b);
    low.combined(a / shared, high, b / shared, Comparison::Inequality)
}

/// Eliminates all columns from `dims` on. The result is a union.
pub(crate) fn eliminate_exactly(constraints: Constraints, dims: usize) -> Result<Vec<Constraints>, Error> {
    let mut open = vec![constraints];
    let mut done = Vec::new();
    while let Some(mut constraints) = open.pop() {
        checkpoint();
        if consistent(simplify(&mut constraints, dims))?.is_none() {
            continue;
        }
        match cheapest_split(&constraints, dims) {
            None => done.push(constraints),
            Some(column) => open.extend(split(constraints, column)?),
        }
    }
    Ok(done)
}

/// The column from `dims` on with the fewest splinters.
pub(crate) fn cheapest_split(constraints: &Constraints, dims: usize) -> Option<usize> {
    charge((constraints.columns - dims) * constraints.len() / 16);
    let mentioned = |column: &usize| constraints.inequalities.iter().any(|row| row.at(*column) != 0);
    (dims..constraints.columns).filter(mentioned).min_by_key(|&column| splinters(constraints, column).count)
}

/// From which bounds of a column the splinters are made.
struct Splinters {
    /// Whether from the lower bounds.
    lower: bool,
    /// The greatest coefficient of the opposite bounds.
    opposite: i64,
    count: i128,
}

/// The last value by which a bound with a coefficient misses the dark shadow.
fn last_splinter(coefficient: i64, opposite: i64) -> i128 {
    let (b, a) = (i128::from(coefficient), i128::from(opposite));
    floor_div(a * b - a - b, a)
}

fn splinters(constraints: &Constraints, column: usize) -> Splinters {
    let coefficients = || constraints.inequalities.iter().map(|row| row.at(column));
    let greatest_lower = coefficients().max().unwrap_or(1).max(1);
    let greatest_upper = coefficients().min().unwrap_or(-1).min(-1).abs();
    let count = |lower: bool, opposite| {
        let bounds = coefficients().map(|a| if lower { a } else { -a }).filter(|a| *a > 0);
        bounds.map(|a| last_splinter(a, opposite) + 1).fold(0i128, i128::saturating_add)
    };
    let (of_lower, of_upper) = (count(true, greatest_upper), count(false, greatest_lower));
    if of_lower <= of_upper {
        Splinters { lower: true, opposite: greatest_upper, count: of_lower }
    } else {
        Splinters { lower: false, opposite: greatest_lower, count: of_upper }
    }
}

/// Splits constraints on a column that occurs in inequalities only: first the dark shadow, where the column is gone, then
/// the splinters, where an equality mentions it. They have a solution for the column exactly where one of these has.
pub(crate) fn split(constraints: Constraints, column: usize) -> Result<Vec<Constraints>, Error> {
    let splinters = splinters(&constraints, column);
    let mut dark = constraints.clone();
    let (lower, upper) = take_bounds(&mut dark, column);
    for low in &lower {
        charge(upper.len() * (1 + constraints.columns / 16));
        for high in &upper {
            let (b, a) = (low.at(column), -high.at(column));
            let gap = narrow(-(i128::from(a) - 1) * (i128::from(b) - 1))?;
            // Not divided by what a and b share: the gap belongs to the whole sum.
            dark.inequalities.push(exact_sum(low, a, high, b)?.plus_constant(gap)?);
        }
    }
    let mut pieces = vec![dark];
    for bound in if splinters.lower { &lower } else { &upper } {
        let mut missed = 0;
        while missed <= last_splinter(bound.at(column).abs(), splinters.opposite) {
            checkpoint();
            let mut splinter = constraints.clone();
            splinter.equalities.push(bound.clone().plus_constant(narrow(-missed)?)?);
            pieces.push(splinter);
            missed += 1;
        }
    }
    Ok(pieces)
}

/// `a * low + b * high`, never divided.
fn exact_sum(low: &Row, a: i64, high: &Row, b: i64) -> Result<Row, Error> {
    let sum = |x: i64, y: i64| narrow(i128::from(a) * i128::from(x) + i128::from(b) * i128::from(y));
    let pairs = low.coefficients.iter().zip(&high.coefficients);
    let coefficients = pairs.map(|(&x, &y)| sum(x, y)).collect::<Result<_, _>>()?;
    Ok(Row { coefficients, constant: sum(low.constant, high.constant)? })
}
