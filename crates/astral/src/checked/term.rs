//! Typed terms.

use std::ops::Index;

use lurcher_syntax::Span;

use super::{
    BinaryOp, BoundId, ConstantId, DefineId, EventKind, InstancesId, ProcessId, Quantifier, TermId, TransitionId, Type,
    TypeId, VariableId,
};

/// A term with its type and place.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Its type.
    pub ty: Type,
    /// Its place in the file.
    pub span: Span,
}

/// Kinds of terms.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A number.
    Number(Rational),
    /// A value of an enumeration, by its position.
    Enumerator(TypeId, u32),
    /// `now`; the end of the transition in an exit assertion.
    Now,
    /// `Self`.
    SelfId,
    /// An instance, or an element of an array of instances.
    Instance(InstancesId, Option<TermId>),
    /// A bound variable or parameter.
    Bound(BoundId),
    /// A constant with its arguments.
    Constant(ConstantId, Vec<TermId>),
    /// A variable with its arguments.
    Variable {
        /// The variable.
        variable: VariableId,
        /// Whose variable.
        owner: Owner,
        /// Its arguments.
        arguments: Vec<TermId>,
        /// Whether it is the value at the start of the transition.
        primed: bool,
    },
    /// A definition with its arguments; if primed, all variables in its body are.
    Define(DefineId, Vec<TermId>, bool),
    /// `~a`.
    Not(TermId),
    /// `-a`.
    Minus(TermId),
    /// A binary operator; never one on lists or sets, and never `BECOMES`.
    Binary(BinaryOp, TermId, TermId),
    /// `IF c THEN a ELSE b FI`.
    If(TermId, TermId, TermId),
    /// `IDTYPE(a) = process`.
    IsOf(TermId, ProcessId),
    /// A quantifier over one or more variables.
    Quantified(Quantifier, Vec<BoundId>, TermId),
    /// The instant of an event, or whether it was at an instant.
    Event(Event),
    /// The instant of the `nth` last change of a term, or whether it was at an instant.
    Change {
        /// The term.
        of: TermId,
        /// Counted back; 1 is the last change.
        nth: u32,
        /// The instant that is asked about.
        at: Option<TermId>,
    },
    /// The value of a term at an instant.
    Past(TermId, TermId),
    /// `variable BECOMES value`.
    Becomes(TermId, TermId),
    /// `NOCHANGE(variables)`.
    NoChange(Vec<TermId>),
}

/// Whose variable or transition it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The instance that the formula is about.
    Own,
    /// The instance that a term of type `ID` denotes.
    Instance(TermId),
}

/// `owner.Start[k](T(arguments), t)` and the like.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Start, end or call.
    pub kind: EventKind,
    /// The transition.
    pub transition: TransitionId,
    /// Whose transition.
    pub owner: Owner,
    /// Its first arguments; the others may be any.
    pub arguments: Vec<TermId>,
    /// Counted back; 1 is the last event.
    pub nth: u32,
    /// The instant that is asked about; without it, the term is the instant of the event.
    pub at: Option<TermId>,
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rational {
    /// The numerator.
    pub numerator: i64,
    /// The denominator in lowest terms; positive.
    pub denominator: i64,
}

impl Rational {
    /// A whole number.
    pub fn integer(value: i64) -> Self {
        Rational { numerator: value, denominator: 1 }
    }

    /// The number of `12.50`; `None` if it has too many digits.
    pub(crate) fn decimal(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let numerator = format!("{whole}{fraction}").parse().ok()?;
        let denominator = 10_i64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        Some(Rational { numerator, denominator }.reduced())
    }

    fn reduced(self) -> Self {
        let (mut a, mut b) = (self.numerator.abs(), self.denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Rational { numerator: self.numerator / a, denominator: self.denominator / a }
    }
}

impl TermKind {
    /// The terms in it, left to right.
    pub fn operands(&self) -> Vec<TermId> {
        match self {
            TermKind::Boolean(_) | TermKind::Number(_) | TermKind::Enumerator(..) | TermKind::Now => Vec::new(),
            TermKind::SelfId | TermKind::Bound(_) | TermKind::Instance(_, None) => Vec::new(),
            TermKind::Instance(_, Some(a)) | TermKind::Not(a) | TermKind::Minus(a) => vec![*a],
            TermKind::IsOf(a, _) | TermKind::Quantified(_, _, a) => vec![*a],
            TermKind::Constant(_, list) | TermKind::Define(_, list, _) | TermKind::NoChange(list) => list.clone(),
            TermKind::Variable { owner, arguments, .. } => owner.term().into_iter().chain(arguments.clone()).collect(),
            TermKind::Binary(_, a, b) | TermKind::Past(a, b) | TermKind::Becomes(a, b) => vec![*a, *b],
            TermKind::If(c, a, b) => vec![*c, *a, *b],
            TermKind::Event(e) => e.owner.term().into_iter().chain(e.arguments.clone()).chain(e.at).collect(),
            TermKind::Change { of, at, .. } => std::iter::once(*of).chain(*at).collect(),
        }
    }
}

impl Owner {
    /// The term of another instance.
    pub fn term(self) -> Option<TermId> {
        match self {
            Owner::Own => None,
            Owner::Instance(term) => Some(term),
        }
    }
}

/// All terms of a specification. Operands stand before the terms that contain them.
#[derive(Clone, Debug, Default)]
pub struct Terms(Vec<Term>);

impl Terms {
    pub(crate) fn add(&mut self, kind: TermKind, ty: Type, span: Span) -> TermId {
        self.0.push(Term { kind, ty, span });
        TermId::new(self.0.len() - 1)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All terms with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TermId, &Term)> {
        self.0.iter().enumerate().map(|(i, term)| (TermId::new(i), term))
    }

    /// A term and all terms in it, without those in definitions; each before its operands.
    pub fn within(&self, term: TermId) -> Vec<TermId> {
        let mut found = vec![term];
        let mut next = 0;
        while let Some(&part) = found.get(next) {
            found.extend(self[part].kind.operands());
            next += 1;
        }
        found
    }

    /// The conjuncts of a formula, from left to right.
    pub fn conjuncts(&self, formula: TermId) -> Vec<TermId> {
        let mut conjuncts = Vec::new();
        let mut open = vec![formula];
        while let Some(term) = open.pop() {
            match self[term].kind {
                TermKind::Binary(BinaryOp::And, a, b) => open.extend([b, a]),
                _ => conjuncts.push(term),
            }
        }
        conjuncts
    }
}

impl Index<TermId> for Terms {
    type Output = Term;

    fn index(&self, id: TermId) -> &Term {
        &self.0[id.index()]
    }
}
