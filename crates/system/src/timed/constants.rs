//! Values of constants that satisfy the axioms, by trial.

use lurcher_ir::timed::{Constant, Linear, Model, Term, TermId};
use lurcher_resources::checkpoint;

use super::reader::{View, Vocabulary};
use super::snapshot::{Snapshot, duration};

/// All values of the constants that satisfy the axioms and lie in their domains, of those that are tried. A constant with a given
/// value has that one.
pub fn valuations(model: &Model, tried: impl Fn(&Constant) -> (i64, i64)) -> Vec<Vec<i64>> {
    let values = |constant: &Constant| match constant.value {
        Some(value) => vec![value],
        None => {
            let (lower, upper) = tried(constant);
            (lower..=upper).filter(|&value| constant.domain.contains(value)).collect()
        }
    };
    let values: Vec<Vec<i64>> = model.constants.iter().map(values).collect();
    let conjuncts = model.axioms.iter().flat_map(|axiom| match model.terms.get(axiom.term) {
        Term::And(parts) => parts.clone(),
        _ => vec![axiom.term],
    });
    let trial = Trial { model, vocabulary: Vocabulary::new(model), values, conjuncts: conjuncts.collect() };
    let mut found = Vec::new();
    if trial.values.iter().all(|values| !values.is_empty()) {
        trial.choose(&mut Vec::new(), &mut found);
    }
    found
}

struct Trial<'m> {
    model: &'m Model,
    vocabulary: Vocabulary<'m>,
    values: Vec<Vec<i64>>,
    conjuncts: Vec<TermId>,
}

impl Trial<'_> {
    fn choose(&self, chosen: &mut Vec<i64>, found: &mut Vec<Vec<i64>>) {
        checkpoint();
        let excluded = |&conjunct: &TermId| match self.model.terms.get(conjunct) {
            Term::NotNegative(sum) => self.most(sum, chosen).is_some_and(|most| most < 0),
            _ => false,
        };
        if self.conjuncts.iter().any(excluded) {
            return;
        }
        let Some(values) = self.values.get(chosen.len()) else {
            if self.is_model(chosen) {
                found.push(chosen.clone());
            }
            return;
        };
        for &value in values {
            chosen.push(value);
            self.choose(chosen, found);
            chosen.pop();
        }
    }

    /// The greatest value of a sum of constants, of which some are chosen.
    fn most(&self, sum: &Linear, chosen: &[i64]) -> Option<i128> {
        let mut total = i128::from(sum.constant);
        for &(term, factor) in &sum.terms {
            let Term::Constant(id) = self.model.terms.get(term) else { return None };
            let values = &self.values[id.index()];
            let value = match chosen.get(id.index()) {
                Some(value) => value,
                None if factor > 0 => values.last()?,
                None => values.first()?,
            };
            total = total.checked_add(i128::from(*value) * i128::from(factor))?;
        }
        Some(total)
    }

    fn is_model(&self, constants: &[i64]) -> bool {
        let nothing = Snapshot { values: vec![0; self.model.variables.len()], ..Snapshot::default() };
        let view = View { vocabulary: &self.vocabulary, constants, past: &[], now: &nothing };
        let mut cases = self.model.transitions.iter().flat_map(|t| &t.cases);
        self.model.axioms.iter().all(|axiom| view.truth(axiom.term) == Some(true))
            && cases.all(|case| duration(self.model, constants, case.duration) > 0)
    }
}
