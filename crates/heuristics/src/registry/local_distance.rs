//! Local distances: distances over the control flow of each process type.

use lurcher_search::Scores;

use super::{Entry, HeuristicError, Request};
use crate::goals::GoalSet;
use crate::heuristic::Heuristic;
use crate::local_distance::{LocalDistance, StateForm};

/// For steps (h0).
pub struct Steps;
/// For states: the sum over all processes.
pub struct Sum;
/// For states: the greatest over all processes.
pub struct Max;

type Built<'m> = Result<(Heuristic<'m>, Vec<String>), HeuristicError>;

fn built<'m>(mut guide: LocalDistance<'m>, request: &Request<'_, 'm>) -> Built<'m> {
    if let Some(text) = &request.settings.text {
        guide.set_from_text(text).map_err(|e| e.to_string())?;
    }
    Ok((Heuristic::LocalDistance(Box::new(guide)), Vec::new()))
}

fn for_states<'m>(form: StateForm, request: &Request<'_, 'm>) -> Built<'m> {
    built(LocalDistance::states(request.interpreter, request.target, form, GoalSet::Informative), request)
}

impl Entry for Steps {
    fn name(&self) -> &'static str {
        "local-distance"
    }

    fn help(&self) -> &'static str {
        "Distances over the control flow of each process type, for steps (h0)"
    }

    fn scores(&self) -> Scores {
        Scores::Steps
    }

    fn for_processes<'m>(&self, request: &Request<'_, 'm>) -> Built<'m> {
        built(LocalDistance::steps(request.interpreter, request.target), request)
    }
}

impl Entry for Sum {
    fn name(&self) -> &'static str {
        "local-distance-sum"
    }

    fn help(&self) -> &'static str {
        "The same for states: the sum over all processes"
    }

    fn scores(&self) -> Scores {
        Scores::States
    }

    fn for_processes<'m>(&self, request: &Request<'_, 'm>) -> Built<'m> {
        for_states(StateForm::Sum, request)
    }
}

impl Entry for Max {
    fn name(&self) -> &'static str {
        "local-distance-max"
    }

    fn help(&self) -> &'static str {
        "The same for states: the greatest over all processes"
    }

    fn scores(&self) -> Scores {
        Scores::States
    }

    fn for_processes<'m>(&self, request: &Request<'_, 'm>) -> Built<'m> {
        for_states(StateForm::Max, request)
    }
}
