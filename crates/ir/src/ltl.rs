//! Linear temporal logic formulas and the Büchi automata they become.
//!
//! Both speak of atoms by number; whoever owns the formula keeps the table of atoms (expressions of the model). The
//! translation lives in the crate `lurcher-ltl`.

/// Names an atomic proposition: an index into the table kept beside the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// A formula as the user wrote it. Derived operators are kept so that it can be printed back.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Formula {
    /// True.
    True,
    /// False.
    False,
    /// An atomic proposition.
    Atom(AtomId),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Box<Formula>, Box<Formula>),
    /// Disjunction.
    Or(Box<Formula>, Box<Formula>),
    /// Implication.
    Implies(Box<Formula>, Box<Formula>),
    /// Equivalence.
    Iff(Box<Formula>, Box<Formula>),
    /// At the next step.
    Next(Box<Formula>),
    /// From here on always.
    Always(Box<Formula>),
    /// From here on at some time.
    Eventually(Box<Formula>),
    /// Strong until: the right side happens, and the left holds up to then.
    Until(Box<Formula>, Box<Formula>),
    /// Weak until: as until, or the left side holds for ever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// Release, the dual of until (Spin's `V`).
    Release(Box<Formula>, Box<Formula>),
}

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
