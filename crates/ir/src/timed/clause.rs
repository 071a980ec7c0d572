//! Clauses and properties.

use lurcher_syntax::Span;

use super::{TermId, TransitionId};

/// A conjunct of a clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its name, such as `Gate.imported.1`.
    pub name: String,
    /// The formula.
    pub term: TermId,
    /// Where the source states it.
    pub span: Span,
}

/// A conjunct that is to be checked.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name, such as `Gate.schedule.1`.
    pub name: String,
    /// The kind of its clause.
    pub kind: PropertyKind,
    /// The formula.
    pub term: TermId,
    /// The formula with the names of the source.
    pub text: String,
    /// Where the source states it.
    pub span: Span,
}

/// Kinds of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropertyKind {
    /// It holds at every instant, in any environment.
    Invariant,
    /// It relates the start and the end of every own transition, in any environment.
    Constraint,
    /// It holds at every instant if the assumptions have held so far.
    Schedule,
}

impl PropertyKind {
    /// The name of the kind in names of properties and in reports.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Constraint => "constraint",
            PropertyKind::Schedule => "schedule",
        }
    }
}

/// Where exactly the first transitions are enabled and the condition holds, only the second ones start. Each list is closed:
/// it contains all transitions that one declaration expands to, or none of them. A declaration counts as enabled if one of its
/// transitions is.
#[derive(Clone, Debug)]
pub struct SelectionRule {
    /// The enabled transitions.
    pub enabled: Vec<TransitionId>,
    /// The condition, read like an entry assertion.
    pub condition: TermId,
    /// Those that may start.
    pub selected: Vec<TransitionId>,
}
