//! What may stand where.

use crate::ast::FormulaKind;

/// The place of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The condition of a type.
    Type,
    Define,
    Formula(FormulaKind),
    Entry,
    Exit,
    Further,
}

impl Place {
    /// Its description after "in".
    pub(super) fn describe(self) -> String {
        match self {
            Place::Type => "the condition of a type".to_owned(),
            Place::Define => "a definition".to_owned(),
            Place::Formula(kind) => format!("the clause `{}`", kind.text()),
            Place::Entry => "an entry assertion".to_owned(),
            Place::Exit => "an exit assertion".to_owned(),
            Place::Further => "further assumptions".to_owned(),
        }
    }

    /// Whether names may be primed: the formula is about the start and the end of a transition.
    pub(super) fn has_start_and_end(self) -> bool {
        matches!(self, Place::Exit | Place::Formula(FormulaKind::Constraint))
    }
}
