//! Local distances: distances over the control flow of each process type.

use lurcher_search::{Bias, Scores};

use super::{Built, Entry, Request};
use crate::combination::StateForm;
use crate::goals::GoalSet;
use crate::heuristic::Heuristic;
use crate::local_distance::LocalDistance;

pub(super) const STEPS: Entry = Entry {
    name: "local-distance",
    help: "Distances over the control flow of each process type, for steps (h0)",
    scores: Scores::Steps,
    costly: false,
    bias: Bias::Steep,
    for_processes: |request| built(LocalDistance::steps(request.interpreter, request.target), request),
    for_relation: None,
};

pub(super) const SUM: Entry = Entry {
    name: "local-distance-sum",
    help: "The same for states: the sum over all processes",
    scores: Scores::States,
    for_processes: |request| for_states(StateForm::Sum, request),
    ..STEPS
};

pub(super) const MAX: Entry = Entry {
    name: "local-distance-max",
    help: "The same for states: the greatest over all processes",
    for_processes: |request| for_states(StateForm::Max, request),
    ..SUM
};

fn for_states<'m>(form: StateForm, request: &Request<'_, 'm>) -> Built<'m> {
    built(LocalDistance::states(request.interpreter, request.target, form, GoalSet::Informative), request)
}

/// The guide, with the distances of a file if there is one.
pub(super) fn built<'m>(mut guide: LocalDistance<'m>, request: &Request<'_, 'm>) -> Built<'m> {
    if let Some(text) = &request.settings.text {
        guide.set_from_text(text).map_err(|e| e.to_string())?;
    }
    Ok((Heuristic::LocalDistance(Box::new(guide)), Vec::new()))
}
