//! Sets of integer points.

use std::ops::Range;

use lurcher_resources::checkpoint;

use crate::constraints::Constraints;
use crate::polyhedron::Polyhedron;
use crate::subtract::subtract;
use crate::{Error, Formula, coalesce};

/// A set of points with integer coordinates, one for each column: a union of polyhedra, none of which is empty.
#[derive(Clone, Debug)]
pub struct Set {
    columns: usize,
    polyhedra: Vec<Polyhedron>,
}

impl Set {
    /// More columns than these are refused.
    pub const MOST_COLUMNS: usize = 1 << 16;

    /// The set without points.
    ///
    /// # Errors
    /// [`Error::TooManyColumns`].
    pub fn empty(columns: usize) -> Result<Set, Error> {
        if columns > Set::MOST_COLUMNS {
            return Err(Error::TooManyColumns);
        }
        Ok(Set { columns, polyhedra: Vec::new() })
    }

    /// All points.
    ///
    /// # Errors
    /// [`Error::TooManyColumns`].
    pub fn universe(columns: usize) -> Result<Set, Error> {
        Set::empty(columns)?;
        Set::from_conjunctions(columns, vec![Constraints::new(columns)])
    }

    /// The points that satisfy a formula over these columns.
    ///
    /// # Errors
    /// When the formula is not one over these columns, or a number becomes too large.
    pub fn from_formula(columns: usize, formula: &Formula) -> Result<Set, Error> {
        Set::empty(columns)?;
        if formula.is_too_deep() {
            return Err(Error::TooDeep);
        }
        formula.points(columns, true)
    }

    /// The union of conjunctions, which may have further columns that are bound.
    pub(crate) fn from_conjunctions(columns: usize, conjunctions: Vec<Constraints>) -> Result<Set, Error> {
        let polyhedra = conjunctions.into_iter().map(|constraints| Polyhedron::new(columns, constraints, &[]));
        Set::from_polyhedra(columns, polyhedra)
    }

