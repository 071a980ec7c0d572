//! Schedules that switch between processes (interleaving; Groce and Visser's heuristic for Java PathFinder, table 1 of Rungta
//! and Mercer 2007): errors of concurrency show when processes interrupt each other.
//!
//! The process that moved last is looked for among the moves before. Each time it is there makes the value worse: the more
//! recent that move, and the more processes are alive, the more. The window is [`History::LENGTH`] moves, and an atomic sequence
//! that a search merges into one edge is one move.

use lurcher_ir::LocationId;
use lurcher_search::{Bias, Guidance, History, Scores};
use lurcher_system::State;

use super::{Built, Entry, Request, refuse_text};
use crate::enabled_branches::most_processes;
use crate::heuristic::{Estimate, Heuristic};

pub(super) const ENTRY: Entry = Entry {
    name: "interleaving",
    help: "The less the process that moved last has moved shortly before, the better (structural)",
    scores: Scores::States,
    costly: false,
    // Values of consecutive moves lie far apart: halving would leave no choice at all.
    bias: Bias::Linear,
    for_processes,
    for_relation: None,
};

fn for_processes<'m>(request: &Request<'_, 'm>) -> Built<'m> {
    refuse_text(request.settings)?;
    let estimate = Interleaving { most: most_processes(request.interpreter) };
    Ok((Heuristic::Estimate(Box::new(estimate)), Vec::new()))
}

#[derive(Debug)]
struct Interleaving {
    most: u32,
}

/// The weight of a move that lies so many moves before the last.
fn weight(age: u32) -> u32 {
    History::LENGTH as u32 - age
}

impl Guidance for Interleaving {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        let weights: u32 = (1..History::LENGTH as u32).map(weight).sum();
        self.most.saturating_mul(weights)
    }

    /// Without a history no process is preferred.
    fn of_state(&self, _: &State, _: LocationId) -> u32 {
        0
    }

    fn looks_back(&self) -> bool {
        true
    }

    fn of_state_after(&self, state: &State, _: LocationId, history: History) -> u32 {
        let alive = u32::from(state.process_count());
        if alive < 2 {
            return 0;
        }
        let mut movers = history.movers();
        let Some(last) = movers.next() else { return 0 };
        let again = movers.zip(1..).filter(|&(mover, _)| mover == last);
        again.map(|(_, age)| weight(age) * alive).sum::<u32>().min(self.max())
    }
}

/// It ranks schedules and estimates no distance.
impl Estimate for Interleaving {
    fn is_for_every_target(&self) -> bool {
        true
    }
}
