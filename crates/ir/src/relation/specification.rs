//! What is asked of a relation.
//!
//! Invariants are judged over finite runs; CTL and LTL over infinite fair ones, as NuSMV does.

use lurcher_syntax::Span;

use super::term::TermId;

/// A named question.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The name it is chosen by.
    pub name: String,
    /// What is asked.
    pub kind: SpecificationKind,
    /// The formula as the source writes it.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of questions.
#[derive(Clone, Debug)]
pub enum SpecificationKind {
    /// True in every reachable state.
    Invariant(TermId),
    /// True of every step out of a reachable state, its inputs included.
    StepInvariant(TermId),
    /// True in every initial state that has a fair run.
    Ctl(Ctl),
    /// True of every fair run.
    Ltl(Temporal),
    /// Every reachable state has a successor.
    Deadlock,
}

/// A number of steps, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeBounds {
    /// At least.
    pub low: u32,
    /// At most.
    pub high: u32,
}

/// A CTL formula over the operators that the others are made from: `AG p` is `!EU(true, !p)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ctl {
    /// A boolean term about a state.
    Atom(TermId),
    /// Negation.
    Not(Box<Ctl>),
    /// Conjunction.
    And(Box<Ctl>, Box<Ctl>),
    /// Disjunction.
    Or(Box<Ctl>, Box<Ctl>),
    /// Along some fair run, at the next state.
    ExistsNext(Box<Ctl>),
    /// Along some fair run, always.
    ExistsGlobally(Box<Ctl>),
    /// Along some fair run the second at some state, the first at all states before.
    ExistsUntil(Box<Ctl>, Box<Ctl>),
    /// As `ExistsGlobally`, at the states so many steps away.
    ExistsGloballyWithin(TimeBounds, Box<Ctl>),
    /// As `ExistsUntil`, the second so many steps away.
    ExistsUntilWithin(TimeBounds, Box<Ctl>, Box<Ctl>),
}

/// An LTL formula with past operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Temporal {
    /// A boolean term about a state and the inputs of the step that leaves it.
    Atom(TermId),
    /// Negation.
    Not(Box<Temporal>),
    /// Conjunction.
    And(Box<Temporal>, Box<Temporal>),
    /// Disjunction.
    Or(Box<Temporal>, Box<Temporal>),
    /// Both or neither.
    Iff(Box<Temporal>, Box<Temporal>),
    /// At the next state.
    Next(Box<Temporal>),
    /// From here on always.
    Globally(Box<Temporal>),
    /// From here on at some time.
    Finally(Box<Temporal>),
    /// The second happens, and the first holds up to then.
    Until(Box<Temporal>, Box<Temporal>),
    /// The dual of until: the second holds up to and including the first time the first does, or for ever.
    Releases(Box<Temporal>, Box<Temporal>),
    /// At the state before, and there is one.
    Previous(Box<Temporal>),
    /// At the state before, if there is one.
    WeakPrevious(Box<Temporal>),
    /// Always so far, here included.
    Historically(Box<Temporal>),
    /// At some time so far, here included.
    Once(Box<Temporal>),
    /// The second has happened, and the first has held since then.
    Since(Box<Temporal>, Box<Temporal>),
    /// The dual of since.
    Triggered(Box<Temporal>, Box<Temporal>),
}
