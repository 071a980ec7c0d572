//! Where processes stand in a deadlock.
//!
//! In a deadlock every process is at a location where it can be made to wait, and that is all that is certain. For
//! guidance it says little: most processes start at such a location and come back to it in every round of their main
//! loop. So the preferred goals leave out where a process may end, where it starts, and where its main loop begins;
//! what is left are the places where it waits *holding* something. Where nothing is left, the next larger set is used.

use std::collections::BTreeSet;

use lurcher_ir::analysis::{ControlFlow, blocking_locations};
use lurcher_ir::{LocationId, Model, ProcessType};

use super::{Choice, Goals, system_types};

pub(super) fn goals(model: &Model, choice: Choice) -> Goals {
    let mut goals = Goals::none(model);
    for (number, process_type) in system_types(model) {
        let blocking = blocking_locations(process_type, None);
        goals.types[number].locations = match choice {
            Choice::Complete => blocking.into_iter().collect(),
            Choice::Preferred => preferred(process_type, &blocking),
        };
    }
    goals
}

fn preferred(process_type: &ProcessType, blocking: &[LocationId]) -> BTreeSet<LocationId> {
    let flow = ControlFlow::new(process_type, None);
    let depths = flow.depths();
    let reachable = || blocking.iter().copied().filter(|&l| depths.of(l).is_some());
    let rest = main_loop(&flow);
    let not_end = || reachable().filter(|&l| !process_type.location(l).end);
    let holding = not_end().filter(|&l| l != process_type.initial && Some(l) != rest);
    let sets: [BTreeSet<LocationId>; 3] = [holding.collect(), not_end().collect(), reachable().collect()];
    sets.into_iter().find(|s| !s.is_empty()).unwrap_or_default()
}

/// The location where the first loop begins that control comes to.
fn main_loop(flow: &ControlFlow<'_>) -> Option<LocationId> {
    let depths = flow.depths();
    flow.on_cycles(|_| true).into_iter().filter(|&l| depths.of(l).is_some()).min_by_key(|&l| depths.of(l))
}
