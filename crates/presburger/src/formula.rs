//! Presburger formulas and the sets that they describe.

use lurcher_resources::checkpoint;

use crate::atom::Atom;
use crate::constraints::Constraints;
use crate::row::Congruence;
use crate::{Error, Set, Term};

/// Formulas that nest more deeply are refused.
const MOST_NESTING: usize = 256;

/// A formula of Presburger arithmetic over the columns of a set.
///
/// A quantifier binds as many columns as it says; they follow the columns in scope around it. Over two columns, the body of
/// `Exists(1, …)` speaks of column 2, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The term is 0.
    Zero(Term),
    /// The term is not negative.
    NotNegative(Term),
    /// The positive number divides the term.
    Divides(i64, Term),
    /// The formula does not hold.
    Not(Box<Formula>),
    /// All formulas hold; without any: true.
    And(Vec<Formula>),
    /// One of the formulas holds; without any: false.
    Or(Vec<Formula>),
    /// The formula holds for some values of so many further columns.
    Exists(usize, Box<Formula>),
    /// The formula holds for all values of so many further columns.
    ForAll(usize, Box<Formula>),
}

impl Formula {
    /// The formula that always holds.
    pub fn always() -> Formula {
        Formula::And(Vec::new())
    }

    /// The formula that never holds.
    pub fn never() -> Formula {
        Formula::Or(Vec::new())
    }

    /// Both formulas hold.
    pub fn and(self, other: Formula) -> Formula {
        match self {
            Formula::And(mut parts) => {
                parts.push(other);
                Formula::And(parts)
            }
            _ => Formula::And(vec![self, other]),
        }
    }

    /// One of the formulas holds.
    pub fn or(self, other: Formula) -> Formula {
        match self {
            Formula::Or(mut parts) => {
                parts.push(other);
                Formula::Or(parts)
            }
            _ => Formula::Or(vec![self, other]),
        }
    }

    /// The formula does not hold.
    #[must_use]
    pub fn negated(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// The second formula holds where the first one does.
    pub fn implies(self, other: Formula) -> Formula {
        self.negated().or(other)
    }

    /// The formula holds for some values of so many further columns.
    pub fn exists(columns: usize, body: Formula) -> Formula {
        Formula::Exists(columns, Box::new(body))
    }

    /// The formula holds for all values of so many further columns.
    pub fn for_all(columns: usize, body: Formula) -> Formula {
        Formula::ForAll(columns, Box::new(body))
    }

    /// Whether it nests more deeply than its sets can be made without a larger stack.
    pub(crate) fn is_too_deep(&self) -> bool {
        let mut open = vec![(self, 1)];
        while let Some((formula, depth)) = open.pop() {
            checkpoint();
            let parts = match formula {
                Formula::And(parts) | Formula::Or(parts) => parts.as_slice(),
                Formula::Not(inner) | Formula::Exists(_, inner) | Formula::ForAll(_, inner) => {
                    std::slice::from_ref(&**inner)
                }
                Formula::Zero(_) | Formula::NotNegative(_) | Formula::Divides(..) => &[],
            };
            if depth > MOST_NESTING {
                return true;
            }
            open.extend(parts.iter().map(|part| (part, depth + 1)));
        }
        false
    }

    /// The points of so many columns where the formula holds, or where it does not.
    pub(crate) fn points(&self, columns: usize, holds: bool) -> Result<Set, Error> {
        checkpoint();
        match self {
            Formula::Zero(_) | Formula::NotNegative(_) | Formula::Divides(..) | Formula::And(_) if holds => {
                Conjunction::of(self, columns, holds)?.points()
            }
            Formula::NotNegative(_) | Formula::Or(_) if !holds => Conjunction::of(self, columns, holds)?.points(),
            Formula::Zero(term) => negation(&Atom::Zero(term.row(columns)?), columns),
            Formula::NotNegative(term) => negation(&Atom::NotNegative(term.row(columns)?), columns),
            Formula::Divides(modulus, term) => negation(&divides(*modulus, term, columns)?, columns),
            Formula::Not(inner) => inner.points(columns, !holds),
            Formula::And(parts) | Formula::Or(parts) => {
                let mut union = Set::empty(columns)?;
                for part in parts {
                    union = union.union(&part.points(columns, holds)?)?;
                }
                Ok(union)
            }
            Formula::Exists(count, body) if holds => projection(body, columns, *count, true),
            Formula::ForAll(count, body) if !holds => projection(body, columns, *count, false),
            Formula::Exists(count, body) => projection(body, columns, *count, true)?.complement(),
            Formula::ForAll(count, body) => projection(body, columns, *count, false)?.complement(),
        }
    }
}

fn divides(modulus: i64, term: &Term, columns: usize) -> Result<Atom, Error> {
    if modulus <= 0 {
        return Err(Error::ModulusNotPositive);
    }
    Ok(Atom::Divides(Congruence::new(modulus, term.row(columns)?)))
}

fn negation(atom: &Atom, columns: usize) -> Result<Set, Error> {
    Set::from_conjunctions(columns, atom.negation()?)
}

/// The values of the first columns for which there are values of so many further ones.
fn projection(body: &Formula, columns: usize, count: usize, holds: bool) -> Result<Set, Error> {
    let all = columns.checked_add(count).ok_or(Error::TooManyColumns)?;
    Set::empty(all)?;
    body.points(all, holds)?.project_out(columns..all)
}

/// A conjunction: its literals, which come first, and other formulas.
struct Conjunction<'f> {
    literals: Constraints,
    others: Vec<(&'f Formula, bool)>,
}

impl<'f> Conjunction<'f> {
    fn of(formula: &'f Formula, columns: usize, holds: bool) -> Result<Self, Error> {
        let mut conjunction = Conjunction { literals: Constraints::new(columns), others: Vec::new() };
        conjunction.add(formula, holds)?;
        Ok(conjunction)
    }

    fn add(&mut self, formula: &'f Formula, holds: bool) -> Result<(), Error> {
        let columns = self.literals.columns;
        match formula {
            Formula::Not(inner) => self.add(inner, !holds)?,
            Formula::And(parts) if holds => parts.iter().try_for_each(|part| self.add(part, holds))?,
            Formula::Or(parts) if !holds => parts.iter().try_for_each(|part| self.add(part, holds))?,
            Formula::Zero(term) if holds => self.literals.equalities.push(term.row(columns)?),
            Formula::NotNegative(term) if holds => self.literals.inequalities.push(term.row(columns)?),
            Formula::NotNegative(term) => self.literals.inequalities.push(term.row(columns)?.violated()?),
            Formula::Divides(modulus, term) if holds => divides(*modulus, term, columns)?.add_to(&mut self.literals),
            _ => self.others.push((formula, holds)),
        }
        Ok(())
    }

    /// The literals cut the others down, those with the fewest disjuncts first.
    fn points(self) -> Result<Set, Error> {
        let columns = self.literals.columns;
        let mut set = Set::from_conjunctions(columns, vec![self.literals])?;
        let parts = self.others.into_iter().map(|(formula, holds)| formula.points(columns, holds));
        let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
        parts.sort_by_key(Set::disjuncts);
        for part in parts {
            set = set.intersect(&part)?;
        }
        Ok(set)
    }
}
