//! The formula-based heuristic H_f of HSF-SPIN.

use lurcher_search::{Bias, PreparedRelation, RelationGoal, Scores};

use super::{Built, BuiltForRelation, Entry, RelationHeuristic, Request, Settings, refuse_text};
use crate::formula::{FormulaForm, FormulaHeuristic, RelationFormula};
use crate::heuristic::Heuristic;

pub(super) const SUM: Entry = Entry {
    name: "formula",
    help: "Steps until the formula of the violation holds, added up over its conjunctions (H_f)",
    scores: Scores::States,
    costly: false,
    bias: Bias::Steep,
    for_processes: |request| for_processes(FormulaForm::Sum, request),
    for_relation: Some(|prepared, settings, _| for_relation(FormulaForm::Sum, prepared, settings)),
};

pub(super) const MAX: Entry = Entry {
    name: "formula-max",
    help: "The same with the greatest part of a conjunction, as a lower bound",
    for_processes: |request| for_processes(FormulaForm::Max, request),
    for_relation: Some(|prepared, settings, _| for_relation(FormulaForm::Max, prepared, settings)),
    ..SUM
};

fn for_processes<'m>(form: FormulaForm, request: &Request<'_, 'm>) -> Built<'m> {
    refuse_text(request.settings)?;
    let estimate = FormulaHeuristic::new(request.interpreter, request.target, form)?;
    Ok((Heuristic::Estimate(Box::new(estimate)), Vec::new()))
}

fn for_relation(form: FormulaForm, prepared: &PreparedRelation<'_>, settings: &Settings) -> BuiltForRelation {
    refuse_text(settings)?;
    match prepared.goal {
        RelationGoal::Violated(invariant) => {
            Ok(RelationHeuristic::Formula(RelationFormula::new(&prepared.relation, invariant, form)?))
        }
        _ => Err("it leads to violated invariants only".to_owned().into()),
    }
}
