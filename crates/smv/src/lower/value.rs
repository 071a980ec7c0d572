//! Lowered expressions and their faults.

use std::rc::Rc;

use lurcher_ir::relation::{BinaryTerm, TermId, Terms};

use super::types::Type;

/// A lowered expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) ty: Type,
    pub(super) shape: Shape,
    pub(super) faults: Faults,
}

/// The terms of a value.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// One term; for a set, a choice.
    Term(TermId),
    /// Elements of an array.
    Elements(Rc<Vec<Value>>),
    /// No term, after an error.
    Nothing,
}

/// When an expression has no value: the condition for each fault site (an index into `Lowering::sites`).
/// Operators of the model form are total, so faults are kept separately.
///
/// NuSMV reports failures over the whole domains of variables, but only if they matter: `x = 0 | 8 / x = 2` is fine.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(pub(super) Vec<(usize, TermId)>);

impl Faults {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, TermId)> + '_ {
        self.0.iter().copied()
    }

    /// The faults of both.
    pub(super) fn or(self, other: Faults, terms: &mut Terms) -> Faults {
        if other.is_empty() {
            return self;
        }
        if self.is_empty() {
            return other;
        }
        let mut all = self.0;
        for (site, condition) in other.0 {
            match all.iter_mut().find(|(s, _)| *s == site) {
                Some((_, known)) => *known = terms.binary(BinaryTerm::Or, *known, condition),
                None => all.push((site, condition)),
            }
        }
        Faults(all)
    }

    /// The faults, restricted to a condition.
    pub(super) fn under(self, condition: TermId, terms: &mut Terms) -> Faults {
        let mut guarded = self.0;
        guarded.iter_mut().for_each(|(_, c)| *c = terms.binary(BinaryTerm::And, condition, *c));
        guarded.retain(|(_, c)| terms.constant(*c) != Some(0));
        Faults(guarded)
    }

    /// The condition of any fault.
    pub(super) fn any(&self, terms: &mut Terms) -> TermId {
        terms.any(self.0.iter().map(|(_, c)| *c).collect::<Vec<_>>())
    }
}

impl Value {
    pub(super) fn new(ty: Type, term: TermId) -> Value {
        Value { ty, shape: Shape::Term(term), faults: Faults::default() }
    }

    pub(super) fn unknown() -> Value {
        Value { ty: Type::Unknown, shape: Shape::Nothing, faults: Faults::default() }
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.ty.is_unknown() || matches!(self.shape, Shape::Nothing)
    }

    /// The term, if there is one.
    pub(super) fn term(&self) -> Option<TermId> {
        match self.shape {
            Shape::Term(term) => Some(term),
            _ => None,
        }
    }

    /// The value of a constant.
    pub(super) fn constant(&self, terms: &Terms) -> Option<i64> {
        terms.constant(self.term()?)
    }

    /// The value with additional faults.
    pub(super) fn failing(mut self, faults: Faults, terms: &mut Terms) -> Value {
        self.faults = self.faults.or(faults, terms);
        self
    }
}

/// Why an expression may have no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Failure {
    CaseNotExhaustive,
    DivisionByZero,
    IndexOutOfBounds,
    ShiftOutOfRange,
}

impl Failure {
    /// Its description inside a sentence.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Failure::CaseNotExhaustive => "values that no `case` condition covers",
            Failure::DivisionByZero => "division by zero",
            Failure::IndexOutOfBounds => "array access out of bounds",
            Failure::ShiftOutOfRange => "shifts out of range",
        }
    }

    pub(super) fn message(self) -> &'static str {
        match self {
            Failure::CaseNotExhaustive => "case conditions are not exhaustive",
            Failure::DivisionByZero => "division by zero",
            Failure::IndexOutOfBounds => "array access out of bounds",
            Failure::ShiftOutOfRange => "a shift by a negative number or by more bits than the word has",
        }
    }
}
