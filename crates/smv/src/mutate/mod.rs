//! Fault seeding: mutants of a model with one fault each, for experiments with engines.
//!
//! The kinds are those of Owen, Menzies, Heimdahl and Gao's study of LURCH (2003): a variable replaced by another of the
//! same type, a condition inserted, removed or negated; dropped conjuncts are their counterpart for models that are
//! written as constraints. A fault is in an assignment, a definition, an argument of an instance or a constraint, never in
//! a specification.
//!
//! [`sites()`] lists the possible faults in source order. A [`Seeder`] draws from that list: it cycles through the kinds,
//! draws a site of the kind, then one of its faults. The list and the generator (`draws.rs`) are a contract: mutant *n* of
//! a seed is the same everywhere.

mod draws;
mod edit;
mod scope;
mod seeder;
mod sites;
mod tree;

#[cfg(test)]
mod tests;

pub use seeder::{Mutant, Seeder, Skipped};
pub use sites::{Site, sites};

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A variable, definition or parameter in place of another of its type.
    VariableReplacement,
    /// `c` became `c & v` or `c | v`, `v` negated or not.
    ConditionInsertion,
    /// A conjunct, a disjunct, a premise or a branch of a `case` is missing.
    ConditionRemoval,
    /// `c` became `!c`.
    ConditionNegation,
    /// A conjunct of an `INIT`, `INVAR` or `TRANS` is missing.
    DroppedConjunct,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [FaultKind; 5] = [
        FaultKind::VariableReplacement,
        FaultKind::ConditionInsertion,
        FaultKind::ConditionRemoval,
        FaultKind::ConditionNegation,
        FaultKind::DroppedConjunct,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::VariableReplacement => "variable-replacement",
            FaultKind::ConditionInsertion => "condition-insertion",
            FaultKind::ConditionRemoval => "condition-removal",
            FaultKind::ConditionNegation => "condition-negation",
            FaultKind::DroppedConjunct => "dropped-conjunct",
        }
    }
}
