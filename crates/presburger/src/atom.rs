//! Single constraints and their negations.

use crate::Error;
use crate::constraints::Constraints;
use crate::row::{Congruence, Row};

/// One constraint.
#[derive(Clone, Debug)]
pub(crate) enum Atom {
    /// The term is 0.
    Zero(Row),
    /// The term is not negative.
    NotNegative(Row),
    Divides(Congruence),
}

/// The greatest modulus of which each residue is a conjunction of its own.
const MOST_RESIDUES: i64 = 16;

impl Atom {
    /// The constraints of a conjunction.
    pub fn all(constraints: &Constraints) -> impl Iterator<Item = Atom> + '_ {
        let equalities = constraints.equalities.iter().cloned().map(Atom::Zero);
        let inequalities = constraints.inequalities.iter().cloned().map(Atom::NotNegative);
        let congruences = constraints.congruences.iter().cloned().map(Atom::Divides);
        equalities.chain(inequalities).chain(congruences)
    }

    /// Adds this constraint to a conjunction.
    pub fn add_to(self, constraints: &mut Constraints) {
        match self {
            Atom::Zero(row) => constraints.equalities.push(row),
            Atom::NotNegative(row) => constraints.inequalities.push(row),
            Atom::Divides(congruence) => constraints.congruences.push(congruence),
        }
    }

    /// This constraint alone.
    pub fn alone(self, columns: usize) -> Constraints {
        let mut constraints = Constraints::new(columns);
        self.add_to(&mut constraints);
        constraints
    }

    /// The conjunctions whose union is where this constraint does not hold. They may have one column more, which is bound.
    pub fn negation(&self) -> Result<Vec<Constraints>, Error> {
        match self {
            Atom::Zero(row) => {
                let sides = [row.clone().plus_constant(-1)?, row.violated()?];
                Ok(sides.map(|row| inequalities([row])).into())
            }
            Atom::NotNegative(row) => Ok(vec![inequalities([row.violated()?])]),
            Atom::Divides(congruence) if congruence.modulus <= MOST_RESIDUES => residues(congruence),
            Atom::Divides(congruence) => Ok(vec![some_residue(congruence)?]),
        }
    }
}

fn inequalities<const N: usize>(rows: [Row; N]) -> Constraints {
    let mut constraints = Constraints::new(rows[0].coefficients.len());
    constraints.inequalities.extend(rows);
    constraints
}

/// A conjunction for each residue but 0.
fn residues(congruence: &Congruence) -> Result<Vec<Constraints>, Error> {
    let Congruence { row, modulus } = congruence;
    let leaving = |residue: i64| Ok(Atom::Divides(Congruence::new(*modulus, row.clone().plus_constant(-residue)?)));
    (1..*modulus).map(|residue| leaving(residue).map(|atom| atom.alone(row.coefficients.len()))).collect()
}

/// `1 <= term - modulus * quotient <= modulus - 1` for a bound quotient.
fn some_residue(congruence: &Congruence) -> Result<Constraints, Error> {
    let mut rest = congruence.row.clone();
    rest.coefficients.push(-congruence.modulus);
    let greatest = rest.negated().plus_constant(congruence.modulus - 1)?;
    Ok(inequalities([rest.plus_constant(-1)?, greatest]))
}
