//! Properties of a model.

use lurcher_syntax::Span;

use crate::expr::Expr;
use crate::formula::{Ctl, Formula};
use crate::model::ProcessTypeId;
use crate::relation::TermId;
use crate::timed;

/// A named property.
#[derive(Clone, Debug)]
pub struct Property {
    /// The name by which the user selects it.
    pub name: String,
    /// What it requires.
    pub kind: PropertyKind,
    /// The formula as the source writes it, or empty.
    pub text: String,
    /// Where the source states it; the default span if it does not.
    pub span: Span,
}

impl Property {
    /// A property that the source does not state.
    pub fn built_in(name: &str, kind: PropertyKind) -> Self {
        Property { name: name.to_owned(), kind, text: String::new(), span: Span::default() }
    }
}

/// A condition on a state: an expression of a process model or a term of a relation.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom {
    /// An expression of a process model.
    Expr(Expr),
    /// A term of a relation. It may read the inputs of the step that leaves the state.
    Term(TermId),
}

impl Atom {
    /// The expression of a process model.
    ///
    /// # Panics
    ///
    /// If the atom belongs to a relation.
    pub fn expr(&self) -> &Expr {
        match self {
            Atom::Expr(expr) => expr,
            Atom::Term(term) => panic!("{term:?} of a relation is used as an expression of a process model"),
        }
    }

    /// The term of a relation.
    ///
    /// # Panics
    ///
    /// If the atom belongs to a process model.
    pub fn term(&self) -> TermId {
        match self {
            Atom::Term(term) => *term,
            Atom::Expr(expr) => panic!("{expr:?} of a process model is used as a term of a relation"),
        }
    }
}

/// The kinds of properties. For relations, invariants are judged on finite runs, CTL and LTL on infinite fair runs, as in
/// NuSMV.
#[derive(Clone, Debug)]
pub enum PropertyKind {
    /// Process models: no invalid end state, failed assertion or fault.
    Safety,
    /// Relations: every reachable state has a successor.
    Deadlock,
    /// The condition holds in every reachable state.
    Invariant(Atom),
    /// Relations: the condition holds for every step out of a reachable state, inputs included.
    StepInvariant(Atom),
    /// Every infinite (fair) run satisfies the formula.
    Ltl {
        /// The formula.
        formula: Formula,
        /// The meaning of its atoms, by [`AtomId`](crate::AtomId).
        atoms: Vec<Atom>,
    },
    /// Relations: every initial state with a fair run satisfies the formula.
    Ctl(Ctl),
    /// Process models: the never claim accepts no run.
    Never(ProcessTypeId),
    /// Process models: every infinite run visits progress locations infinitely often.
    NonProgress,
    /// Process models: no infinite run visits accepting locations infinitely often.
    Acceptance,
    /// Timed models: a conjunct of an invariant, a constraint or a schedule.
    Timed(timed::PropertyRef),
}

impl PropertyKind {
    /// The name of the kind in reports.
    pub fn name(&self) -> &'static str {
        match self {
            PropertyKind::Safety => "safety",
            PropertyKind::Deadlock => "deadlock",
            PropertyKind::Invariant(_) | PropertyKind::StepInvariant(_) => "invariant",
            PropertyKind::Ltl { .. } => "ltl",
            PropertyKind::Ctl(_) => "ctl",
            PropertyKind::Never(_) => "never",
            PropertyKind::NonProgress => "non-progress",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::Timed(property) => property.kind.name(),
        }
    }

    /// The atoms of an invariant or an LTL formula.
    fn atoms(&self) -> &[Atom] {
        match self {
            PropertyKind::Invariant(atom) | PropertyKind::StepInvariant(atom) => std::slice::from_ref(atom),
            PropertyKind::Ltl { atoms, .. } => atoms,
            _ => &[],
        }
    }

    /// The expressions that a property of a process model reads.
    pub fn exprs(&self) -> Vec<Expr> {
        self.atoms().iter().map(|atom| atom.expr().clone()).collect()
    }

    /// The terms that a property of a relation reads.
    pub fn terms(&self) -> Vec<TermId> {
        let mut terms: Vec<TermId> = self.atoms().iter().map(Atom::term).collect();
        if let PropertyKind::Ctl(formula) = self {
            formula.atoms(&mut terms);
        }
        terms
    }

    /// The property of a relation with every term replaced.
    pub fn with_terms(&self, f: &dyn Fn(TermId) -> TermId) -> PropertyKind {
        let map = |atom: &Atom| Atom::Term(f(atom.term()));
        match self {
            PropertyKind::Invariant(atom) => PropertyKind::Invariant(map(atom)),
            PropertyKind::StepInvariant(atom) => PropertyKind::StepInvariant(map(atom)),
            PropertyKind::Ctl(formula) => PropertyKind::Ctl(formula.with_atoms(f)),
            PropertyKind::Ltl { formula, atoms } => {
                PropertyKind::Ltl { formula: formula.clone(), atoms: atoms.iter().map(map).collect() }
            }
            other => other.clone(),
        }
    }
}
