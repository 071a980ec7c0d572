//! Büchi automata, into which `lurcher-ltl` translates formulas.

use crate::formula::AtomId;

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The atom.
    pub atom: AtomId,
    /// False for the negated atom.
    pub positive: bool,
}

/// A transition of an automaton, enabled if every literal holds in the current state of the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BuchiEdge {
    /// A conjunction, sorted, without duplicates or contradictions; empty means true.
    pub guard: Vec<Literal>,
    /// The target: an index into [`Buchi::states`].
    pub target: usize,
}

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BuchiState {
    /// A run is accepted if it visits accepting states infinitely often.
    pub accepting: bool,
    /// Outgoing transitions.
    pub edges: Vec<BuchiEdge>,
}

/// A Büchi automaton. It reads the state of the model *before* each move: an edge of the initial state reads the first
/// letter of the word.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Buchi {
    /// States; state 0 is initial.
    pub states: Vec<BuchiState>,
}
