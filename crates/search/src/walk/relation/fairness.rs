//! When the terms of fairness were last true on a walk.

use lurcher_ir::relation::Relation;
use lurcher_system::relation::Formulas;

use crate::relation::fair_terms;

/// Terms of fairness along a walk.
#[derive(Clone, Debug)]
pub(crate) struct Fairness {
    /// Justice, then compassion pair by pair.
    terms: Formulas,
    justice: usize,
    /// By term: the position behind the last one at which it was true; 0 is never.
    last: Vec<u32>,
}

impl Fairness {
    pub fn new(relation: &Relation) -> Self {
        let terms = fair_terms(relation);
        let last = vec![0; terms.len()];
        Fairness { terms: Formulas::new(relation, &terms), justice: relation.justice.len(), last }
    }

    /// Starts a walk.
    pub fn clear(&mut self) {
        self.last.fill(0);
    }

    /// Notes what is true in the state at a position, with the inputs of the step out of it.
    pub fn leave(&mut self, moment: &[i64], position: u32) {
        self.terms.evaluate(moment);
        for (term, last) in self.last.iter_mut().enumerate() {
            if self.terms.is_true(term) {
                *last = position + 1;
            }
        }
    }

    /// Whether the cycle from a position to the current one is fair.
    pub fn is_fair_since(&self, first: u32) -> bool {
        self.is_fair(|term| self.last[term] > first)
    }

    /// Whether a cycle that is closed by a step with these inputs is fair.
    pub fn closes(&mut self, moment: &[i64], first: u32) -> bool {
        self.terms.evaluate(moment);
        self.is_fair(|term| self.last[term] > first || self.terms.is_true(term))
    }

    fn is_fair(&self, seen: impl Fn(usize) -> bool) -> bool {
        let answered = |p: usize| !seen(p) || seen(p + 1);
        (0..self.justice).all(&seen) && (self.justice..self.last.len()).step_by(2).all(answered)
    }
}
