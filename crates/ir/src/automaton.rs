//! Büchi automata: what `lurcher-ltl` makes of a formula.

use crate::formula::AtomId;

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The atom.
    pub atom: AtomId,
    /// False for the negated atom.
    pub positive: bool,
}

/// A move of an automaton: possible when every literal holds in the current state of the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BuchiEdge {
    /// A conjunction, sorted, without duplicates or contradictions; empty means true.
    pub guard: Vec<Literal>,
    /// The state it leads to: an index into [`Buchi::states`].
    pub target: usize,
}

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BuchiState {
    /// An infinite run is accepted when it visits accepting states infinitely often.
    pub accepting: bool,
    /// Moves out; none means that every run through here is rejected.
    pub edges: Vec<BuchiEdge>,
}

/// A Büchi automaton with one initial state. It reads the state of the model *before* each move, so an edge out of
/// the initial state is labelled by the first letter of the word.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Buchi {
    /// States; state 0 is initial.
    pub states: Vec<BuchiState>,
}
