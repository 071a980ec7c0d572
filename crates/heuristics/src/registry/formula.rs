//! The formula-based heuristic H_f of HSF-SPIN.

use lurcher_search::{Bias, Scores};

use super::{Built, Entry, Request, refuse_text};
use crate::formula::{FormulaForm, FormulaHeuristic};
use crate::heuristic::Heuristic;

pub(super) const SUM: Entry = Entry {
    name: "formula",
    help: "Steps until the formula of the violation holds, added up over its conjunctions (H_f)",
    scores: Scores::States,
    costly: false,
    bias: Bias::Steep,
    for_processes: |request| for_processes(FormulaForm::Sum, request),
    for_relation: None,
};

pub(super) const MAX: Entry = Entry {
    name: "formula-max",
    help: "The same with the greatest part of a conjunction, as a lower bound",
    for_processes: |request| for_processes(FormulaForm::Max, request),
    ..SUM
};

fn for_processes<'m>(form: FormulaForm, request: &Request<'_, 'm>) -> Built<'m> {
    refuse_text(request.settings)?;
    let estimate = FormulaHeuristic::new(request.interpreter, request.target, form)?;
    Ok((Heuristic::Estimate(Box::new(estimate)), Vec::new()))
}
