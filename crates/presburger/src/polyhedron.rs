//! One disjunct of a set: a satisfiable conjunction in solved form, with a point of it.

use lurcher_resources::charge;

use crate::Error;
use crate::arithmetic::{ceil_div, floor_div};
use crate::constraints::Constraints;
use crate::eliminate;
use crate::emptiness::find_point;
use crate::error::consistent;
use crate::redundancy::remove_redundant;
use crate::row::Row;

/// A set of integer points that one conjunction describes. It is not empty.
#[derive(Clone, Debug)]
pub(crate) struct Polyhedron {
    dims: usize,
    constraints: Constraints,
    /// A point of it: most questions whether it lies in another one end there.
    sample: Vec<i64>,
    /// What constraints on single dimensions say of them: most pairs of polyhedra that are disjoint are so in one of them.
    bounds: Vec<Bounds>,
}

/// The values between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    least: i128,
    greatest: i128,
}

impl Bounds {
    pub const ALL: Bounds = Bounds { least: i128::MIN, greatest: i128::MAX };

    fn disjoint(&self, other: &Bounds) -> bool {
        self.greatest < other.least || other.greatest < self.least
    }
}

/// Whether two boxes have no point in common.
pub(crate) fn disjoint(a: &[Bounds], b: &[Bounds]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.disjoint(b))
}

impl Polyhedron {
    /// All points that satisfy the constraints, whose columns from `dims` on are bound by *exists*; `None` if there are none.
    /// A point that is tried first saves the search for one.
    pub fn new(dims: usize, mut constraints: Constraints, candidates: &[&[i64]]) -> Result<Option<Polyhedron>, Error> {
        if consistent(eliminate::simplify(&mut constraints, dims))?.is_none() {
            return Ok(None);
        }
        let Some(sample) = sample(&constraints, dims, candidates)? else { return Ok(None) };
        remove_redundant(&mut constraints);
        constraints.drop_unused_columns(dims);
        let bounds = bounds(&constraints, dims);
        Ok(Some(Polyhedron { dims, constraints, sample, bounds }))
    }

    pub fn constraints(&self) -> &Constraints {
        &self.constraints
    }

    pub fn sample(&self) -> &[i64] {
        &self.sample
    }

    pub fn bounds(&self) -> &[Bounds] {
        &self.bounds
    }

    /// The columns that *exists* binds.
    pub fn bound_columns(&self) -> usize {
        self.constraints.columns - self.dims
    }

    pub fn is_disjoint_box(&self, other: &Polyhedron) -> bool {
        disjoint(&self.bounds, &other.bounds)
    }

    /// Whether a point, with a value for each dimension, lies in it.
    pub fn contains(&self, point: &[i64]) -> Result<bool, Error> {
        if self.bound_columns() == 0 {
            return self.constraints.hold_at(point);
        }
        charge(self.constraints.len());
        Ok(find_point(self.at(point))?.is_some())
    }

    /// The constraints with values for the dimensions.
    fn at(&self, point: &[i64]) -> Constraints {
        let mut constraints = self.constraints.clone();
        let columns = constraints.columns;
        for (column, &value) in point.iter().enumerate() {
            constraints.equalities.push(Row::column(columns, column, 1, -value));
        }
        constraints
    }

    /// The points that also satisfy these constraints, which may bind columns of their own.
    pub fn restricted(&self, restriction: &Constraints) -> Result<Option<Polyhedron>, Error> {
        Polyhedron::new(self.dims, self.conjunction(restriction), &[&self.sample])
    }

    /// The points of both.
    pub fn intersect(&self, other: &Polyhedron) -> Result<Option<Polyhedron>, Error> {
        if self.is_disjoint_box(other) {
            return Ok(None);
        }
        Polyhedron::new(self.dims, self.conjunction(&other.constraints), &[&self.sample, &other.sample])
    }

    /// These constraints and others on the same dimensions, with separate bound columns.
    fn conjunction(&self, other: &Constraints) -> Constraints {
        let own = self.constraints.columns;
        let columns = own + other.columns - self.dims;
        let mut all = self.constraints.clone();
        all.add_columns(columns - own);
        let to: Vec<usize> = (0..self.dims).chain(own..columns).collect();
        all.extend(other.mapped(&to, columns));
        all
    }

    /// Whether they have a point in common.
    pub fn meets(&self, other: &Polyhedron) -> Result<bool, Error> {
        if self.is_disjoint_box(other) {
            return Ok(false);
        }
        let inside = |of: &Polyhedron, point: &[i64]| Ok(of.bound_columns() == 0 && of.contains(point)?);
        if inside(self, &other.sample)? || inside(other, &self.sample)? {
            return Ok(true);
        }
        Ok(find_point(self.conjunction(&other.constraints))?.is_some())
    }

    /// The same points as a union without bound columns.
    pub fn without_bound_columns(&self) -> Result<Vec<Polyhedron>, Error> {
        if self.bound_columns() == 0 {
            return Ok(vec![self.clone()]);
        }
        let parts = eliminate::eliminate_exactly(self.constraints.clone(), self.dims)?;
        let parts = parts.into_iter().map(|part| Polyhedron::new(self.dims, part, &[&self.sample]));
        parts.filter_map(Result::transpose).collect()
    }
}

/// A point of the constraints: a candidate, or one that is found.
fn sample(constraints: &Constraints, dims: usize, candidates: &[&[i64]]) -> Result<Option<Vec<i64>>, Error> {
    if constraints.columns == dims {
        for candidate in candidates {
            if constraints.hold_at(candidate)? {
                return Ok(Some(candidate.to_vec()));
            }
        }
    }
    let point = find_point(constraints.clone())?;
    Ok(point.map(|mut point| {
        point.truncate(dims);
        point
    }))
}

/// What the constraints on single dimensions say.
fn bounds(constraints: &Constraints, dims: usize) -> Vec<Bounds> {
    let mut bounds = vec![Bounds::ALL; dims];
    let mut note = |row: &Row, both: bool| {
        let Some((column, a)) = row.single_column().filter(|(column, _)| *column < dims) else { return };
        let (a, constant) = (i128::from(a), i128::from(row.constant));
        let of = &mut bounds[column];
        if a > 0 || both {
            of.least = of.least.max(ceil_div(-constant * a.signum(), a.abs()));
        }
        if a < 0 || both {
            of.greatest = of.greatest.min(floor_div(-constant * a.signum(), a.abs()));
        }
    };
    constraints.equalities.iter().for_each(|row| note(row, true));
    constraints.inequalities.iter().for_each(|row| note(row, false));
    bounds
}
