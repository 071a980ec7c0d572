//! The inferred deadlock formula of HSF-SPIN.

use lurcher_search::{Bias, Scores};

use super::{Built, Entry, Request, refuse_text};
use crate::formula::{FormulaForm, FormulaHeuristic};
use crate::goals::Target;
use crate::heuristic::Heuristic;

pub(super) const SUM: Entry = Entry {
    name: "deadlock",
    help: "For deadlocks: steps until every process is blocked at a dangerous location, added up (H_f of the inferred formula)",
    scores: Scores::States,
    costly: false,
    bias: Bias::Steep,
    for_processes: |request| for_processes(FormulaForm::Sum, request),
    for_relation: None,
};

pub(super) const MAX: Entry = Entry {
    name: "deadlock-max",
    help: "The same with the greatest of all processes, as a lower bound",
    for_processes: |request| for_processes(FormulaForm::Max, request),
    ..SUM
};

fn for_processes<'m>(form: FormulaForm, request: &Request<'_, 'm>) -> Built<'m> {
    refuse_text(request.settings)?;
    let prefix = request.settings.danger.as_deref();
    match request.target {
        Target::Deadlock => {
            let (estimate, notes) = FormulaHeuristic::deadlock(request.interpreter, prefix, form)?;
            Ok((Heuristic::Estimate(Box::new(estimate)), notes))
        }
        _ => Err("it leads to deadlocks only".to_owned().into()),
    }
}
