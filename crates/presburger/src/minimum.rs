//! Least values of terms.

use lurcher_resources::checkpoint;

use crate::arithmetic::narrow;
use crate::atom::Atom;
use crate::polyhedron::Polyhedron;
use crate::row::{Comparison, Row};
use crate::simplex::Tableau;
use crate::{Error, Set, Term};

/// The least value of a term on a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Minimum {
    /// The set has no points.
    Empty,
    /// There is no least value.
    Unbounded,
    /// The least value and a point that has it.
    At {
        /// The value.
        value: i64,
        /// The point.
        point: Vec<i64>,
    },
}

impl Set {
    /// The least value of a term on this set.
    ///
    /// ```
    /// use lurcher_presburger::{Formula, Minimum, Set, Term};
    /// let x = || Term::column(0);
    /// let set = Set::from_formula(1, &(x() * 3).at_least(10).and(Formula::Divides(2, x())))?;
    /// assert_eq!(set.minimum(&x())?, Minimum::At { value: 4, point: vec![4] });
    /// # Ok::<(), lurcher_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchColumn`]; [`Error::NumberTooLarge`].
    pub fn minimum(&self, term: &Term) -> Result<Minimum, Error> {
        let row = term.row(self.columns())?;
        let mut least = Minimum::Empty;
        for polyhedron in self.polyhedra() {
            match (minimum(polyhedron, &row)?, &least) {
                (None, _) => return Ok(Minimum::Unbounded),
                (Some((value, _)), Minimum::At { value: other, .. }) if value >= *other => {}
                (Some((value, point)), _) => least = Minimum::At { value, point },
            }
        }
        Ok(least)
    }

    /// The first point in the order of the coordinates; `None` where there is no point, or no first one.
    ///
    /// # Errors
    /// [`Error::NumberTooLarge`].
    pub fn lexicographic_minimum(&self) -> Result<Option<Vec<i64>>, Error> {
        let mut rest = self.clone();
        for column in 0..self.columns() {
            let Minimum::At { value, .. } = rest.minimum(&Term::column(column))? else { return Ok(None) };
            let least = Set::from_formula(self.columns(), &Term::column(column).equals(value))?;
            rest = rest.intersect(&least)?;
        }
        Ok(rest.sample().map(<[i64]>::to_vec))
    }
}

/// The least value of a term on a polyhedron, with a point; `None` where there is none.
fn minimum(polyhedron: &Polyhedron, term: &Row) -> Result<Option<(i64, Vec<i64>)>, Error> {
    if is_unbounded(polyhedron, term)? {
        return Ok(None);
    }
    let mut best = polyhedron.clone();
    let mut value = term.value(best.sample())?;
    // The least value is at most `value` and not below `floor`, once that is known.
    let mut floor: Option<i128> = None;
    let mut step = 1i128;
    while floor.is_none_or(|floor| floor < value) {
        checkpoint();
        let tried = floor.map_or(value - step, |floor| floor + (value - floor) / 2);
        let tried = tried.min(value - 1);
        let at_most = term.negated().plus_constant(narrow(tried)?)?;
        match best.restricted(&Atom::NotNegative(at_most).alone(term.coefficients.len()))? {
            Some(lower) => {
                best = lower;
                value = term.value(best.sample())?;
                step *= 2;
            }
            None => floor = Some(tried + 1),
        }
    }
    Ok(Some((narrow(value)?, best.sample().to_vec())))
}

/// Whether a term has values below any number: on a polyhedron that has integer points, exactly where that is so for
/// rational ones. Congruences do not matter, since each direction has a multiple that respects them.
fn is_unbounded(polyhedron: &Polyhedron, term: &Row) -> Result<bool, Error> {
    let constraints = polyhedron.constraints();
    let mut objective = term.clone();
    objective.coefficients.resize(constraints.columns, 0);
    for solution in constraints.solutions() {
        solution.apply(&mut objective, Comparison::Equality)?;
    }
    let index = constraints.inequalities.len();
    let mut tableau = Tableau::new(constraints.inequalities.iter().chain([&objective]), constraints.columns);
    tableau.restrict(index, false);
    Ok(tableau.make_feasible()? && tableau.is_unbounded(index)?)
}
