//! Assignments and constraints, and the steps they describe.

use lurcher_syntax::Span;

use super::VariableId;
use super::term::TermId;

/// A variable has the value of a term, or one of its values where the term is a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub variable: VariableId,
    /// Its value: a term that may choose ([`Term::Choice`](super::Term::Choice)).
    pub value: TermId,
    /// Where it is written.
    pub span: Span,
}

/// A term is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The term.
    pub term: TermId,
    /// Where it is written.
    pub span: Span,
}

/// Assignments and constraints that hold together.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// At most one for each variable.
    pub assignments: Vec<Assignment>,
    /// A conjunction.
    pub constraints: Vec<Constraint>,
}

/// A kind of step. Its assignments give next values.
#[derive(Clone, Debug, Default)]
pub struct Transition {
    /// What it is called: the process that moves, say. Empty where there is only one.
    pub name: String,
    /// What is true of a step.
    pub block: Block,
    /// Variables without an assignment keep their value; otherwise they take any.
    pub keeps: bool,
}
