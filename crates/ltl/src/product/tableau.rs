//! Formulas as constraints of the relation, without an automaton.
//!
//! The tableau of Clarke, Grumberg and Hamaguchi (*Another look at LTL model checking*, CAV 1994) in the form with prophecies:
//! for each until `u` a boolean variable is `u`'s truth at the current position. It is chosen freely, and a constraint of
//! every transition makes it right: `a U b` holds if `b` does, or `a` and the next value of the variable. Justice rules out
//! runs on which the variable promises a `b` that never comes. The operand of a next operator has such a variable as well.
//!
//! The variables are as many as the operators, whatever automaton they would need, so this is for BDDs; state by state, a free
//! choice of many prophecies is slow.

use std::collections::HashMap;

use lurcher_ir::AtomId;
use lurcher_ir::relation::{BinaryTerm, Constraint, Domain, TermId};
use lurcher_syntax::Span;

use super::Product;
use crate::term::{Term, Terms, View};

/// A formula under construction as constraints.
pub(super) struct Tableau<'p, 't> {
    product: &'p mut Product,
    terms: &'t Terms,
    atoms: &'t [AtomId],
    /// The truth of subformulas, in terms of current values and next prophecies.
    truths: HashMap<Term, TermId>,
    /// The prophecies of subformulas, as terms of current values.
    prophecies: HashMap<Term, TermId>,
}

impl<'p, 't> Tableau<'p, 't> {
    /// Restricts the runs of the product to those that satisfy a formula.
    pub fn require(product: &'p mut Product, terms: &'t Terms, atoms: &'t [AtomId], formula: Term) {
        let mut tableau = Tableau { product, terms, atoms, truths: HashMap::new(), prophecies: HashMap::new() };
        // A prophecy of a subformula is needed before the truth of what it occurs in.
        for term in terms.subterms(formula) {
            tableau.prepare(term);
        }
        let truth = tableau.truth(formula);
        let relation = &mut tableau.product.relation;
        let [yes, no] = [true, false].map(|v| relation.terms.truth(v));
        let first = tableau.product.add_variable("first", Domain::Boolean);
        tableau.product.assign(first, yes, no);
        let terms = &mut tableau.product.relation.terms;
        let first = terms.current(first);
        let later = terms.not(first);
        let constraint = terms.binary(BinaryTerm::Or, later, truth);
        tableau.constrain(constraint);
    }

    /// Makes the truth of a subformula known; that of its own subformulas is.
    fn prepare(&mut self, term: Term) {
        match self.terms.view(term) {
            View::Next(operand) => {
                let operand = positive(operand);
                let truth = self.truth(operand);
                self.prophecy(operand, truth);
            }
            // The negation of an until is made of it.
            View::Until(a, b) => self.until(term, a, b),
            View::Release(a, b) => self.until(!term, !a, !b),
            _ => {}
        }
    }

    fn until(&mut self, until: Term, a: Term, b: Term) {
        if self.prophecies.contains_key(&until) {
            return;
        }
        let (a, b) = (self.truth(a), self.state_truth(b));
        let (now, next) = self.variable();
        let terms = &mut self.product.relation.terms;
        let continued = terms.binary(BinaryTerm::And, a, next);
        let truth = terms.binary(BinaryTerm::Or, b, continued);
        let correct = terms.binary(BinaryTerm::Eq, now, truth);
        let unpromised = terms.not(now);
        let fulfilled = terms.binary(BinaryTerm::Or, unpromised, b);
        self.constrain(correct);
        self.product.relation.justice.push(fulfilled);
        self.prophecies.insert(until, now);
        self.truths.insert(until, now);
    }

    /// The truth of a formula as a term of current values only, as justice needs it.
    fn state_truth(&mut self, term: Term) -> TermId {
        let truth = self.truth(term);
        let relation = &self.product.relation;
        let support = relation.terms.support(truth);
        let is_input = |v: &_| relation.inputs().any(|(input, _)| input == *v);
        if support.next.is_empty() && !support.current.iter().any(is_input) {
            return truth;
        }
        let positive = positive(term);
        let truth = self.truth(positive);
        let prophecy = self.prophecy(positive, truth);
        if positive == term { prophecy } else { self.product.relation.terms.not(prophecy) }
    }

    /// The prophecy of a formula with this truth.
    fn prophecy(&mut self, term: Term, truth: TermId) -> TermId {
        if let Some(&known) = self.prophecies.get(&term) {
            return known;
        }
        let (now, _) = self.variable();
        let correct = self.product.relation.terms.binary(BinaryTerm::Eq, now, truth);
        self.constrain(correct);
        self.prophecies.insert(term, now);
        now
    }

    /// The truth of a formula whose prophecies there are.
    fn truth(&mut self, term: Term) -> TermId {
        if let Some(&known) = self.truths.get(&term) {
            return known;
        }
        let truth = match self.terms.view(term) {
            View::True => self.product.relation.terms.truth(true),
            View::False => self.product.relation.terms.truth(false),
            View::Literal(atom, is_positive) => {
                let atom = self.product.atoms[self.atoms[atom].0 as usize];
                if is_positive { atom } else { self.product.relation.terms.not(atom) }
            }
            View::And(children) => {
                let children: Vec<TermId> = children.into_iter().map(|child| self.truth(child)).collect();
                self.product.relation.terms.all(children)
            }
            View::Or(children) => {
                let children: Vec<TermId> = children.into_iter().map(|child| self.truth(child)).collect();
                self.product.relation.terms.any(children)
            }
            View::Next(operand) => {
                let next = self.next_of(positive(operand));
                if positive(operand) == operand { next } else { self.product.relation.terms.not(next) }
            }
            View::Release(..) => {
                let until = self.truth(!term);
                self.product.relation.terms.not(until)
            }
            View::Until(..) => unreachable!("the subformulas of a formula are prepared before it"),
        };
        self.truths.insert(term, truth);
        truth
    }

    /// The next value of a prophecy.
    fn next_of(&mut self, term: Term) -> TermId {
        let now = self.prophecies[&term];
        let terms = &mut self.product.relation.terms;
        let variable = terms.support(now).current[0];
        terms.next(variable)
    }

    /// A boolean that is chosen freely: its current and its next value.
    fn variable(&mut self) -> (TermId, TermId) {
        let variable = self.product.add_free_variable();
        let terms = &mut self.product.relation.terms;
        (terms.current(variable), terms.next(variable))
    }

    /// Adds a constraint on every transition.
    fn constrain(&mut self, term: TermId) {
        for transition in &mut self.product.relation.transitions {
            transition.block.constraints.push(Constraint { term, span: Span::default() });
        }
    }
}

/// A formula or its negation: the one without a sign.
fn positive(term: Term) -> Term {
    term.min(!term)
}
