//! Relations between integer points.

use lurcher_resources::checkpoint;

use crate::constraints::Constraints;
use crate::polyhedron::{Bounds, Polyhedron, disjoint};
use crate::{Error, Formula, Set, Term};

/// Pairs of integer points: a set over the columns of the inputs, then those of the outputs.
#[derive(Clone, Debug)]
pub struct Relation {
    inputs: usize,
    pairs: Set,
}

impl Relation {
    /// The pairs that satisfy a formula, in which the columns of the outputs follow those of the inputs.
    ///
    /// # Errors
    /// As [`Set::from_formula`].
    pub fn from_formula(inputs: usize, outputs: usize, formula: &Formula) -> Result<Relation, Error> {
        let columns = inputs.checked_add(outputs).ok_or(Error::TooManyColumns)?;
        Ok(Relation { inputs, pairs: Set::from_formula(columns, formula)? })
    }

    /// The relation whose first columns are the inputs.
    ///
    /// # Errors
    /// [`Error::NoSuchColumn`] where the set has fewer columns.
    pub fn from_pairs(inputs: usize, pairs: Set) -> Result<Relation, Error> {
        if inputs > pairs.columns() {
            return Err(Error::NoSuchColumn);
        }
        Ok(Relation { inputs, pairs })
    }

    /// Each point with itself.
    ///
    /// # Errors
    /// [`Error::TooManyColumns`].
    pub fn identity(columns: usize) -> Result<Relation, Error> {
        Set::empty(columns.saturating_mul(2))?;
        let same = (0..columns).map(|column| Term::column(column).equals(Term::column(columns + column)));
        Relation::from_formula(columns, columns, &Formula::And(same.collect()))
    }

    /// The number of columns of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The number of columns of outputs.
    pub fn outputs(&self) -> usize {
        self.pairs.columns() - self.inputs
    }

    /// The pairs as points: first the inputs, then the outputs.
    pub fn pairs(&self) -> &Set {
        &self.pairs
    }

    /// The outputs of the points of a set.
    ///
    /// # Errors
    /// [`Error::DifferentSpaces`] for a set over other columns than the inputs; [`Error::NumberTooLarge`].
    pub fn image(&self, inputs: &Set) -> Result<Set, Error> {
        let (kept, shared) = (self.outputs(), self.inputs);
        let pairs = Operand { set: &self.pairs, to: (kept..kept + shared).chain(0..kept).collect() };
        join(kept, shared, &pairs, &Operand { set: inputs, to: (kept..kept + shared).collect() })
    }

    /// The inputs that have an output in a set.
    ///
    /// # Errors
    /// [`Error::DifferentSpaces`] for a set over other columns than the outputs; [`Error::NumberTooLarge`].
    pub fn preimage(&self, outputs: &Set) -> Result<Set, Error> {
        let (kept, shared) = (self.inputs, self.outputs());
        let pairs = Operand { set: &self.pairs, to: (0..kept + shared).collect() };
        join(kept, shared, &pairs, &Operand { set: outputs, to: (kept..kept + shared).collect() })
    }

    /// This relation, then another one.
    ///
    /// # Errors
    /// [`Error::DifferentSpaces`] where the outputs of this one are not the inputs of the other; [`Error::NumberTooLarge`].
    pub fn then(&self, next: &Relation) -> Result<Relation, Error> {
        let (inputs, shared, outputs) = (self.inputs, self.outputs(), next.outputs());
        let kept = inputs.checked_add(outputs).ok_or(Error::TooManyColumns)?;
        if shared != next.inputs {
            return Err(Error::DifferentSpaces);
        }
        Set::empty(kept)?;
        let middle = kept..kept + shared;
        let first = Operand { set: &self.pairs, to: (0..inputs).chain(middle.clone()).collect() };
        let second = Operand { set: &next.pairs, to: middle.chain(inputs..kept).collect() };
        Ok(Relation { inputs, pairs: join(kept, shared, &first, &second)? })
    }

    /// The pairs the other way round.
    ///
    /// # Errors
    /// [`Error::NumberTooLarge`].
    pub fn inverse(&self) -> Result<Relation, Error> {
        let (inputs, outputs) = (self.inputs, self.outputs());
        let at: Vec<usize> = (outputs..outputs + inputs).chain(0..outputs).collect();
        Ok(Relation { inputs: outputs, pairs: self.pairs.embed(&at, inputs + outputs)? })
    }

    /// The points that have an output.
    ///
    /// # Errors
    /// [`Error::NumberTooLarge`].
    pub fn domain(&self) -> Result<Set, Error> {
        self.pairs.project_out(self.inputs..self.pairs.columns())
    }

    /// The points that are an output.
    ///
    /// # Errors
    /// [`Error::NumberTooLarge`].
    pub fn range(&self) -> Result<Set, Error> {
        self.pairs.project_out(0..self.inputs)
    }
}

/// A set, and where its columns lie among those of a join.
struct Operand<'s> {
    set: &'s Set,
    to: Vec<usize>,
}

impl Operand<'_> {
    /// For each polyhedron, what it says of single columns of the join.
    fn boxes(&self, columns: usize) -> Vec<Vec<Bounds>> {
        let place = |polyhedron: &Polyhedron| {
            let mut bounds = vec![Bounds::ALL; columns];
            self.to.iter().zip(polyhedron.bounds()).for_each(|(&column, &of)| bounds[column] = of);
            bounds
        };
        self.set.polyhedra().iter().map(place).collect()
    }

    /// The constraints of a polyhedron over the columns of the join and so many bound ones, of which its own begin at a place.
    fn place(&self, polyhedron: &Polyhedron, columns: usize, own: usize) -> Constraints {
        let bound = own..own + polyhedron.bound_columns();
        let to: Vec<usize> = self.to.iter().copied().chain(bound).collect();
        polyhedron.constraints().mapped(&to, columns)
    }
}

/// The points of the first `kept` columns for which `shared` further ones make a point of both operands.
fn join(kept: usize, shared: usize, left: &Operand<'_>, right: &Operand<'_>) -> Result<Set, Error> {
    if left.to.len() != left.set.columns() || right.to.len() != right.set.columns() {
        return Err(Error::DifferentSpaces);
    }
    let visible = kept + shared;
    let (left_boxes, right_boxes) = (left.boxes(visible), right.boxes(visible));
    let mut polyhedra = Vec::new();
    for (a, a_box) in left.set.polyhedra().iter().zip(&left_boxes) {
        for (b, b_box) in right.set.polyhedra().iter().zip(&right_boxes) {
            checkpoint();
            if disjoint(a_box, b_box) {
                continue;
            }
            let own = visible + a.bound_columns();
            let columns = own + b.bound_columns();
            let mut constraints = left.place(a, columns, visible);
            constraints.extend(right.place(b, columns, own));
            polyhedra.push(Polyhedron::new(kept, constraints, &[]));
        }
    }
    Set::from_polyhedra(kept, polyhedra)
}
