//! What the oracle says of a run.

use std::fmt;

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The run is legal up to the instant, and the property is false there.
    Violates {
        /// The instant.
        at: i64,
    },
    /// The run is legal, and the property is true at every instant.
    ShowsNothing,
    /// The run breaks a rule.
    Illegal {
        /// The rule.
        rule: Rule,
        /// The first instant at which one is broken.
        at: i64,
        /// What is wrong.
        reason: String,
    },
    /// The run is legal up to the instant, and a clause that is read there has no value.
    Undefined {
        /// The name of the clause.
        clause: String,
        /// The instant.
        at: i64,
    },
    /// The oracle cannot judge the run.
    Undecided {
        /// The instant.
        at: i64,
        /// Why.
        reason: String,
    },
}

/// The rules of [`lurcher_ir::timed`] that a run can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Events are in order, and name what exists.
    Form,
    /// The axioms hold, constants lie in their domains.
    Axiom,
    /// Variables have values of their types.
    Type,
    /// The initial clauses hold at 0.
    Initial,
    /// What starts has an entry assertion that holds.
    Entry,
    /// What ends has an exit assertion that holds.
    Exit,
    /// An exported transition that starts has a pending call.
    Call,
    /// Transitions do not overlap.
    Exclusion,
    /// Something starts where something is enabled, and only what is selected.
    Progress,
    /// Own variables change where own transitions end; nothing changes at 0.
    Frame,
    /// Arguments have values of the types of their parameters.
    Parameters,
    /// The transitions of an imported instance follow the rules of one process.
    Import,
    /// What the property may assume holds.
    Assumption,
}

impl Rule {
    /// The name of the rule in reports.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Form => "form",
            Rule::Axiom => "axiom",
            Rule::Type => "type",
            Rule::Initial => "initial",
            Rule::Entry => "entry",
            Rule::Exit => "exit",
            Rule::Call => "call",
            Rule::Exclusion => "exclusion",
            Rule::Progress => "progress",
            Rule::Frame => "frame",
            Rule::Parameters => "parameters",
            Rule::Import => "import",
            Rule::Assumption => "assumption",
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Judgement::Violates { at } => write!(f, "the property is violated at {at}"),
            Judgement::ShowsNothing => f.write_str("the run is legal and shows no violation"),
            Judgement::Illegal { rule, at, reason } => write!(f, "illegal at {at} ({} rule): {reason}", rule.name()),
            Judgement::Undefined { clause, at } => write!(f, "{clause} has no value at {at}"),
            Judgement::Undecided { at, reason } => write!(f, "cannot be judged at {at}: {reason}"),
        }
    }
}
