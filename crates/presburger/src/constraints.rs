//! Conjunctions of equalities, inequalities and congruences, and their solved form.
//!
//! [`Constraints::tidy`] solves the equalities first, because that makes everything after it smaller: columns with unit
//! coefficients, then others (a column that is bound by a quantifier leaves a congruence behind). Then inequalities are
//! tightened to integers, the tightest of parallel ones is kept, and opposite ones become an equality or a contradiction.

use lurcher_resources::{charge, checkpoint};

use crate::Error;
use crate::error::Stop;
use crate::row::{Comparison, Congruence, Row, Truth};
use crate::substitution::Substitution;

/// A conjunction over columns. The first of them are the dimensions of a set, the others are bound by *exists*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constraints {
    pub columns: usize,
    /// Terms that are 0.
    pub equalities: Vec<Row>,
    /// Terms that are not negative.
    pub inequalities: Vec<Row>,
    pub congruences: Vec<Congruence>,
}

impl Constraints {
    pub fn new(columns: usize) -> Constraints {
        Constraints { columns, equalities: Vec::new(), inequalities: Vec::new(), congruences: Vec::new() }
    }

    /// Where the columns of these constraints lie among `columns` columns.
    pub fn mapped(&self, to: &[usize], columns: usize) -> Constraints {
        charge(self.len());
        let map = |rows: &[Row]| rows.iter().map(|row| row.mapped(to, columns)).collect();
        Constraints {
            columns,
            equalities: map(&self.equalities),
            inequalities: map(&self.inequalities),
            congruences: (self.congruences.iter())
                .map(|congruence| Congruence::new(congruence.modulus, congruence.row.mapped(to, columns)))
                .collect(),
        }
    }

    /// Adds the constraints of another conjunction over the same columns.
    pub fn extend(&mut self, other: Constraints) {
        self.equalities.extend(other.equalities);
        self.inequalities.extend(other.inequalities);
        self.congruences.extend(other.congruences);
    }

    /// The number of constraints.
    pub fn len(&self) -> usize {
        self.equalities.len() + self.inequalities.len() + self.congruences.len()
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        let congruences = self.congruences.iter().map(|congruence| &congruence.row);
        self.equalities.iter().chain(&self.inequalities).chain(congruences)
    }

