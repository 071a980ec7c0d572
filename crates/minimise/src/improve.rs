//! What is left to gain after shrinking: searches, from the strongest to the most local.
//!
//! * Breadth-first from the start, with a part of the budget: where it comes to its end, the run is a shortest one.
//! * The same with only the processes that take part in the run: shrinking often leaves two or three out of many, and
//!   what these can do together is a small world.
//! * A\* from the start towards the locations at the end of the run.
//! * Windows: from a position of the run A\* towards one a little later, with the processes that move in between; first
//!   small windows, then larger ones, again and again until none of them gains anything.

use lurcher_exec::Move;

use crate::aim::Aim;
use crate::budget::Meter;
use crate::explore::{Explored, Route, explore};
use crate::quest::{Position, Quest};
use crate::restart::restart;
use crate::run::Run;
use crate::script::movers;
use crate::shrink::{Effort, shrink};

/// The most nodes that are expanded for one window.
const NODES_PER_WINDOW: u32 = 4_000;

/// Makes a run without loops shorter by all means; says whether it is proven to be a shortest one.
pub(crate) fn shorten(
    quest: &Quest<'_, '_>,
    run: Run,
    meter: &mut Meter<'_>,
    shortened: &mut dyn FnMut(u32, u64),
) -> (Run, bool) {
    let mut run = meter.with_share(1, 6, |meter| shrink(quest, run, Effort::Quick, meter));
    shortened(run.length, meter.expansions());
    let whole = meter.with_share(1, 3, |meter| explore(quest, &run, &Route::default(), meter));
    run = whole.run.unwrap_or(run);
    shortened(run.length, meter.expansions());
    if whole.complete {
        return (run, true);
    }
    run = meter.with_share(1, 2, |meter| restart(quest, run, meter));
    shortened(run.length, meter.expansions());
    while meter.may_go_on() {
        let before = run.length;
        run = meter.with_share(1, 4, |meter| shrink(quest, run, Effort::Exhaustive, meter));
        run = meter.with_share(1, 4, |meter| among_participants(quest, run, meter));
        run = meter.with_share(1, 4, |meter| towards_the_end(quest, run, meter));
        run = windows(quest, run, meter);
        shortened(run.length, meter.expansions());
        if run.length == before {
            break;
        }
    }
    (run, false)
}

/// The positions of a run.
fn positions(quest: &Quest<'_, '_>, run: &Run, meter: &mut Meter<'_>, mut visit: impl FnMut(usize, &Position)) {
    let mut index = 0;
    quest.execute(&run.moves, meter, |position| {
        visit(index, position);
        index += 1;
    });
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
    explore(quest, &run, &route, meter).run.unwrap_or(run)
}

fn towards_the_end(quest: &Quest<'_, '_>, run: Run, meter: &mut Meter<'_>) -> Run {
    let mut last = None;
    positions(quest, &run, meter, |index, position| last = Some((index, position.state.clone())));
    let Some((index, state)) = last else { return run };
    let aim = Aim::at(quest.interpreter.model(), &state);
    let route = Route { aim: Some((index, &aim)), ..Route::default() };
    explore(quest, &run, &route, meter).run.unwrap_or(run)
}

/// Tries windows of the run until none gains anything.
fn windows(quest: &Quest<'_, '_>, mut run: Run, meter: &mut Meter<'_>) -> Run {
    let mut size = 6;
    while size < 2 * run.moves.len() && meter.may_go_on() {
        let mut from = 0;
        while from + 2 <= run.moves.len() && meter.may_go_on() {
            let to = (from + size).min(run.moves.len() - 1);
            match window(quest, &run, from, to, meter).run {
                Some(shorter) => run = shorter,
                None => from += size.div_ceil(3),
            }
        }
        size *= 2;
    }
    run
}

fn window(quest: &Quest<'_, '_>, run: &Run, from: usize, to: usize, meter: &mut Meter<'_>) -> Explored {
    let mut target = None;
    positions(quest, run, meter, |index, position| {
        if index == to {
            target = Some(position.state.clone());
        }
    });
    let Some(target) = target else { return Explored { run: None, complete: false } };
    let aim = Aim::at(quest.interpreter.model(), &target);
    let only = participants(&run.moves[from..to]);
    let route = Route { from, aim: Some((to, &aim)), only: Some(&only), nodes: Some(NODES_PER_WINDOW) };
    explore(quest, run, &route, meter)
}
