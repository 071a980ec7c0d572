//! Fault sites: positions where an expression may have no value.

use std::collections::HashMap;

use lurcher_syntax::Span;

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

/// All fault sites.
#[derive(Debug, Default)]
pub(super) struct Sites {
    list: Vec<(Failure, Span)>,
    known: HashMap<(Failure, Span), usize>,
}

impl Sites {
    /// The number of a site.
    pub(super) fn number(&mut self, failure: Failure, span: Span) -> usize {
        let next = self.list.len();
        let number = *self.known.entry((failure, span)).or_insert(next);
        if number == next {
            self.list.push((failure, span));
        }
        number
    }

    pub(super) fn get(&self, number: usize) -> (Failure, Span) {
        self.list[number]
    }
}
