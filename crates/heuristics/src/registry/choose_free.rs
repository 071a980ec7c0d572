//! The number of processes with a choice (choose-free; Groce and Visser's heuristic for Java PathFinder, table 1 of Rungta and
//! Mercer 2007): states in which no process resolves nondeterminism come first, and the others are kept for later.
//!
//! A process has a choice if two of its branches are enabled: options of `if` and `do`, or receives that take part in a
//! rendezvous. Which process moves next, and with which partner, is no choice in this sense.

use lurcher_ir::LocationId;
use lurcher_search::{Bias, Guidance, Scores};
use lurcher_system::{Interpreter, State};

use super::{Built, Entry, Request, refuse_text};
use crate::enabled_branches::{EnabledBranches, most_processes, with_enabled_branches};
use crate::heuristic::{Estimate, Heuristic};

pub(super) const ENTRY: Entry = Entry {
    name: "choose-free",
    help: "The fewer processes have a nondeterministic choice, the better (structural)",
    scores: Scores::States,
    costly: false,
    bias: Bias::Steep,
    for_processes,
    for_relation: None,
};

fn for_processes<'m>(request: &Request<'_, 'm>) -> Built<'m> {
    refuse_text(request.settings)?;
    let estimate = ChooseFree { interpreter: request.interpreter.clone() };
    Ok((Heuristic::Estimate(Box::new(estimate)), Vec::new()))
}

#[derive(Debug)]
struct ChooseFree<'m> {
    interpreter: Interpreter<'m>,
}

impl Guidance for ChooseFree<'_> {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        most_processes(&self.interpreter)
    }

    fn of_state(&self, state: &State, _: LocationId) -> u32 {
        with_enabled_branches(&self.interpreter, state, |branches| {
            branches.iter().filter(|b| **b == EnabledBranches::Several).count() as u32
        })
    }
}

/// It ranks states and estimates no distance.
impl Estimate for ChooseFree<'_> {
    fn is_for_every_target(&self) -> bool {
        true
    }
}
