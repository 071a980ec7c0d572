//! Distances over the control flow of the processes, without and with data (FSM and EFSM; table 2 of Rungta and Mercer 2007).
//!
//! `local-distance-sum` and `-max` aim at the most informative goals and are admissible for no target. `distance-fsm` knows less of a process:
//! neither its number nor the processes that it creates. In return it counts all goals, and takes the minimum where one process
//! is to fail an assertion, so that it is admissible for deadlocks, and for assertions of models that create no process.
//! `distance-efsm` adds data and calls to it (see [`ExtendedFlow`]).

use lurcher_search::{Bias, Scores};

use super::{Built, Entry, Request, local_distance, refuse_text};
use crate::extended_flow::ExtendedFlow;
use crate::heuristic::Heuristic;
use crate::local_distance::LocalDistance;

pub(super) const FSM: Entry = Entry {
    name: "distance-fsm",
    help: "Distances over plain control flow, without data, calls and process numbers (FSM)",
    scores: Scores::States,
    costly: false,
    bias: Bias::Steep,
    for_processes: |request| {
        local_distance::built(LocalDistance::control_flow(request.interpreter, request.target), request)
    },
    for_relation: None,
};

pub(super) const EFSM: Entry = Entry {
    name: "distance-efsm",
    help: "Distances over control flow with known local data and created processes (EFSM, e-FCA)",
    for_processes: extended,
    ..FSM
};

fn extended<'m>(request: &Request<'_, 'm>) -> Built<'m> {
    refuse_text(request.settings)?;
    let estimate = ExtendedFlow::new(request.interpreter, request.target);
    let notes = vec![format!("{} control states", estimate.len())];
    Ok((Heuristic::Estimate(Box::new(estimate)), notes))
}
