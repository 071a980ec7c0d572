//! Temporal formulas: linear time with past operators, and branching time.

use crate::position_or_push;
use crate::property::Atom;
use crate::relation::TermId;

/// Names an atomic proposition of a [`Formula`]: an index into the table of atoms kept beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// An LTL formula with past operators. Derived operators are kept so that it can be printed as it was written.
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
    /// In the next state (`X`).
    Next(Box<Formula>),
    /// In this and every later state (`G`, `[]`).
    Always(Box<Formula>),
    /// In this or some later state (`F`, `<>`).
    Eventually(Box<Formula>),
    /// Strong until: the right side holds eventually, and the left side in every state before.
    Until(Box<Formula>, Box<Formula>),
    /// Weak until: as until, or the left side holds for ever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// Release, the dual of until (`V`).
    Release(Box<Formula>, Box<Formula>),
    /// In the previous state; false in the first state (`Y`).
    Previous(Box<Formula>),
    /// In the previous state; true in the first state (`Z`).
    WeakPrevious(Box<Formula>),
    /// In this and every earlier state (`H`).
    Historically(Box<Formula>),
    /// In this or some earlier state (`O`).
    Once(Box<Formula>),
    /// The right side held in this or an earlier state, and the left side in every state since (`S`).
    Since(Box<Formula>, Box<Formula>),
    /// Triggered, the dual of since (`T`).
    Triggered(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The atom of a condition, which is added to the table of atoms if it is new.
    pub fn atom(atoms: &mut Vec<Atom>, atom: Atom) -> Formula {
        Formula::Atom(AtomId(position_or_push(atoms, atom) as u32))
    }

    /// The operands of the outermost operator, left to right.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Formula> {
        use Formula::*;
        let (first, second) = match self {
            True | False | Atom(_) => (None, None),
            Not(a) | Next(a) | Always(a) | Eventually(a) | Previous(a) | WeakPrevious(a) | Historically(a)
            | Once(a) => (Some(a), None),
            And(a, b)
            | Or(a, b)
            | Implies(a, b)
            | Iff(a, b)
            | Until(a, b)
            | WeakUntil(a, b)
            | Release(a, b)
            | Since(a, b)
            | Triggered(a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second).map(|operand| &**operand)
    }

    /// The operator applied to other operands.
    ///
    /// # Panics
    ///
    /// If there are too few.
    pub fn with_operands(&self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        use Formula::*;
        let mut operands = operands.into_iter();
        let mut operand = || Box::new(operands.next().expect("an operator has its operands"));
        match self {
            True => True,
            False => False,
            Atom(atom) => Atom(*atom),
            Not(_) => Not(operand()),
            And(..) => And(operand(), operand()),
            Or(..) => Or(operand(), operand()),
            Implies(..) => Implies(operand(), operand()),
            Iff(..) => Iff(operand(), operand()),
            Next(_) => Next(operand()),
            Always(_) => Always(operand()),
            Eventually(_) => Eventually(operand()),
            Until(..) => Until(operand(), operand()),
            WeakUntil(..) => WeakUntil(operand(), operand()),
            Release(..) => Release(operand(), operand()),
            Previous(_) => Previous(operand()),
            WeakPrevious(_) => WeakPrevious(operand()),
            Historically(_) => Historically(operand()),
            Once(_) => Once(operand()),
            Since(..) => Since(operand(), operand()),
            Triggered(..) => Triggered(operand(), operand()),
        }
    }

    /// Whether the outermost operator is a past operator.
    pub fn is_past(&self) -> bool {
        use Formula::*;
        matches!(self, Previous(_) | WeakPrevious(_) | Historically(_) | Once(_) | Since(..) | Triggered(..))
    }
}

/// A number of steps; both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeBounds {
    /// At least.
    pub low: u32,
    /// At most.
    pub high: u32,
}

/// A CTL formula over a basis of operators: `AG p` is `!EU(true, !p)`. Path quantifiers range over fair runs.
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
    /// `EX`.
    ExistsNext(Box<Ctl>),
    /// `EG`.
    ExistsGlobally(Box<Ctl>),
    /// `EU`.
    ExistsUntil(Box<Ctl>, Box<Ctl>),
    /// `EG` restricted to the states within the bounds.
    ExistsGloballyWithin(TimeBounds, Box<Ctl>),
    /// `EU` whose right side holds within the bounds.
    ExistsUntilWithin(TimeBounds, Box<Ctl>, Box<Ctl>),
}

impl Ctl {
    /// Appends the terms of the atoms, left to right.
    pub fn atoms(&self, terms: &mut Vec<TermId>) {
        match self {
            Ctl::Atom(term) => terms.push(*term),
            Ctl::Not(a) | Ctl::ExistsNext(a) | Ctl::ExistsGlobally(a) | Ctl::ExistsGloballyWithin(_, a) => {
                a.atoms(terms);
            }
            Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::ExistsUntil(a, b) | Ctl::ExistsUntilWithin(_, a, b) => {
                a.atoms(terms);
                b.atoms(terms);
            }
        }
    }

    /// The formula with every atom replaced.
    pub fn with_atoms(&self, f: &dyn Fn(TermId) -> TermId) -> Ctl {
        let part = |a: &Ctl| Box::new(a.with_atoms(f));
        match self {
            Ctl::Atom(term) => Ctl::Atom(f(*term)),
            Ctl::Not(a) => Ctl::Not(part(a)),
            Ctl::And(a, b) => Ctl::And(part(a), part(b)),
            Ctl::Or(a, b) => Ctl::Or(part(a), part(b)),
            Ctl::ExistsNext(a) => Ctl::ExistsNext(part(a)),
            Ctl::ExistsGlobally(a) => Ctl::ExistsGlobally(part(a)),
            Ctl::ExistsUntil(a, b) => Ctl::ExistsUntil(part(a), part(b)),
            Ctl::ExistsGloballyWithin(bounds, a) => Ctl::ExistsGloballyWithin(*bounds, part(a)),
            Ctl::ExistsUntilWithin(bounds, a, b) => Ctl::ExistsUntilWithin(*bounds, part(a), part(b)),
        }
    }
}
