//! Past operators as history variables.
//!
//! The truth of a past operator follows from its operands and from its truth one position before, which a boolean
//! variable stores. The operands must be terms, so a prophecy variable replaces an operand with future operators.

use lurcher_ir::Formula;
use lurcher_ir::relation::{BinaryTerm, Domain, TermId};

use super::Product;

/// The meaning of a subformula.
pub(super) enum Meaning {
    /// A term of the extended relation: the subformula has no future operators.
    Term(TermId),
    /// A formula over atoms of the extended relation.
    Formula(Formula),
}

impl Product {
    pub(super) fn meaning(&mut self, formula: &Formula) -> Meaning {
        Meaning::Term(match formula {
            Formula::Previous(a) => {
                let a = self.term(a);
                self.history(false, |_, _| a).0
            }
            Formula::WeakPrevious(a) => {
                let a = self.term(a);
                self.history(true, |_, _| a).0
            }
            Formula::Once(a) => {
                let a = self.term(a);
                self.history(false, |p, before| p.binary(BinaryTerm::Or, a, before)).1
            }
            Formula::Historically(a) => {
                let a = self.term(a);
                self.history(true, |p, before| p.binary(BinaryTerm::And, a, before)).1
            }
            Formula::Since(a, b) => self.since(a, b, BinaryTerm::And, BinaryTerm::Or),
            Formula::Triggered(a, b) => self.since(a, b, BinaryTerm::Or, BinaryTerm::And),
            _ => {
                let operands: Vec<Meaning> = formula.operands().map(|operand| self.meaning(operand)).collect();
                match self.connective(formula, &operands) {
                    Some(term) => term,
                    None => {
                        let operands: Vec<Formula> = operands.into_iter().map(|o| self.formula(o)).collect();
                        return Meaning::Formula(formula.with_operands(operands));
                    }
                }
            }
        })
    }

    /// The term of an atom or of a boolean connective of terms.
    fn connective(&mut self, formula: &Formula, operands: &[Meaning]) -> Option<TermId> {
        use Meaning::Term;
        Some(match (formula, operands) {
            (Formula::Atom(id), _) => self.meanings[id.0 as usize],
            (Formula::True, _) => self.relation.terms.truth(true),
            (Formula::False, _) => self.relation.terms.truth(false),
            (Formula::Not(_), [Term(a)]) => self.relation.terms.not(*a),
            (Formula::And(..), [Term(a), Term(b)]) => self.binary(BinaryTerm::And, *a, *b),
            (Formula::Or(..), [Term(a), Term(b)]) => self.binary(BinaryTerm::Or, *a, *b),
            (Formula::Iff(..), [Term(a), Term(b)]) => self.binary(BinaryTerm::Eq, *a, *b),
            (Formula::Implies(..), [Term(a), Term(b)]) => {
                let not_a = self.relation.terms.not(*a);
                self.binary(BinaryTerm::Or, not_a, *b)
            }
            _ => return None,
        })
    }

    fn binary(&mut self, op: BinaryTerm, a: TermId, b: TermId) -> TermId {
        self.relation.terms.binary(op, a, b)
    }

    /// A term for a formula: its meaning, or a prophecy variable.
    fn term(&mut self, formula: &Formula) -> TermId {
        match self.meaning(formula) {
            Meaning::Term(term) => term,
            Meaning::Formula(formula) => {
                let variable = self.add_free_variable();
                let term = self.relation.terms.current(variable);
                let atom = self.atom(term);
                self.prophecies.push(Formula::Iff(Box::new(atom), Box::new(formula)));
                term
            }
        }
    }

    /// Since is `b || (a && before)`; triggered is its dual.
    fn since(&mut self, a: &Formula, b: &Formula, inner: BinaryTerm, outer: BinaryTerm) -> TermId {
        let (a, b) = (self.term(a), self.term(b));
        let holds = |p: &mut Self, before: TermId| {
            let continued = p.binary(inner, a, before);
            p.binary(outer, b, continued)
        };
        self.history(outer == BinaryTerm::And, holds).1
    }

    /// Adds a history variable: initially `first`, then the value of `next` one position before. Returns its value and
    /// that of `next`.
    fn history(&mut self, first: bool, next: impl FnOnce(&mut Self, TermId) -> TermId) -> (TermId, TermId) {
        let variable = self.add_variable(if first { "so far" } else { "once" }, Domain::Boolean);
        let before = self.relation.terms.current(variable);
        let next = next(self, before);
        let initial = self.relation.terms.truth(first);
        self.assign(variable, initial, next);
        (before, next)
    }
}
