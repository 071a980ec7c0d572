//! Fresh random walks: runs of another shape, which no cut of the given run produces.
//!
//! Random walks look for the same goal again, and what they find is delta-debugged. Only the processes of the best run so
//! far take part, and every second walk leaves out one of them, because fewer processes usually need fewer steps.
//!
//! The first walks follow priorities, after the scheduler of Burckhardt, Kothari, Musuvathi and Nagarakatte (2010): the
//! first enabled process of a random order moves, and now and then the process that moved goes to the end of the order. Few
//! such changes give short walks, because processes finish their work. Their rate is drawn for each walk. The later walks
//! draw a process at every step, which finds violations that need a dense interleaving. A walk ends when it is much longer
//! than the best run. The generator has a fixed seed, so the same path always gives the same result.

use lurcher_system::{Move, ProcessId, State};

use super::delta_debugging::{Effort, delta_debug};
use super::goal::{Advance, Goal};
use super::rand::SplitMix;
use super::run::Run;
use crate::minimise::budget::Meter;

/// The most walks in a row without a gain.
const PATIENCE: u32 = 24;
/// The longest walk, in lengths of the best run.
const STRETCH: usize = 12;

/// How a walk chooses the next process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheduler {
    /// The first enabled process; the order changes rarely.
    Priorities,
    /// A random process.
    Uniform,
}

/// The best of a run and of those that fresh walks find.
pub(super) fn fresh_walks(goal: &Goal<'_, '_>, best: Run, meter: &mut Meter<'_>) -> Run {
    let mut draw = SplitMix(0);
    let best = meter.with_share(1, 2, |meter| walks(goal, best, Scheduler::Priorities, &mut draw, meter));
    walks(goal, best, Scheduler::Uniform, &mut draw, meter)
}

fn walks(goal: &Goal<'_, '_>, mut best: Run, scheduler: Scheduler, draw: &mut SplitMix, meter: &mut Meter<'_>) -> Run {
    let mut idle = 0;
    while idle < PATIENCE && meter.may_go_on() {
        idle += 1;
        let mut processes: Vec<ProcessId> = best.moves.iter().flat_map(Move::processes).collect();
        processes.sort_unstable();
        processes.dedup();
        if idle % 2 == 0 && processes.len() > 1 {
            processes.remove(draw.below(processes.len()));
        }
        let depth = best.moves.len() * STRETCH;
        let Some(found) = Walk::new(goal, processes, depth, scheduler, draw).run(meter) else { continue };
        let found = goal.remove_loops(found, meter);
        let found = delta_debug(goal, found, Effort::Quick, meter);
        if found.length < best.length {
            best = found;
            idle = 0;
        }
    }
    best
}

struct Walk<'w, 'a, 'm> {
    goal: &'w Goal<'a, 'm>,
    /// The processes that may move, by priority.
    order: Vec<ProcessId>,
    /// By process number: whether it may move.
    member: Vec<bool>,
    /// The most moves.
    depth: usize,
    scheduler: Scheduler,
    /// With priorities, one move in so many sends its process to the end of the order.
    rarity: usize,
    draw: &'w mut SplitMix,
    moves: Vec<Move>,
}

impl<'w, 'a, 'm> Walk<'w, 'a, 'm> {
    fn new(
        goal: &'w Goal<'a, 'm>,
        mut order: Vec<ProcessId>,
        depth: usize,
        scheduler: Scheduler,
        draw: &'w mut SplitMix,
    ) -> Self {
        let mut member = vec![false; order.last().map_or(0, |p| p.0 as usize + 1)];
        order.iter().for_each(|p| member[p.0 as usize] = true);
        for last in (1..order.len()).rev() {
            order.swap(last, draw.below(last + 1));
        }
        let rarity = 2 << draw.below(7);
        Walk { goal, order, member, depth, scheduler, rarity, draw, moves: Vec::new() }
    }

    /// Walks until the goal is reached.
    fn run(&mut self, meter: &mut Meter<'_>) -> Option<Run> {
        let mut position = self.goal.start()?;
        let mut run = Run::default();
        while run.moves.len() < self.depth && meter.may_go_on() {
            let Some(step) = self.pick(&position.state, meter) else {
                return self.goal.is_met_at_end(&position, &mut self.moves).then_some(run);
            };
            run.moves.push(step);
            match self.goal.advance(&mut position, &step) {
                Advance::Continues => run.length += step.length(),
                Advance::Reached(cost) => {
                    run.length += cost;
                    return Some(run);
                }
                Advance::Rejected => return None,
            }
        }
        None
    }

    fn pick(&mut self, state: &State, meter: &mut Meter<'_>) -> Option<Move> {
        for place in 0..self.order.len() {
            let id = self.order[place];
            if id.0 >= state.process_count() {
                continue;
            }
            meter.steps(1);
            self.goal.system.interpreter.moves_of(state, id, &mut self.moves);
            if let Some(step) = self.any_move(false) {
                if self.scheduler == Scheduler::Uniform {
                    let next = self.draw.below(self.order.len());
                    self.order.swap(0, next);
                } else if self.draw.below(self.rarity) == 0 {
                    self.order[place..].rotate_left(1);
                }
                return Some(step);
            }
        }
        self.goal.system.interpreter.moves(state, &mut self.moves);
        self.any_move(true)
    }

    /// Draws one of the listed moves in which only members take part.
    fn any_move(&mut self, timeout: bool) -> Option<Move> {
        let is_member = |p: ProcessId| self.member.get(p.0 as usize).is_some_and(|m| *m);
        self.moves.retain(|m| m.timeout == timeout && m.processes().all(is_member));
        if self.moves.is_empty() { None } else { Some(self.moves[self.draw.below(self.moves.len())]) }
    }
}