    /// The union of polyhedra, where they are not empty.
    pub(crate) fn from_polyhedra(
        columns: usize,
        polyhedra: impl IntoIterator<Item = Result<Option<Polyhedron>, Error>>,
    ) -> Result<Set, Error> {
        let polyhedra = polyhedra.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
        Ok(Set { columns, polyhedra })
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of polyhedra.
    pub fn disjuncts(&self) -> usize {
        self.polyhedra.len()
    }

    pub(crate) fn polyhedra(&self) -> &[Polyhedron] {
        &self.polyhedra
    }

    /// The union of those polyhedra, by number, that are to be kept.
    #[must_use]
    pub fn keep_disjuncts(&self, mut keep: impl FnMut(usize) -> bool) -> Set {
        let kept = self.polyhedra.iter().enumerate().filter(|(index, _)| keep(*index));
        Set { columns: self.columns, polyhedra: kept.map(|(_, polyhedron)| polyhedron.clone()).collect() }
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.polyhedra.is_empty()
    }

    /// A point of the set, if there is one.
    pub fn sample(&self) -> Option<&[i64]> {
        self.polyhedra.first().map(Polyhedron::sample)
    }

    /// Whether a point lies in the set.
    ///
    /// # Errors
    /// [`Error::DifferentSpaces`] for a point with another number of coordinates; [`Error::NumberTooLarge`].
    pub fn contains(&self, point: &[i64]) -> Result<bool, Error> {
        if point.len() != self.columns {
            return Err(Error::DifferentSpaces);
        }
        if point.contains(&i64::MIN) {
            return Err(Error::NumberTooLarge);
        }
        for polyhedron in &self.polyhedra {
            checkpoint();
            if polyhedron.contains(point)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn same_space(&self, other: &Set) -> Result<(), Error> {
        if self.columns == other.columns { Ok(()) } else { Err(Error::DifferentSpaces) }
    }

    /// The points of either set.
    ///
    /// # Errors
    /// [`Error::DifferentSpaces`].
    pub fn union(mut self, other: &Set) -> Result<Set, Error> {
        self.same_space(other)?;
        self.polyhedra.extend_from_slice(&other.polyhedra);
        Ok(self)
    }

    /// The points of both sets.
    ///
    /// # Errors
    /// [`Error::DifferentSpaces`]; [`Error::NumberTooLarge`].
    pub fn intersect(&self, other: &Set) -> Result<Set, Error> {
        self.same_space(other)?;
        let pairs = self.polyhedra.iter().flat_map(|a| other.polyhedra.iter().map(move |b| (a, b)));
        let intersect = |(a, b): (&Polyhedron, &Polyhedron)| {
            checkpoint();
            a.intersect(b)
        };
        Set::from_polyhedra(self.columns, pairs.map(intersect))
    }

    /// The points of this set that are not in the other one.
    ///
    /// # Errors
    /// [`Error::DifferentSpaces`]; [`Error::NumberTooLarge`].
    pub fn subtract(&self, other: &Set) -> Result<Set, Error> {
        self.same_space(other)?;
        let mut polyhedra = Vec::new();
        for polyhedron in &self.polyhedra {
            polyhedra.extend(subtract(polyhedron, &other.polyhedra)?);
        }
        Ok(Set { columns: self.columns, polyhedra })
    }

    /// The points that are not in this set.
    ///
    /// # Errors
    /// [`Error::NumberTooLarge`].
    pub fn complement(&self) -> Result<Set, Error> {
        Set::universe(self.columns)?.subtract(self)
    }

    /// Whether all points of this set lie in the other one.
    ///
    /// # Errors
    /// [`Error::DifferentSpaces`]; [`Error::NumberTooLarge`].
    pub fn is_subset(&self, other: &Set) -> Result<bool, Error> {
        self.same_space(other)?;
        for polyhedron in &self.polyhedra {
            let found = coalesce::lies_in_one(polyhedron, &other.polyhedra)?;
            if !found && !subtract(polyhedron, &other.polyhedra)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether both sets have the same points.
    ///
    /// # Errors
    /// [`Error::DifferentSpaces`]; [`Error::NumberTooLarge`].
    pub fn is_equal(&self, other: &Set) -> Result<bool, Error> {
        Ok(self.is_subset(other)? && other.is_subset(self)?)
    }

    /// The same points in fewer polyhedra, where that is found easily.
    ///
    /// # Errors
    /// [`Error::NumberTooLarge`].
    pub fn coalesce(self) -> Result<Set, Error> {
        let polyhedra = coalesce::coalesce(self.columns, self.polyhedra)?;
        Ok(Set { columns: self.columns, polyhedra })
    }

    /// The points without these coordinates: the columns after them move up.
    ///
    /// # Errors
    /// [`Error::NoSuchColumn`]; [`Error::NumberTooLarge`].
    pub fn project_out(&self, columns: Range<usize>) -> Result<Set, Error> {
        if columns.start > columns.end || columns.end > self.columns {
            return Err(Error::NoSuchColumn);
        }
        let kept = self.columns - columns.len();
        // The columns that go become the first bound ones.
        let dims = (0..self.columns).map(|column| match column {
            _ if column < columns.start => column,
            _ if column < columns.end => column - columns.start + kept,
            _ => column - columns.len(),
        });
        let dims: Vec<usize> = dims.collect();
        let project = |polyhedron: &Polyhedron| {
            checkpoint();
            let constraints = polyhedron.constraints();
            let to: Vec<usize> = dims.iter().copied().chain(self.columns..constraints.columns).collect();
            let sample = dims.iter().zip(polyhedron.sample()).filter(|(to, _)| **to < kept).map(|(_, x)| *x);
            let sample: Vec<i64> = sample.collect();
            Polyhedron::new(kept, constraints.mapped(&to, constraints.columns), &[&sample])
        };
        Set::from_polyhedra(kept, self.polyhedra.iter().map(project))
    }

    /// The points of a space of so many columns whose coordinates at these columns are a point of this set, in this order.
    ///
    /// # Errors
    /// [`Error::NoSuchColumn`] where a column is missing, named twice, or not in the space; [`Error::TooManyColumns`].
    pub fn embed(&self, at: &[usize], columns: usize) -> Result<Set, Error> {
        Set::empty(columns)?;
        let mut named = vec![false; columns];
        for &column in at {
            let named = named.get_mut(column).ok_or(Error::NoSuchColumn)?;
            if std::mem::replace(named, true) {
                return Err(Error::NoSuchColumn);
            }
        }
        if at.len() != self.columns {
            return Err(Error::NoSuchColumn);
        }
        let embed = |polyhedron: &Polyhedron| {
            let bound = polyhedron.bound_columns();
            let to: Vec<usize> = at.iter().copied().chain(columns..columns + bound).collect();
            let mut sample = vec![0; columns];
            at.iter().zip(polyhedron.sample()).for_each(|(&column, &x)| sample[column] = x);
            Polyhedron::new(columns, polyhedron.constraints().mapped(&to, columns + bound), &[&sample])
        };
        Set::from_polyhedra(columns, self.polyhedra.iter().map(embed))
    }
}
