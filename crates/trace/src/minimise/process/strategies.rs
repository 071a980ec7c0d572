//! The strategies for a finite run, in order.
//!
//! * Loop removal.
//! * A quick round of delta debugging.
//! * Breadth-first search from the start with a small share of the budget. If it finishes, the run is a shortest one.
//! * Fresh random walks.
//! * Until there is no gain: exhaustive delta debugging; breadth-first search with only the processes of the run; A\* from
//!   the start to the last position; and windows, A\* from a position of the run to a slightly later one with the processes
//!   that move in between, first small windows, then larger ones.
//! * Breadth-first search below the new length, with the rest of the budget.

use lurcher_system::Move;

use super::delta_debugging::{Effort, delta_debug};
use super::fresh_walks::fresh_walks;
use super::goal::Goal;
use super::location_distance::LocationDistance;
use super::run::Run;
use super::trail_search::{IndexedRun, SearchPlan, search};
use crate::minimise::budget::Meter;

/// Moves in the smallest window.
const SMALLEST_WINDOW: usize = 6;
/// The most expansions for one window.
const NODES_PER_WINDOW: u32 = 4_000;

/// Minimises a finite path; none if the moves do not reach the goal. Also returns whether the result is proven shortest.
pub(super) fn minimise_finite(mut goal: Goal<'_, '_>, moves: &[Move], meter: &mut Meter<'_>) -> Option<(Run, bool)> {
    let run = match goal.execute(moves, meter, |_| {}) {
        Some(run) => run,
        None => {
            goal.tolerant = true;
            goal.execute(moves, meter, |_| {})?
        }
    };
    let run = goal.remove_loops(run, meter);
    Some(shorten(&goal, run, meter))
}

/// Applies the strategies to a run without loops. Also returns whether the result is proven shortest.
pub(super) fn shorten(goal: &Goal<'_, '_>, run: Run, meter: &mut Meter<'_>) -> (Run, bool) {
    let whole = SearchPlan::default();
    let run = meter.with_share(1, 8, |meter| delta_debug(goal, run, Effort::Quick, meter));
    let (mut run, exhaustive) = meter.with_share(1, 8, |meter| search_from_start(goal, run, &whole, meter));
    if exhaustive {
        return (run, true);
    }
    run = meter.with_share(2, 3, |meter| fresh_walks(goal, run, meter));
    run = meter.with_share(2, 3, |meter| {
        while meter.may_go_on() {
            let before = run.length;
            run = meter.with_share(1, 2, |meter| delta_debug(goal, run, Effort::Exhaustive, meter));
            run = meter.with_share(1, 4, |meter| {
                let only = participants(&run.moves);
                search_from_start(goal, run, &SearchPlan { only: Some(&only), ..SearchPlan::default() }, meter).0
            });
            run = meter.with_share(1, 4, |meter| search_towards_end(goal, run, meter));
            run = windows(goal, run, meter);
            if run.length == before {
                break;
            }
        }
        run
    });
    search_from_start(goal, run, &whole, meter)
}

/// Searches for a shorter run. Returns the better one, and whether the search was exhaustive.
fn search_from_start(goal: &Goal<'_, '_>, run: Run, plan: &SearchPlan<'_>, meter: &mut Meter<'_>) -> (Run, bool) {
    let Some(indexed) = IndexedRun::new(goal, &run, meter) else { return (run, false) };
    let (shorter, exhaustive) = search(goal, &indexed, plan, meter);
    (shorter.unwrap_or(run), exhaustive)
}

/// Searches by A\* for a shorter run, directed to the last position.
fn search_towards_end(goal: &Goal<'_, '_>, run: Run, meter: &mut Meter<'_>) -> Run {
    let Some(indexed) = IndexedRun::new(goal, &run, meter) else { return run };
    let last = indexed.len() - 1;
    let heuristic = LocationDistance::to(goal.system.interpreter, indexed.node(last));
    let plan = SearchPlan { towards: Some((last, &heuristic)), ..SearchPlan::default() };
    search(goal, &indexed, &plan, meter).0.unwrap_or(run)
}

/// By process number: whether the process takes part in the moves.
fn participants(moves: &[Move]) -> Vec<bool> {
    let mut only = Vec::new();
    for process in moves.iter().flat_map(Move::processes) {
        let index = process.0 as usize;
        only.resize(only.len().max(index + 1), false);
        only[index] = true;
    }
    only
}

/// Searches windows of the run until there is no gain.
fn windows(goal: &Goal<'_, '_>, mut run: Run, meter: &mut Meter<'_>) -> Run {
    let mut size = SMALLEST_WINDOW;
    while size < 2 * run.moves.len() && meter.may_go_on() {
        let mut from = 0;
        while let Some((shorter, at)) = first_window(goal, &run, from, size, meter) {
            run = shorter;
            from = at;
        }
        size *= 2;
    }
    run
}

/// The first window of a size, from a position on, that can be shortened: the new run and the start of the window.
fn first_window(
    goal: &Goal<'_, '_>,
    run: &Run,
    from: usize,
    size: usize,
    meter: &mut Meter<'_>,
) -> Option<(Run, usize)> {
    let indexed = IndexedRun::new(goal, run, meter)?;
    let mut start = goal.start()?;
    for from in (from..indexed.len()).step_by(size.div_ceil(3)) {
        let to = (from + size).min(indexed.len() - 1);
        if !meter.may_go_on() {
            return None;
        }
        meter.steps(1);
        let heuristic = LocationDistance::to(goal.system.interpreter, indexed.node(to));
        start.unpack(goal.system.interpreter, indexed.node(from));
        let steps = indexed.remaining[from] - indexed.remaining[to];
        if heuristic.from(&start.state).is_none_or(|least| least >= steps) {
            continue;
        }
        let only = participants(&run.moves[from..to]);
        let plan =
            SearchPlan { from, towards: Some((to, &heuristic)), only: Some(&only), nodes: Some(NODES_PER_WINDOW) };
        if let (Some(shorter), _) = search(goal, &indexed, &plan, meter) {
            return Some((shorter, from));
        }
    }
    None
}
