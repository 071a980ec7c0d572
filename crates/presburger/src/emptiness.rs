//! Whether constraints have an integer solution, and which.
//!
//! Columns are eliminated exactly while that does not make the constraints larger; simplex then finds that there is not even
//! a rational solution, or one that is integer, or one to branch on. Branching alone is not complete, so after a number of
//! branches the Omega test splits the constraints on a column ([`eliminate::split`]). A trail of the eliminations leads from a
//! solution of what is left back to values of all columns.

use lurcher_resources::checkpoint;

use crate::Error;
use crate::arithmetic::{ceil_div, floor_div, gcd, narrow};
use crate::constraints::Constraints;
use crate::eliminate::{self, Occurrences};
use crate::error::{Stop, consistent};
use crate::row::{Congruence, Row};
use crate::simplex::{Coordinate, Tableau};
use crate::substitution::Substitution;

/// How far the search may nest.
#[derive(Clone, Copy)]
struct Effort {
    /// Branches on rational solutions before the Omega test: those that are left, and those that there were.
    branches: u32,
    granted: u32,
    /// Splits of the Omega test in one another.
    splits: u32,
}

impl Effort {
    const START: Effort = Effort { branches: 64, granted: 64, splits: 200 };

    /// The effort for each piece of a split: fewer branches, so that the stack does not grow with their product.
    fn of_piece(self) -> Result<Effort, Error> {
        let granted = self.granted / 2;
        let splits = self.splits.checked_sub(1).ok_or(Error::TooDeep)?;
        Ok(Effort { branches: granted, granted, splits })
    }
}

/// Values of all columns that satisfy the constraints.
pub(crate) fn find_point(constraints: Constraints) -> Result<Option<Vec<i64>>, Error> {
    search(constraints, &mut Effort::START.clone())
}

/// How a column was eliminated.
enum Step {
    Substituted(Substitution),
    /// Any value within these bounds does.
    Bounded {
        column: usize,
        bounds: Vec<Row>,
    },
}

fn search(mut constraints: Constraints, effort: &mut Effort) -> Result<Option<Vec<i64>>, Error> {
    checkpoint();
    let mut trail = Vec::new();
    if consistent(eliminate_exactly(&mut constraints, &mut trail))?.is_none() {
        return Ok(None);
    }
    let solution = if constraints.inequalities.is_empty() {
        Some(vec![0; constraints.columns])
    } else {
        search_rest(constraints, effort)?
    };
    solution.map(|point| undo(&trail, point)).transpose()
}

/// Eliminates columns as long as the constraints do not grow. Inequalities are left.
fn eliminate_exactly(constraints: &mut Constraints, trail: &mut Vec<Step>) -> Result<(), Stop> {
    loop {
        constraints.tidy(constraints.columns)?;
        eliminate_equalities(constraints, trail)?;
        if let Some(column) = column_of_first_congruence(constraints) {
            trail.push(Step::Substituted(constraints.parametrise(0, column)?));
            continue;
        }
        loop {
            checkpoint();
            let found = constraints.tidy_inequalities()?;
            if !found.is_empty() {
                constraints.equalities = found;
                break;
            }
            if !eliminate_bounded(constraints, trail)? {
                return Ok(());
            }
        }
    }
}

/// Replaces the column of each equality that nothing else but congruences mentions.
fn eliminate_equalities(constraints: &mut Constraints, trail: &mut Vec<Step>) -> Result<(), Stop> {
    for solution in constraints.solutions() {
        for congruence in &mut constraints.congruences {
            solution.apply_to_congruence(congruence)?;
        }
        if solution.divisor > 1 {
            constraints.congruences.push(Congruence::new(solution.divisor, solution.numerator.clone()));
        }
        trail.push(Step::Substituted(solution));
    }
    constraints.equalities.clear();
    constraints.tidy_congruences()
}

