//! The order of things for a run without loops.
//!
//! * A quick round of delta debugging.
//! * Breadth-first search from the start, with a small part of the budget: where it comes to its end, the run is a
//!   shortest one, and nothing else is to be done.
//! * Fresh walks.
//! * Again and again, until nothing is gained: exhaustive delta debugging; breadth-first search with only the processes
//!   that take part in the run, since what two or three out of many can do together is a small world; A\* from the start
//!   towards the locations at the end of the run; and windows, A\* from a position of the run towards one a little later,
//!   with the processes that move in between, first small windows, then larger ones.
//! * Breadth-first search once more, below a length that is now smaller, with all that is left.

use lurcher_system::Move;

use crate::minimise::aim::Aim;
use crate::minimise::budget::Meter;
use crate::minimise::explore::{Explored, Route, explore};
use crate::minimise::quest::Quest;
use crate::minimise::restart::restart;
use crate::minimise::run::Run;
use crate::minimise::script::movers;
use crate::minimise::shrink::{Effort, shrink};
use crate::minimise::trail::Trail;

/// Moves in the smallest window.
const SMALLEST_WINDOW: usize = 6;
/// The most nodes that are expanded for one window.
const NODES_PER_WINDOW: u32 = 4_000;

/// Makes a run without loops shorter by all means; says whether it is proven to be a shortest one.
pub(crate) fn shorten(
    quest: &Quest<'_, '_>,
    run: Run,
    meter: &mut Meter<'_>,
    shortened: &mut dyn FnMut(u32, u64),
) -> (Run, bool) {
    let whole = |trail: &Trail<'_>, meter: &mut Meter<'_>| explore(quest, trail, &Route::default(), meter);
    let run = meter.with_share(1, 8, |meter| shrink(quest, run, Effort::Quick, meter));
    shortened(run.length, meter.expansions());
    let (mut run, complete) = meter.with_share(1, 8, |meter| search(quest, run, meter, whole));
    shortened(run.length, meter.expansions());
    if complete {
        return (run, true);
    }
    run = meter.with_share(2, 3, |meter| restart(quest, run, meter));
    shortened(run.length, meter.expansions());
    meter.with_share(2, 3, |meter| {
        while meter.may_go_on() {
            let before = run.length;
            run = meter.with_share(1, 2, |meter| shrink(quest, std::mem::take(&mut run), Effort::Exhaustive, meter));
            run = meter.with_share(1, 4, |meter| among_participants(quest, std::mem::take(&mut run), meter));
            run = meter.with_share(1, 4, |meter| towards_the_end(quest, std::mem::take(&mut run), meter));
            run = windows(quest, std::mem::take(&mut run), meter);
            shortened(run.length, meter.expansions());
            if run.length == before {
                break;
            }
        }
    });
    search(quest, run, meter, whole)
}

/// Searches along a run; gives what is shorter, or the run itself, and whether nothing was left to look at.
fn search(
    quest: &Quest<'_, '_>,
    run: Run,
    meter: &mut Meter<'_>,
    along: impl FnOnce(&Trail<'_>, &mut Meter<'_>) -> Explored,
) -> (Run, bool) {
    let explored = Trail::of(quest, &run, meter).map(|trail| along(&trail, meter));
    match explored {
        Some(explored) => (explored.run.unwrap_or(run), explored.complete),
        None => (run, false),
    }
}

/// Which processes move in some of the moves, by number.
fn participants(moves: &[Move]) -> Vec<bool> {
    let mut only = Vec::new();
    for process in moves.iter().flat_map(movers) {
        let index = process.0 as usize;
        only.resize(only.len().max(index + 1), false);
        only[index] = true;
    }
    only
}

fn among_participants(quest: &Quest<'_, '_>, run: Run, meter: &mut Meter<'_>) -> Run {
    let only = participants(&run.moves);
    let route = Route { only: Some(&only), ..Route::default() };
    search(quest, run, meter, |trail, meter| explore(quest, trail, &route, meter)).0
}

fn towards_the_end(quest: &Quest<'_, '_>, run: Run, meter: &mut Meter<'_>) -> Run {
    let towards = |trail: &Trail<'_>, meter: &mut Meter<'_>| {
        let last = trail.len() - 1;
        let aim = Aim::at(quest.interpreter, trail.node(last));
        explore(quest, trail, &Route { aim: Some((last, &aim)), ..Route::default() }, meter)
    };
    search(quest, run, meter, towards).0
}

/// Tries windows of the run until none gains anything.
fn windows(quest: &Quest<'_, '_>, mut run: Run, meter: &mut Meter<'_>) -> Run {
    let mut size = SMALLEST_WINDOW;
    while size < 2 * run.moves.len() && meter.may_go_on() {
        let mut from = 0;
        while let Some((shorter, at)) = first_window(quest, &run, from, size, meter) {
            run = shorter;
            from = at;
        }
        size *= 2;
    }
    run
}

/// The first window of a size, from a position on, that can be made shorter, and where it is.
fn first_window(
    quest: &Quest<'_, '_>,
    run: &Run,
    from: usize,
    size: usize,
    meter: &mut Meter<'_>,
) -> Option<(Run, usize)> {
    let trail = Trail::of(quest, run, meter)?;
    let mut start = quest.start()?;
    for from in (from..trail.len()).step_by(size.div_ceil(3)) {
        let to = (from + size).min(trail.len() - 1);
        if !meter.may_go_on() {
            return None;
        }
        meter.step();
        let aim = Aim::at(quest.interpreter, trail.node(to));
        start.unpack(quest.interpreter, trail.node(from));
        if aim.distance(&start.state).is_none_or(|least| least >= trail.steps(from, to)) {
            continue;
        }
        let only = participants(&run.moves[from..to]);
        let route = Route { from, aim: Some((to, &aim)), only: Some(&only), nodes: Some(NODES_PER_WINDOW) };
        if let Some(shorter) = explore(quest, &trail, &route, meter).run {
            return Some((shorter, from));
        }
    }
    None
}
