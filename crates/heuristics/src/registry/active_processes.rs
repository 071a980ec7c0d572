//! The number of active processes (H_ap of HSF-SPIN; Edelkamp, Leue and Lluch-Lafuente, section 4): in a deadlock no process can
//! move, so the fewer can, the nearer it is taken to be. As in the paper's definition, exclusive control makes no process inactive.

use lurcher_ir::LocationId;
use lurcher_search::{Bias, Guidance, Scores};
use lurcher_system::{Interpreter, State};

use super::{Built, Entry, Request, refuse_text};
use crate::enabled_branches::{EnabledBranches, with_enabled_branches};
use crate::goals::Target;
use crate::heuristic::{Estimate, Heuristic};

pub(super) const ENTRY: Entry = Entry {
    name: "active-processes",
    help: "For deadlocks: the number of processes that can move (H_ap)",
    scores: Scores::States,
    costly: false,
    bias: Bias::Steep,
    for_processes,
    for_relation: None,
};

fn for_processes<'m>(request: &Request<'_, 'm>) -> Built<'m> {
    refuse_text(request.settings)?;
    match request.target {
        Target::Deadlock => {
            let estimate = ActiveProcesses { interpreter: request.interpreter.clone() };
            Ok((Heuristic::Estimate(Box::new(estimate)), Vec::new()))
        }
        _ => Err("it leads to deadlocks only".to_owned().into()),
    }
}

#[derive(Debug)]
struct ActiveProcesses<'m> {
    interpreter: Interpreter<'m>,
}

impl Guidance for ActiveProcesses<'_> {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        u32::from(self.interpreter.limits().processes)
    }

    fn of_state(&self, state: &State, _: LocationId) -> u32 {
        let active = |branches: &[EnabledBranches]| branches.iter().filter(|b| **b != EnabledBranches::None).count();
        with_enabled_branches(&self.interpreter, state, active) as u32
    }
}

/// One step can block every process, so the number is no lower bound.
impl Estimate for ActiveProcesses<'_> {}