/// Eliminates the columns whose bounds combine exactly to no more inequalities than there were. Whether there were any.
fn eliminate_bounded(constraints: &mut Constraints, trail: &mut Vec<Step>) -> Result<bool, Error> {
    let all = Occurrences::count(constraints, 0);
    let eliminable = |found: &Occurrences| {
        found.lower + found.upper > 0 && (found.is_one_sided() || found.is_exact() && found.growth() <= 0)
    };
    let cheapest =
        all.iter().enumerate().filter(|(_, found)| eliminable(found)).min_by_key(|(_, found)| found.growth());
    let Some((column, _)) = cheapest else { return Ok(false) };
    let bounds = constraints.inequalities.iter().filter(|row| row.at(column) != 0).cloned().collect();
    trail.push(Step::Bounded { column, bounds });
    eliminate::combine_bounds(constraints, column)?;
    Ok(true)
}

/// The column of the first congruence whose coefficient shares least with the modulus, in the fewest inequalities.
fn column_of_first_congruence(constraints: &Constraints) -> Option<usize> {
    let congruence = constraints.congruences.first()?;
    let inequalities = |column: usize| constraints.inequalities.iter().filter(|row| row.at(column) != 0).count();
    let cost = |&(column, a): &(usize, i64)| (gcd(a, congruence.modulus), inequalities(column));
    congruence.row.entries().min_by_key(cost).map(|(column, _)| column)
}

/// What simplex says of inequalities.
enum Rational {
    Infeasible,
    Vertex(Vec<Coordinate>),
    NumberTooLarge,
}

fn rational_vertex(constraints: &Constraints) -> Rational {
    let mut tableau = Tableau::new(&constraints.inequalities, constraints.columns);
    match tableau.make_feasible() {
        Ok(true) => Rational::Vertex(tableau.vertex(constraints.columns)),
        Ok(false) => Rational::Infeasible,
        Err(_) => Rational::NumberTooLarge,
    }
}

/// Solves inequalities whose columns cannot be eliminated easily.
fn search_rest(constraints: Constraints, effort: &mut Effort) -> Result<Option<Vec<i64>>, Error> {
    let vertex = match rational_vertex(&constraints) {
        Rational::Infeasible => return Ok(None),
        Rational::NumberTooLarge => return omega_test(constraints, *effort),
        Rational::Vertex(vertex) => vertex,
    };
    if let Some(point) = rounded(&constraints, &vertex)? {
        return Ok(Some(point));
    }
    let fraction = vertex.iter().enumerate().find(|(_, value)| !value.is_integer);
    match fraction {
        Some((column, value)) if effort.branches > 0 => branch(constraints, column, value.floor, effort),
        _ => omega_test(constraints, *effort),
    }
}

/// A neighbour of a rational solution that satisfies the constraints: all fractions rounded down, or up.
fn rounded(constraints: &Constraints, vertex: &[Coordinate]) -> Result<Option<Vec<i64>>, Error> {
    for up in [0, 1] {
        let round = |value: &Coordinate| if value.is_integer { value.floor } else { value.floor + up };
        let point: Vec<i64> = vertex.iter().map(round).collect();
        if constraints.hold_at(&point)? {
            return Ok(Some(point));
        }
    }
    Ok(None)
}

/// Solves the constraints on both sides of a value that is not an integer.
fn branch(constraints: Constraints, column: usize, floor: i64, effort: &mut Effort) -> Result<Option<Vec<i64>>, Error> {
    effort.branches -= 1;
    let columns = constraints.columns;
    let mut low = constraints.clone();
    low.inequalities.push(Row::column(columns, column, -1, floor));
    if let Some(point) = search(low, effort)? {
        return Ok(Some(point));
    }
    let mut high = constraints;
    high.inequalities.push(Row::column(columns, column, 1, narrow(-i128::from(floor) - 1)?));
    search(high, effort)
}

