//! Joins of two polyhedra whose union is one.
//!
//! Of the half-spaces of each, all but one contain the other polyhedron, and those two lie opposite and leave no integer
//! point between them. Every point in all the other half-spaces is then in one of the two, so they make up the union. (The
//! case of adjacent inequalities in S. Verdoolaege, *Integer set coalescing*, IMPACT 2015.)

use lurcher_resources::charge;

use crate::Error;
use crate::constraints::Constraints;
use crate::polyhedron::Polyhedron;
use crate::row::Row;
use crate::subtract::find_violated;

/// The half-spaces and congruences of a polyhedron, for comparisons with many others.
#[derive(Clone, Debug)]
pub(crate) struct HalfSpaces {
    rows: Vec<Row>,
}

impl HalfSpaces {
    /// The half-spaces of a polyhedron; an equality is two.
    pub fn of(polyhedron: &Polyhedron) -> HalfSpaces {
        let constraints = polyhedron.constraints();
        let equalities = constraints.equalities.iter().flat_map(|row| [row.clone(), row.negated()]);
        HalfSpaces { rows: equalities.chain(constraints.inequalities.iter().cloned()).collect() }
    }

    /// Whether at most one of them does not contain a point.
    fn all_but_one_contain(&self, point: &[i64]) -> Result<bool, Error> {
        let mut violated = 0;
        for row in &self.rows {
            violated += u32::from(row.value(point)? < 0);
            if violated > 1 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The half-space that does not contain a polyhedron, if it is one only.
    fn only_violated(&self, polyhedron: &Polyhedron) -> Option<usize> {
        match find_violated(polyhedron.constraints(), &self.rows, 1) {
            Some(violated) if violated.len() == 1 => violated.first().copied(),
            _ => None,
        }
    }
}

/// The union of two polyhedra, if it is found to be one.
pub(crate) fn join(
    (a, of_a): (&Polyhedron, &HalfSpaces),
    (b, of_b): (&Polyhedron, &HalfSpaces),
) -> Result<Option<Polyhedron>, Error> {
    charge(1);
    if a.bound_columns() + b.bound_columns() > 0 || a.constraints().congruences != b.constraints().congruences {
        return Ok(None);
    }
    if !of_a.all_but_one_contain(b.sample())? || !of_b.all_but_one_contain(a.sample())? {
        return Ok(None);
    }
    let (Some(in_a), Some(in_b)) = (of_a.only_violated(b), of_b.only_violated(a)) else { return Ok(None) };
    let (low, high) = (&of_a.rows[in_a], &of_b.rows[in_b]);
    let is_opposite = low.coefficients.iter().zip(&high.coefficients).all(|(x, y)| *x == -y);
    if !is_opposite || i128::from(low.constant) + i128::from(high.constant) < -1 {
        return Ok(None);
    }
    let mut union = Constraints::new(a.constraints().columns);
    union.congruences.clone_from(&a.constraints().congruences);
    for (rows, left_out) in [(&of_a.rows, in_a), (&of_b.rows, in_b)] {
        let others = rows.iter().enumerate().filter(|(index, _)| *index != left_out);
        union.inequalities.extend(others.map(|(_, row)| row.clone()));
    }
    Polyhedron::new(union.columns, union, &[a.sample()])
}
