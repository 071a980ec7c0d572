//! Goals of a deadlock: locations at which processes can block.
//!
//! In a deadlock every process is at a location where it can block. Most processes start at such a location and return to it
//! in every round of their main loop, so the informative goals leave out valid end locations, the initial location, and the
//! start of the main loop: the rest are locations where a process waits *holding* something. If nothing is left, the next
//! larger set is used.

use std::collections::BTreeSet;

use lurcher_ir::analysis::{ControlFlow, blocking_locations};
use lurcher_ir::{LocationId, Model, ProcessType};

use super::{GoalSet, Goals, system_types};

pub(super) fn goals(model: &Model, goal_set: GoalSet) -> Goals {
    let mut goals = Goals::none(model);
    for (number, process_type) in system_types(model) {
        let blocking = blocking_locations(process_type, None);
        goals.types[number].locations = match goal_set {
            GoalSet::Complete => blocking.into_iter().collect(),
            GoalSet::Informative => informative(process_type, &blocking),
        };
    }
    goals
}

fn informative(process_type: &ProcessType, blocking: &[LocationId]) -> BTreeSet<LocationId> {
    let flow = ControlFlow::new(process_type, None);
    let depths = flow.depths();
    let reachable = || blocking.iter().copied().filter(|&l| depths.of(l).is_some());
    let rest = main_loop(&flow);
    let not_end = || reachable().filter(|&l| !process_type.location(l).end);
    let holding = not_end().filter(|&l| l != process_type.initial && Some(l) != rest);
    let sets: [BTreeSet<LocationId>; 3] = [holding.collect(), not_end().collect(), reachable().collect()];
    sets.into_iter().find(|s| !s.is_empty()).unwrap_or_default()
}

/// The location of a loop nearest to the initial one.
fn main_loop(flow: &ControlFlow<'_>) -> Option<LocationId> {
    let depths = flow.depths();
    flow.on_cycles(|_| true).into_iter().filter(|&l| depths.of(l).is_some()).min_by_key(|&l| depths.of(l))
}