/// Splits the constraints on a column and solves the pieces.
fn omega_test(constraints: Constraints, effort: Effort) -> Result<Option<Vec<i64>>, Error> {
    let Some(column) = eliminate::cheapest_split(&constraints, 0) else {
        return Ok(Some(vec![0; constraints.columns]));
    };
    let bounds: Vec<Row> = constraints.inequalities.iter().filter(|row| row.at(column) != 0).cloned().collect();
    for (index, piece) in eliminate::split(constraints, column)?.into_iter().enumerate() {
        if let Some(point) = search(piece, &mut effort.of_piece()?)? {
            // The first piece is the dark shadow, which has forgotten the column.
            let steps = [Step::Bounded { column, bounds }];
            return if index == 0 { undo(&steps, point).map(Some) } else { Ok(Some(point)) };
        }
    }
    Ok(None)
}

/// The values of all columns, from those of the columns that were left.
fn undo(trail: &[Step], mut point: Vec<i64>) -> Result<Vec<i64>, Error> {
    for step in trail.iter().rev() {
        match step {
            Step::Substituted(substitution) => point[substitution.column] = substitution.value(&point)?,
            Step::Bounded { column, bounds } => point[*column] = value_within(bounds, *column, &mut point)?,
        }
    }
    Ok(point)
}

/// The value next to 0 within the bounds of a column.
fn value_within(bounds: &[Row], column: usize, point: &mut [i64]) -> Result<i64, Error> {
    point[column] = 0;
    let mut value = 0i128;
    let mut least = i128::MIN;
    for row in bounds {
        let rest = row.value(point)?;
        let a = i128::from(row.at(column));
        if a > 0 {
            least = least.max(ceil_div(-rest, a));
        } else {
            value = value.min(floor_div(rest, -a));
        }
    }
    narrow(value.max(least))
}

#[cfg(test)]
mod tests {
    use rand_core::{RngCore, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    /// Strips with random slopes in a box of three columns.
    fn strips(seed: u64, radius: i64) -> Constraints {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut within = |least: i64, greatest: i64| least + (random.next_u64() % (greatest - least + 1) as u64) as i64;
        let mut constraints = Constraints::new(3);
        for column in 0..3 {
            constraints.inequalities.extend([1, -1].map(|sign| Row::column(3, column, sign, radius)));
        }
        for _ in 0..within(1, 3) {
            let coefficients: Vec<i64> = (0..3).map(|_| within(-9, 9)).collect();
            let row = Row { coefficients, constant: within(-20, 20) };
            let width = within(0, 6);
            constraints.inequalities.push(row.negated().plus_constant(width).unwrap());
            constraints.inequalities.push(row);
        }
        constraints
    }

    fn has_point(constraints: &Constraints, radius: i64) -> bool {
        let range = || -radius..=radius;
        range().any(|x| range().any(|y| range().any(|z| constraints.hold_at(&[x, y, z]).unwrap())))
    }

    #[test]
    fn branching_and_the_omega_test_agree_with_brute_force() {
        const RADIUS: i64 = 6;
        let mut with_points = 0;
        for seed in 0..3000 {
            let constraints = strips(seed, RADIUS);
            let expected = has_point(&constraints, RADIUS);
            with_points += u32::from(expected);
            for branches in [64, 1, 0] {
                let effort = &mut Effort { branches, granted: branches, splits: 200 };
                let found = search(constraints.clone(), effort).unwrap();
                assert_eq!(found.is_some(), expected, "seed {seed}, {branches} branches: {constraints:?}");
                if let Some(point) = found {
                    assert!(constraints.hold_at(&point).unwrap(), "seed {seed}, {branches} branches: {point:?}");
                }
            }
        }
        assert!((500..2500).contains(&with_points), "{with_points} of 3000 have points");
    }

    #[test]
    fn splits_on_a_column_lose_no_point() {
        for seed in 0..1000 {
            let constraints = strips(seed, 4);
            let found = omega_test(constraints.clone(), Effort { branches: 0, granted: 0, splits: 200 }).unwrap();
            assert_eq!(found.is_some(), has_point(&constraints, 4), "seed {seed}: {constraints:?}");
            assert!(found.is_none_or(|point| constraints.hold_at(&point).unwrap()), "seed {seed}: {constraints:?}");
        }
    }
}