    /// Whether a point, with a value for each column, satisfies all constraints.
    pub fn hold_at(&self, point: &[i64]) -> Result<bool, Error> {
        for row in &self.equalities {
            if row.value(point)? != 0 {
                return Ok(false);
            }
        }
        for row in &self.inequalities {
            if row.value(point)? < 0 {
                return Ok(false);
            }
        }
        for congruence in &self.congruences {
            if !congruence.holds(point)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Replaces a column everywhere.
    pub fn substitute(&mut self, substitution: &Substitution) -> Result<(), Error> {
        charge(self.len());
        for row in &mut self.equalities {
            substitution.apply(row, Comparison::Equality)?;
        }
        for row in &mut self.inequalities {
            substitution.apply(row, Comparison::Inequality)?;
        }
        for congruence in &mut self.congruences {
            substitution.apply_to_congruence(congruence)?;
        }
        Ok(())
    }

    /// Replaces a column by what satisfies one of the congruences on it; the column is a new one afterwards, in the same place.
    pub fn parametrise(&mut self, congruence: usize, column: usize) -> Result<Substitution, Error> {
        let congruence = self.congruences.swap_remove(congruence);
        let (substitution, divides) = Substitution::parametrise(&congruence, column);
        self.substitute(&substitution)?;
        self.congruences.push(divides);
        Ok(substitution)
    }

    /// Brings the constraints into solved form; the columns from `dims` on are bound by *exists*.
    ///
    /// Each equality then has a column that no other equality and no inequality mentions, and bound columns are in no equality.
    pub fn tidy(&mut self, dims: usize) -> Result<(), Stop> {
        loop {
            self.solve_equalities(dims)?;
            let found = self.tidy_inequalities()?;
            if found.is_empty() {
                break;
            }
            self.equalities.extend(found);
        }
        self.equalities.sort_unstable_by(|a, b| b.cmp(a));
        self.tidy_congruences()
    }

    /// The same for constraints whose inequalities alone have changed.
    pub fn tidy_changed_inequalities(&mut self, dims: usize) -> Result<(), Stop> {
        let found = self.tidy_inequalities()?;
        if found.is_empty() {
            return Ok(());
        }
        self.equalities.extend(found);
        self.tidy(dims)
    }

    fn solve_equalities(&mut self, dims: usize) -> Result<(), Stop> {
        let mut pending = std::mem::take(&mut self.equalities);
        let mut solved: Vec<Row> = Vec::with_capacity(pending.len());
        reduce_equalities(&mut pending)?;
        while let Some((index, column)) = pivot(&pending, dims) {
            checkpoint();
            let row = pending.swap_remove(index);
            let substitution = Substitution::solve(&row, column);
            keep_open(&mut pending, |other| {
                if other.at(column) == 0 {
                    return Ok(Truth::Open);
                }
                substitution.apply(other, Comparison::Equality)?;
                Ok(other.reduce_equality())
            })?;
            for other in &mut solved {
                substitution.apply(other, Comparison::Equality)?;
            }
            for other in &mut self.inequalities {
                substitution.apply(other, Comparison::Inequality)?;
            }
            if substitution.divisor == 1 || column >= dims {
                for congruence in &mut self.congruences {
                    substitution.apply_to_congruence(congruence)?;
                }
            }
            if column < dims {
                solved.push(row);
            } else if substitution.divisor > 1 {
                self.congruences.push(Congruence::new(substitution.divisor, substitution.numerator));
            }
        }
        reduce_equalities(&mut solved)?;
        self.equalities = solved;
        Ok(())
    }

    /// Tightens inequalities and keeps the tightest of parallel ones. Returns the equalities that opposite ones amount to.
    pub fn tidy_inequalities(&mut self) -> Result<Vec<Row>, Stop> {
        charge(self.inequalities.len() * (1 + self.columns / 16));
        keep_open(&mut self.inequalities, |row| Ok(row.tighten()))?;
        self.inequalities.sort_unstable_by(Row::by_direction);
        self.inequalities.dedup_by(|next, kept| next.coefficients == kept.coefficients);
        let mut equalities = Vec::new();
        let mut kept: Vec<Row> = Vec::with_capacity(self.inequalities.len());
        for row in std::mem::take(&mut self.inequalities) {
            let opposite = kept.last().is_some_and(|last| last.is_parallel(&row));
            if !opposite {
                kept.push(row);
                continue;
            }
            let width = kept.last().map_or(0, |last| i128::from(last.constant)) + i128::from(row.constant);
            if width < 0 {
                return Err(Stop::Contradiction);
            }
            if width == 0 {
                kept.pop();
                equalities.push(row);
            } else {
                kept.push(row);
            }
        }
        self.inequalities = kept;
        Ok(equalities)
    }

    pub fn tidy_congruences(&mut self) -> Result<(), Stop> {
        keep_open(&mut self.congruences, |congruence| Ok(congruence.reduce()))?;
        self.congruences.sort_unstable_by(|a, b| b.cmp(a));
        self.congruences.dedup();
        Ok(())
    }

    /// Simplifies each constraint by itself.
    pub fn reduce_all(&mut self) -> Result<(), Stop> {
        reduce_equalities(&mut self.equalities)?;
        keep_open(&mut self.inequalities, |row| Ok(row.tighten()))?;
        keep_open(&mut self.congruences, |congruence| Ok(congruence.reduce()))
    }

    /// What the equalities of the solved form say: of each a column that no other equality and no inequality mentions.
    pub fn solutions(&self) -> Vec<Substitution> {
        let rows = self.equalities.iter().chain(&self.inequalities);
        let mut mentions = vec![0u32; self.columns];
        rows.for_each(|row| row.entries().for_each(|(column, _)| mentions[column] += 1));
        let solved = |row: &Row| row.entries().min_by_key(|&(column, a)| (mentions[column], a.abs()));
        let solve = |row: &Row| solved(row).map(|(column, _)| Substitution::solve(row, column));
        self.equalities.iter().filter_map(solve).collect()
    }

    /// Removes the bound columns that nothing mentions.
    pub fn drop_unused_columns(&mut self, dims: usize) {
        let mut used = vec![false; self.columns];
        used[..dims].fill(true);
        self.rows().for_each(|row| row.entries().for_each(|(column, _)| used[column] = true));
        if used.iter().all(|used| *used) {
            return;
        }
        let mut to = vec![0; self.columns];
        let mut columns = 0;
        for (column, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            to[column] = columns;
            columns += 1;
        }
        *self = self.mapped(&to, columns);
    }

    /// Adds columns that nothing mentions.
    pub fn add_columns(&mut self, count: usize) {
        self.columns += count;
        let congruences = self.congruences.iter_mut().map(|congruence| &mut congruence.row);
        for row in self.equalities.iter_mut().chain(&mut self.inequalities).chain(congruences) {
            row.coefficients.resize(self.columns, 0);
        }
    }
}

/// The equality to solve next and its column: first a bound column, then a unit coefficient, then a small one; among equals
/// the last column.
fn pivot(pending: &[Row], dims: usize) -> Option<(usize, usize)> {
    let mut best: Option<((bool, i64), usize, usize)> = None;
    for (index, row) in pending.iter().enumerate() {
        charge(row.coefficients.len());
        for (column, a) in row.entries().rev() {
            let rank = (column < dims, a.abs());
            if best.is_none_or(|(other, ..)| rank < other) {
                best = Some((rank, index, column));
            }
            if rank == (false, 1) {
                return Some((index, column));
            }
        }
    }
    best.map(|(_, index, column)| (index, column))
}

fn reduce_equalities(rows: &mut Vec<Row>) -> Result<(), Stop> {
    keep_open(rows, |row| Ok(row.reduce_equality()))
}

/// Simplifies each item and removes those that always hold.
fn keep_open<T>(items: &mut Vec<T>, mut simplify: impl FnMut(&mut T) -> Result<Truth, Error>) -> Result<(), Stop> {
    let mut result = Ok(());
    items.retain_mut(|item| match simplify(item) {
        Ok(Truth::Open) => true,
        Ok(Truth::True) => false,
        Ok(Truth::False) => {
            result = Err(Stop::Contradiction);
            false
        }
        Err(error) => {
            result = result.and(Err(error.into()));
            false
        }
    });
    result
}
