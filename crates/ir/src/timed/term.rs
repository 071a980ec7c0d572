//! Terms of timed models.
//!
//! Terms are numbers or formulas; values of enumerations and instances are numbers, variables of the domain
//! [`Boolean`](super::Domain::Boolean) are formulas.
//!
//! Every term is read **at an instant** of a run: a clause at the instant that it is about, the operand of [`Term::Past`] at the
//! instant that it names. There, [`Term::Now`], histories and quantifiers speak of the run up to that instant.

use super::{ConstantId, ImportedId, Linear, TransitionId, VariableId};

/// Names a term of [`Terms`](super::Terms).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// The values of which instant are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Moment {
    /// The instant at which the term is read.
    Now,
    /// The start of the transition that ends. Only in exit assertions and constraints.
    Start,
}

/// What happens at instants.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    /// The term differs from its value at the instant before. Nothing changes at 0.
    Change(TermId),
    /// One of the transitions starts.
    Start(Source),
    /// One of the transitions ends.
    End(Source),
    /// One of the transitions is called, and that call was not pending yet.
    Call(Source),
}

/// Whose events are meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source {
    /// The transitions, in ascending order; never empty, and all of one declaration.
    pub transitions: Vec<TransitionRef>,
    /// Values that parameters must have had: positions in the lists of parameters, and terms. The other parameters may have
    /// had any.
    pub arguments: Vec<(u32, TermId)>,
}

/// An own or an imported transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TransitionRef {
    /// A transition of the process under test.
    Own(TransitionId),
    /// A transition of another instance.
    Imported(ImportedId),
}

/// An event, counted back from now. Instants at which something happens count once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Occurrence {
    /// What happens.
    pub event: Event,
    /// 1 is the last instant up to now at which it happens, 2 the one before it.
    pub nth: u32,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A number: a sum of other numbers times coefficients. It has a value if all of them have one.
    Sum(Linear),
    /// A constant whose value is not given.
    Constant(ConstantId),
    /// A variable.
    Variable(VariableId, Moment),
    /// A parameter of the transition of an entry or exit assertion, or of a parameter's own conditions.
    Parameter(u32),
    /// The instant at which the term is read.
    Now,
    /// The instant of the innermost enclosing quantifier with this number.
    Bound(u32),
    /// The instant of an event. It has a value if [`Term::Occurred`] is true.
    Instant(Occurrence),
    /// The value of a term at an instant. It has a value if the instant is one of 0, 1, … now, and the term has a value there.
    Past(TermId, TermId),
    /// If the formula is true the first term, if it is false the second one. It has a value if the formula has one and the
    /// chosen term has one.
    If(TermId, TermId, TermId),
    /// The greatest integer that is not above a number divided by an integer greater than 1.
    Floor(TermId, i64),
    /// A number divided by an integer greater than 1; no value if the quotient is no integer. Only as the instant of `Past`.
    Quotient(TermId, i64),
    /// A number without a value.
    NoNumber,
    /// A truth value.
    Truth(bool),
    /// The number is 0. It has a value if the number has one.
    Zero(Linear),
    /// The number is 0 or more. It has a value if the number has one.
    NotNegative(Linear),
    /// Whether an event has occurred so often. It has a value unless arguments or values that are compared have none.
    Occurred(Occurrence),
    /// Negation.
    Not(TermId),
    /// A conjunction.
    And(Vec<TermId>),
    /// A disjunction.
    Or(Vec<TermId>),
    /// Both formulas are true or both are false. It has a value if both have one.
    Iff(TermId, TermId),
    /// The formula is true for an instant from 0 to now: a disjunction over these instants.
    Exists(u32, TermId),
    /// The formula is true for all instants from 0 to now: a conjunction over these instants.
    Forall(u32, TermId),
}

impl Event {
    /// The terms in it.
    pub fn parts(&self) -> Vec<TermId> {
        match self {
            Event::Change(of) => vec![*of],
            Event::Start(source) | Event::End(source) | Event::Call(source) => {
                source.arguments.iter().map(|(_, a)| *a).collect()
            }
        }
    }
}

impl Term {
    /// The operands.
    pub fn parts(&self) -> Vec<TermId> {
        match self {
            Term::Constant(_) | Term::Variable(..) | Term::Parameter(_) | Term::Now | Term::Bound(_) => Vec::new(),
            Term::NoNumber | Term::Truth(_) => Vec::new(),
            Term::Sum(sum) | Term::Zero(sum) | Term::NotNegative(sum) => sum.terms.iter().map(|(t, _)| *t).collect(),
            Term::Instant(occurrence) | Term::Occurred(occurrence) => occurrence.event.parts(),
            Term::Past(a, b) | Term::Iff(a, b) => vec![*a, *b],
            Term::If(c, a, b) => vec![*c, *a, *b],
            Term::Floor(a, _) | Term::Quotient(a, _) | Term::Not(a) => vec![*a],
            Term::Exists(_, a) | Term::Forall(_, a) => vec![*a],
            Term::And(parts) | Term::Or(parts) => parts.clone(),
        }
    }

    /// Whether the term itself may be without a value where its operands have one.
    pub(super) fn is_partial(&self) -> bool {
        matches!(self, Term::Instant(_) | Term::Past(..) | Term::Quotient(..) | Term::NoNumber)
    }
}
