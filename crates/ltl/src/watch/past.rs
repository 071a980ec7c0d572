//! Past operators as history variables.
//!
//! What a past operator says of a position follows from its operands there and from what it said one position before:
//! a boolean variable keeps the latter. That needs operands that are terms. Where an operand looks into the future, a
//! prophecy stands for it.

use lurcher_ir::Formula;
use lurcher_ir::relation::{BinaryTerm, Domain, TermId, VariableId};

use super::Watch;

/// What a part of a formula turned out to be.
pub(super) enum Meaning {
    /// A term: the present and the past decide it.
    Now(TermId),
    /// The future has a say.
    Later(Formula),
}

impl Watch {
    pub(super) fn meaning(&mut self, formula: &Formula) -> Meaning {
        match formula {
            Formula::True => Meaning::Now(self.relation.terms.truth(true)),
            Formula::False => Meaning::Now(self.relation.terms.truth(false)),
            Formula::Atom(id) => Meaning::Now(self.meanings[id.0 as usize]),
            Formula::Not(a) => match self.meaning(a) {
                Meaning::Now(a) => Meaning::Now(self.relation.terms.not(a)),
                Meaning::Later(a) => Meaning::Later(Formula::Not(Box::new(a))),
            },
            Formula::And(a, b) => self.connect(a, b, BinaryTerm::And, Formula::And),
            Formula::Or(a, b) => self.connect(a, b, BinaryTerm::Or, Formula::Or),
            Formula::Implies(a, b) => match (self.meaning(a), self.meaning(b)) {
                (Meaning::Now(a), Meaning::Now(b)) => {
                    let not_a = self.relation.terms.not(a);
                    Meaning::Now(self.either(not_a, b))
                }
                (a, b) => self.later(a, b, Formula::Implies),
            },
            Formula::Iff(a, b) => self.connect(a, b, BinaryTerm::Eq, Formula::Iff),
            Formula::Next(a) => self.ahead(a, Formula::Next),
            Formula::Always(a) => self.ahead(a, Formula::Always),
            Formula::Eventually(a) => self.ahead(a, Formula::Eventually),
            Formula::Until(a, b) => self.ahead_of_two(a, b, Formula::Until),
            Formula::WeakUntil(a, b) => self.ahead_of_two(a, b, Formula::WeakUntil),
            Formula::Release(a, b) => self.ahead_of_two(a, b, Formula::Release),
            Formula::Previous(a) => {
                let (a, (variable, before)) = (self.present(a), self.history(false));
                self.remember(variable, false, a);
                Meaning::Now(before)
            }
            Formula::WeakPrevious(a) => {
                let (a, (variable, before)) = (self.present(a), self.history(true));
                self.remember(variable, true, a);
                Meaning::Now(before)
            }
            Formula::Once(a) => {
                let a = self.present(a);
                self.past(false, |w, before| w.either(a, before))
            }
            Formula::Historically(a) => {
                let a = self.present(a);
                self.past(true, |w, before| w.both(a, before))
            }
            Formula::Since(a, b) => {
                let (a, b) = (self.present(a), self.present(b));
                self.past(false, |w, before| {
                    let going_on = w.both(a, before);
                    w.either(b, going_on)
                })
            }
            Formula::Triggered(a, b) => {
                let (a, b) = (self.present(a), self.present(b));
                self.past(true, |w, before| {
                    let free = w.either(a, before);
                    w.both(b, free)
                })
            }
        }
    }

    fn both(&mut self, a: TermId, b: TermId) -> TermId {
        self.relation.terms.binary(BinaryTerm::And, a, b)
    }

    fn either(&mut self, a: TermId, b: TermId) -> TermId {
        self.relation.terms.binary(BinaryTerm::Or, a, b)
    }

    fn connect(
        &mut self,
        a: &Formula,
        b: &Formula,
        now: BinaryTerm,
        later: fn(Box<Formula>, Box<Formula>) -> Formula,
    ) -> Meaning {
        match (self.meaning(a), self.meaning(b)) {
            (Meaning::Now(a), Meaning::Now(b)) => Meaning::Now(self.relation.terms.binary(now, a, b)),
            (a, b) => self.later(a, b, later),
        }
    }

    fn ahead(&mut self, a: &Formula, later: fn(Box<Formula>) -> Formula) -> Meaning {
        let a = self.meaning(a);
        Meaning::Later(later(Box::new(self.formula(a))))
    }

    fn ahead_of_two(&mut self, a: &Formula, b: &Formula, later: fn(Box<Formula>, Box<Formula>) -> Formula) -> Meaning {
        let (a, b) = (self.meaning(a), self.meaning(b));
        self.later(a, b, later)
    }

    fn later(&mut self, a: Meaning, b: Meaning, later: fn(Box<Formula>, Box<Formula>) -> Formula) -> Meaning {
        let (a, b) = (self.formula(a), self.formula(b));
        Meaning::Later(later(Box::new(a), Box::new(b)))
    }

    /// A term for a formula: itself, or a prophecy.
    fn present(&mut self, formula: &Formula) -> TermId {
        match self.meaning(formula) {
            Meaning::Now(term) => term,
            Meaning::Later(formula) => {
                let name = self.fresh("prophecy");
                let variable = self.add_variable(name, Domain::Boolean);
                let term = self.relation.terms.current(variable);
                // A guess is a variable that may change whatever else keeps its value.
                let either = [0, 1].map(|v| self.relation.terms.value(v));
                let any = self.relation.terms.choice(either.to_vec());
                self.assign(variable, any, any);
                let atom = self.atom(term);
                self.prophecies.push(Formula::Iff(Box::new(atom), Box::new(formula)));
                term
            }
        }
    }

    /// A new variable that keeps what an operator said at the position before, and its value as a term.
    fn history(&mut self, before_the_first: bool) -> (VariableId, TermId) {
        let name = self.fresh(if before_the_first { "so far" } else { "once" });
        let variable = self.add_variable(name, Domain::Boolean);
        (variable, self.relation.terms.current(variable))
    }

    fn remember(&mut self, variable: VariableId, before_the_first: bool, said: TermId) {
        let initial = self.relation.terms.truth(before_the_first);
        self.assign(variable, initial, said);
    }

    /// An operator that is decided by the present and by what it said one position before.
    fn past(&mut self, before_the_first: bool, says: impl FnOnce(&mut Self, TermId) -> TermId) -> Meaning {
        let (variable, before) = self.history(before_the_first);
        let said = says(self, before);
        self.remember(variable, before_the_first, said);
        Meaning::Now(said)
    }
}
