//! Evaluation of several terms over a state.

use lurcher_ir::relation::{Relation, TermId};

use super::code::{Cells, Coder, Constants, Op, Reading, Slot, run};

/// Compiled terms over a state and its inputs, with shared subterms.
#[derive(Clone, Debug)]
pub struct Formulas {
    variables: usize,
    ops: Vec<Op>,
    results: Vec<Slot>,
    slots: Vec<i64>,
}

impl Formulas {
    /// Compiles terms of a relation.
    pub fn new(relation: &Relation, terms: &[TermId]) -> Self {
        let cells = Cells::new(relation.variables.len());
        let constants = Constants::new(cells, &relation.terms);
        let mut coder = Coder::new(&relation.terms, cells, &constants);
        let results = terms.iter().map(|&t| coder.slot(t, Reading::Step)).collect();
        let slots = constants.slots(coder.extra_slots());
        Formulas { variables: relation.variables.len(), ops: coder.ops, results, slots }
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Evaluates all terms.
    pub fn evaluate(&mut self, valuation: &[i64]) {
        if !self.results.is_empty() {
            self.slots[..self.variables].copy_from_slice(valuation);
            run(&self.ops, &mut self.slots);
        }
    }

    /// The value of a term in the last evaluation.
    pub fn value(&self, index: usize) -> i64 {
        self.slots[self.results[index] as usize]
    }

    /// Whether a term was true in the last evaluation.
    pub fn is_true(&self, index: usize) -> bool {
        self.value(index) != 0
    }
}
