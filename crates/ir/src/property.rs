//! What is asked of a model.

use lurcher_syntax::Span;

use crate::expr::Expr;
use crate::ltl::Formula;
use crate::model::ProcessTypeId;

/// A named question.
#[derive(Clone, Debug)]
pub struct Property {
    /// The name it is chosen by.
    pub name: String,
    /// What is asked.
    pub kind: PropertyKind,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of questions.
#[derive(Clone, Debug)]
pub enum PropertyKind {
    /// No invalid end state, no failed assertion, no fault.
    Safety,
    /// Every infinite run satisfies the formula; atoms are numbered.
    Ltl {
        /// The formula.
        formula: Formula,
        /// What its atoms mean.
        atoms: Vec<Expr>,
    },
    /// No run is accepted by this claim.
    Never(ProcessTypeId),
    /// No infinite run visits progress locations only finitely often.
    NonProgress,
    /// No infinite run visits accepting locations infinitely often.
    Acceptance,
    /// The expression holds in every reachable state.
    Invariant(Expr),
}
