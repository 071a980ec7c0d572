//! Formulas in negation normal form, hash-consed.
//!
//! A [`Term`] is the number of a node and a sign, so negation is free, and [`Terms::view`] shows the negation normal form: a
//! negated conjunction as a disjunction, a negated until as a release. Each rewriting rule is written once, for `and` and
//! `until`; its dual for `or` and `release` follows by negation.
//!
//! Invariants: a node has a larger number than its children, so increasing terms are in bottom-up order; a conjunction has
//! at least two children, sorted, distinct, and no conjunctions; terms are built through the rewriting constructors.
//!
//! * `build.rs`: from a formula to a term
//! * `rewrite.rs`: the constructors and their rules
//! * `implication.rs`: the sound, incomplete implication test of the rules
//! * `postpone.rs`: one more rewriting, of the whole term

mod build;
mod implication;
mod postpone;
mod rewrite;

use std::collections::HashMap;
use std::ops::Not;

use indexmap::IndexMap;

pub(crate) use build::{Simplified, simplify};
pub(crate) use postpone::postponed;

/// A formula: a node, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Term(u32);

impl Term {
    pub(crate) const TRUE: Term = Term(0);
    pub(crate) const FALSE: Term = Term(1);

    fn node(self) -> usize {
        self.0 as usize / 2
    }

    fn is_negated(self) -> bool {
        self.0 % 2 == 1
    }
}

impl Not for Term {
    type Output = Term;

    fn not(self) -> Term {
        Term(self.0 ^ 1)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    True,
    Atom(usize),
    And(Box<[Term]>),
    Next(Term),
    Until(Term, Term),
}

/// A term in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum View {
    True,
    False,
    Literal(usize, bool),
    And(Vec<Term>),
    Or(Vec<Term>),
    Next(Term),
    Until(Term, Term),
    Release(Term, Term),
}

/// Structural properties of a node. A term is *eventual* if it holds whenever it holds later (`<>p`, `[]<>p`), and
/// *universal* if it holds later whenever it holds (`[]p`, `[]<>p`): the pure eventualities and universalities of Etessami
/// and Holzmann (*Optimizing Büchi automata*, CONCUR 2000). Negation swaps the two.
#[derive(Clone, Copy, Debug)]
struct Traits {
    eventual: bool,
    universal: bool,
    temporal: bool,
}

/// The term graph.
pub(crate) struct Terms {
    nodes: IndexMap<Node, Traits>,
    implications: HashMap<(Term, Term), bool>,
    /// Remaining rewriting steps and implication tests; at 0, terms are built without rewriting.
    fuel: u32,
    /// The recursion depth of rewriting and implication tests.
    depth: u32,
}

const FUEL: u32 = 100_000;
const MAX_DEPTH: u32 = 60;

impl Terms {
    pub(crate) fn new() -> Self {
        let mut terms = Terms { nodes: IndexMap::new(), implications: HashMap::new(), fuel: FUEL, depth: 0 };
        let top = terms.intern(Node::True);
        debug_assert_eq!(top, Term::TRUE);
        terms
    }

    pub(crate) fn view(&self, term: Term) -> View {
        let negated = term.is_negated();
        let sign = |child: Term| if negated { !child } else { child };
        match self.node(term).0 {
            Node::True if negated => View::False,
            Node::True => View::True,
            Node::Atom(atom) => View::Literal(*atom, !negated),
            Node::And(children) if negated => View::Or(children.iter().map(|&child| !child).collect()),
            Node::And(children) => View::And(children.to_vec()),
            Node::Next(a) => View::Next(sign(*a)),
            Node::Until(a, b) if negated => View::Release(!*a, !*b),
            Node::Until(a, b) => View::Until(*a, *b),
        }
    }

    pub(crate) fn children(&self, term: Term) -> Vec<Term> {
        match self.view(term) {
            View::True | View::False | View::Literal(..) => Vec::new(),
            View::And(children) | View::Or(children) => children,
            View::Next(a) => vec![a],
            View::Until(a, b) | View::Release(a, b) => vec![a, b],
        }
    }

    /// The conjuncts of a term.
    pub(crate) fn conjuncts(&self, term: Term) -> Vec<Term> {
        match self.view(term) {
            View::And(children) => children,
            View::True => Vec::new(),
            _ => vec![term],
        }
    }

    /// The conjuncts of a term, with those under `[]` apart, which rewriting has merged.
    pub(crate) fn parts(&mut self, term: Term) -> Vec<Term> {
        let mut parts = Vec::new();
        for conjunct in self.conjuncts(term) {
            match self.view(conjunct) {
                View::Release(Term::FALSE, always) => {
                    let always = self.conjuncts(always);
                    parts.extend(always.into_iter().map(|part| self.release(Term::FALSE, part)));
                }
                _ => parts.push(conjunct),
            }
        }
        parts
    }

    /// The term and all its subterms, bottom-up.
    pub(crate) fn subterms(&self, term: Term) -> Vec<Term> {
        let mut seen = vec![false; 2 * self.nodes.len()];
        let mut pending = vec![term];
        let mut subterms = Vec::new();
        while let Some(term) = pending.pop() {
            if !std::mem::replace(&mut seen[term.0 as usize], true) {
                subterms.push(term);
                pending.extend(self.children(term));
            }
        }
        subterms.sort_unstable();
        subterms
    }

    /// Whether the term is eventual.
    pub(crate) fn is_eventual(&self, term: Term) -> bool {
        let traits = self.node(term).1;
        if term.is_negated() { traits.universal } else { traits.eventual }
    }

    /// Whether the term is universal.
    pub(crate) fn is_universal(&self, term: Term) -> bool {
        self.is_eventual(!term)
    }

    /// Whether the term has temporal operators.
    pub(crate) fn is_temporal(&self, term: Term) -> bool {
        self.node(term).1.temporal
    }

    fn intern(&mut self, node: Node) -> Term {
        let number = match self.nodes.get_index_of(&node) {
            Some(known) => known,
            None => {
                let traits = self.traits_of(&node);
                self.nodes.insert_full(node, traits).0
            }
        };
        Term(u32::try_from(number).expect("terms fit 31 bits") * 2)
    }

    fn node(&self, term: Term) -> (&Node, &Traits) {
        self.nodes.get_index(term.node()).expect("a term is a node of its graph")
    }

    fn traits_of(&self, node: &Node) -> Traits {
        let (eventual, universal) = match node {
            Node::True => (true, true),
            Node::Atom(_) => (false, false),
            Node::And(children) => {
                (children.iter().all(|&c| self.is_eventual(c)), children.iter().all(|&c| self.is_universal(c)))
            }
            Node::Next(a) => (self.is_eventual(*a), self.is_universal(*a)),
            Node::Until(a, b) => {
                (*a == Term::TRUE || self.is_eventual(*b), self.is_universal(*b) && self.is_universal(*a))
            }
        };
        let temporal = match node {
            Node::True | Node::Atom(_) => false,
            Node::And(children) => children.iter().any(|&c| self.is_temporal(c)),
            Node::Next(_) | Node::Until(..) => true,
        };
        Traits { eventual, universal, temporal }
    }
}
