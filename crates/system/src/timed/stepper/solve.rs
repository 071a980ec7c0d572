//! Values of variables that satisfy a formula, by trial. Where the formula determines a value, that one alone is tried.

use std::collections::BTreeSet;

use lurcher_ir::timed::{Event, Model, Moment, Term, TermId, TransitionRef, VariableId};
use lurcher_resources::checkpoint;

use super::super::range::Range;
use super::super::reader::{Frame, View, Vocabulary};
use super::super::snapshot::Snapshot;

/// A formula, prepared for some unknown variables.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    conjuncts: Vec<Conjunct>,
    unknown: Vec<VariableId>,
}

#[derive(Clone, Debug)]
struct Conjunct {
    term: TermId,
    /// The unknown variables that it reads.
    reads: BTreeSet<VariableId>,
    /// Whether it can be read before own transitions start.
    early: bool,
}

/// What the trial has found.
#[derive(Clone, Debug, Default)]
pub(super) struct Solutions {
    /// Values of all variables.
    pub(super) values: Vec<Vec<i64>>,
    /// Whether values were left out because there are infinitely many.
    pub(super) incomplete: bool,
}

impl Problem {
    pub(super) fn new(model: &Model, formulas: impl IntoIterator<Item = TermId>, unknown: Vec<VariableId>) -> Self {
        let terms = formulas.into_iter().flat_map(|formula| match model.terms.get(formula) {
            Term::And(parts) => parts.clone(),
            _ => vec![formula],
        });
        let conjuncts = terms.map(|term| Conjunct::new(model, term, &unknown)).collect();
        Problem { conjuncts, unknown }
    }

    /// All values of the unknown variables that lie in their types and do not make the formula false. The other variables have
    /// the values of the snapshot.
    pub(super) fn solve(&self, trial: Trial<'_>, snapshot: &Snapshot) -> Solutions {
        let mut solutions = Solutions::default();
        let mut snapshot = snapshot.clone();
        trial.assign(self, &self.unknown, &mut snapshot, &mut solutions);
        solutions
    }
}

impl Conjunct {
    fn new(model: &Model, term: TermId, unknown: &[VariableId]) -> Self {
        let mut reads = BTreeSet::new();
        let mut early = true;
        for part in model.terms.closure([term]) {
            match model.terms.get(part) {
                Term::Variable(id, Moment::Now) if unknown.contains(id) => {
                    reads.insert(*id);
                }
                Term::Instant(occurrence) | Term::Occurred(occurrence) => {
                    if let Event::Start(source) = &occurrence.event {
                        early &= source.transitions.iter().all(|t| matches!(t, TransitionRef::Imported(_)));
                    }
                }
                _ => {}
            }
        }
        Conjunct { term, reads, early }
    }
}

/// Where a formula is read.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    pub(super) vocabulary: &'a Vocabulary<'a>,
    pub(super) constants: &'a [i64],
    pub(super) past: &'a [&'a Snapshot],
    pub(super) frame: Frame<'a>,
    /// Values that are tried where types leave infinitely many.
    pub(super) tried: (i64, i64),
}

impl Trial<'_> {
    /// Tries values of the remaining variables.
    fn assign(&self, problem: &Problem, left: &[VariableId], snapshot: &mut Snapshot, solutions: &mut Solutions) {
        checkpoint();
        let known = |c: &Conjunct| c.early && c.reads.iter().all(|v| !left.contains(v));
        if problem.conjuncts.iter().any(|c| known(c) && self.truth(c.term, snapshot) == Some(false)) {
            return;
        }
        let Some(&first) = left.first() else {
            solutions.values.push(snapshot.values.clone());
            return;
        };
        let determined = left.iter().find_map(|&v| Some((v, self.determined(problem, v, left, snapshot)?)));
        let (variable, values) = match determined {
            Some((variable, value)) => (variable, value.into_iter().collect()),
            None => (first, self.values(first, solutions)),
        };
        let rest: Vec<VariableId> = left.iter().copied().filter(|&v| v != variable).collect();
        for value in values {
            snapshot.values[variable.index()] = value;
            if self.has_type(variable, snapshot) {
                self.assign(problem, &rest, snapshot, solutions);
            }
        }
    }

    /// The only value of a variable that an equation allows; `Some(None)` if no integer is one.
    fn determined(
        &self,
        problem: &Problem,
        variable: VariableId,
        left: &[VariableId],
        snapshot: &Snapshot,
    ) -> Option<Option<i64>> {
        let model = self.vocabulary.model;
        let it = Term::Variable(variable, Moment::Now);
        for conjunct in &problem.conjuncts {
            let alone =
                conjunct.reads.contains(&variable) && conjunct.reads.iter().filter(|v| left.contains(v)).count() == 1;
            let (Term::Zero(sum), true) = (model.terms.get(conjunct.term), alone && conjunct.early) else { continue };
            let (mut factor, mut rest, mut plain) = (0, i128::from(sum.constant), true);
            for &(term, a) in &sum.terms {
                if *model.terms.get(term) == it {
                    factor = i128::from(a);
                } else if model.terms.closure([term]).iter().any(|&part| *model.terms.get(part) == it) {
                    plain = false;
                } else {
                    let value = self.view(snapshot).reader(false, self.frame).value(term);
                    let product = value.and_then(|value| value.checked_mul(i128::from(a)));
                    match product.and_then(|product| rest.checked_add(product)) {
                        Some(sum) => rest = sum,
                        None => plain = false,
                    }
                }
            }
            if plain && factor != 0 {
                let whole = rest % factor == 0;
                return Some(if whole { i64::try_from(-rest / factor).ok() } else { None });
            }
        }
        None
    }

    fn values(&self, variable: VariableId, solutions: &mut Solutions) -> Vec<i64> {
        let (values, complete) = values_of(self.vocabulary.model, self.constants, variable, self.tried);
        solutions.incomplete |= !complete;
        values
    }

    fn has_type(&self, id: VariableId, snapshot: &Snapshot) -> bool {
        has_type(self.view(snapshot), id)
    }

    fn truth(&self, formula: TermId, snapshot: &Snapshot) -> Option<bool> {
        self.view(snapshot).reader(false, self.frame).truth(formula)
    }

    fn view<'b>(&'b self, now: &'b Snapshot) -> View<'b> {
        View { vocabulary: self.vocabulary, constants: self.constants, past: self.past, now }
    }
}

/// Whether the value of a variable lies in its type.
pub(super) fn has_type(view: View<'_>, id: VariableId) -> bool {
    let variable = view.model().variable(id);
    let inside = variable.domain.contains(view.now.values[id.index()]);
    inside && variable.conditions.iter().all(|&c| view.truth(c) == Some(true))
}

/// The values of a variable that are tried, and whether these are all.
pub(super) fn values_of(model: &Model, constants: &[i64], id: VariableId, tried: (i64, i64)) -> (Vec<i64>, bool) {
    let variable = model.variable(id);
    if let Some(values) = variable.domain.values() {
        return (values, true);
    }
    let is_it = |term: &Term| *term == Term::Variable(id, Moment::Now);
    let range = Range::new(model, constants, &variable.domain, &variable.conditions, is_it);
    (range.within(tried.0, tried.1).collect(), range.finite().is_some())
}
