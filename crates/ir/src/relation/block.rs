//! Assignments, constraints and transitions.

use lurcher_syntax::Span;

use super::VariableId;
use super::term::TermId;

/// Assigns a variable the value of a term, or one value of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub variable: VariableId,
    /// The term; it may be a [`Term::Choice`](super::Term::Choice).
    pub value: TermId,
    /// Where it is written.
    pub span: Span,
}

/// A term that must be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The term.
    pub term: TermId,
    /// Where it is written.
    pub span: Span,
}

/// A conjunction of assignments and constraints.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// At most one for each variable.
    pub assignments: Vec<Assignment>,
    /// The constraints.
    pub constraints: Vec<Constraint>,
}

/// A disjunct of the transition relation. Its assignments give next values.
#[derive(Clone, Debug, Default)]
pub struct Transition {
    /// Its name, such as the process that moves; empty if there is only one.
    pub name: String,
    /// Assignments and constraints on a step.
    pub block: Block,
    /// Variables without an assignment keep their values; otherwise they are unconstrained.
    pub keeps: bool,
}
