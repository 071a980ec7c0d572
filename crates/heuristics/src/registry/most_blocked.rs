//! The number of blocked processes (most-blocked; Groce and Visser's heuristic for Java PathFinder, table 1 of Rungta and Mercer
//! 2007): the more processes wait, the nearer a deadlock or a missed wake-up is taken to be.
//!
//! `active-processes` counts the processes that can move, and is for deadlocks only. Here a process counts as blocked while it exists,
//! has not ended, and cannot move, whatever is asked of the model: a process that ends makes no state better, and the creation
//! of one that can move makes none worse. Exclusive control blocks nobody.

use lurcher_ir::LocationId;
use lurcher_search::{Bias, Guidance, Scores};
use lurcher_system::{Interpreter, ProcessId, State};

use super::{Built, Entry, Request, refuse_text};
use crate::enabled_branches::{EnabledBranches, has_ended, most_processes, with_enabled_branches};
use crate::heuristic::{Estimate, Heuristic};

pub(super) const ENTRY: Entry = Entry {
    name: "most-blocked",
    help: "The more processes are blocked, the better (structural)",
    scores: Scores::States,
    costly: false,
    bias: Bias::Steep,
    for_processes,
    for_relation: None,
};

fn for_processes<'m>(request: &Request<'_, 'm>) -> Built<'m> {
    refuse_text(request.settings)?;
    let interpreter = request.interpreter.clone();
    let estimate = MostBlocked { most: most_processes(&interpreter), interpreter };
    Ok((Heuristic::Estimate(Box::new(estimate)), Vec::new()))
}

#[derive(Debug)]
struct MostBlocked<'m> {
    interpreter: Interpreter<'m>,
    most: u32,
}

impl Guidance for MostBlocked<'_> {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        self.most
    }

    fn of_state(&self, state: &State, _: LocationId) -> u32 {
        let blocked = with_enabled_branches(&self.interpreter, state, |branches| {
            let waits = |process| !has_ended(&self.interpreter, state, process);
            let unable = (0..).map(ProcessId).zip(branches).filter(|(_, b)| **b == EnabledBranches::None);
            unable.filter(|&(process, _)| waits(process)).count() as u32
        });
        self.most.saturating_sub(blocked)
    }
}

/// One step can block every process, so the number is no lower bound.
impl Estimate for MostBlocked<'_> {
    fn is_for_every_target(&self) -> bool {
        true
    }
}
