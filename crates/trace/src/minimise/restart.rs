//! Fresh runs: a violation often has ways of quite another shape, and cutting never turns one into the other.
//!
//! So a few random walks look for the same violation again, and what they find is shrunk as well. Only the processes of
//! the best run so far take part, and in every second walk one of those stays away too, because what can be done by fewer
//! processes is usually done in fewer steps.
//!
//! The first walks follow priorities, after the scheduler of Burckhardt, Kothari, Musuvathi and Nagarakatte (2010): the
//! processes stand in a random row, the first one that can move does, and now and then the one that moved goes to the
//! end of the row. With few such changes a walk is short and tidy, since everybody gets his work done. How often they
//! happen is drawn anew for each walk. The later walks draw a process at every step, which finds what needs a dense
//! interleaving. A walk is given up when it is much longer than the best run. The draws have a fixed start, so the same
//! trace always gives the same result.

use lurcher_system::{Move, ProcessId, State};

use crate::minimise::budget::Meter;
use crate::minimise::loops::remove_loops;
use crate::minimise::quest::{Advance, Quest};
use crate::minimise::rand::SplitMix;
use crate::minimise::run::Run;
use crate::minimise::script::movers;
use crate::minimise::shrink::{Effort, shrink};

/// Walks in a row that may bring nothing better.
const PATIENCE: u32 = 24;
/// A walk may be so many times as long as the best run.
const STRETCH: usize = 12;

/// How a walk chooses who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// The first in the row that can; changes are rare.
    Priorities,
    /// Anybody.
    Evenly,
}

/// The best of this run and some fresh ones.
pub(crate) fn restart(quest: &Quest<'_, '_>, best: Run, meter: &mut Meter<'_>) -> Run {
    let mut draw = SplitMix(0);
    let best = meter.with_share(1, 2, |meter| walks(quest, best, Manner::Priorities, &mut draw, meter));
    walks(quest, best, Manner::Evenly, &mut draw, meter)
}

fn walks(quest: &Quest<'_, '_>, mut best: Run, manner: Manner, draw: &mut SplitMix, meter: &mut Meter<'_>) -> Run {
    let mut idle = 0;
    while idle < PATIENCE && meter.may_go_on() {
        idle += 1;
        let mut team = team(&best);
        if idle % 2 == 0 && team.len() > 1 {
            team.remove(draw.below(team.len()));
        }
        let most = best.moves.len() * STRETCH;
        let Some(found) = Walk::new(quest, team, most, manner, draw).run(meter) else { continue };
        let found = remove_loops(quest, found, meter);
        let found = shrink(quest, found, Effort::Quick, meter);
        if found.length < best.length {
            best = found;
            idle = 0;
        }
    }
    best
}

/// The processes that take part in a run.
fn team(run: &Run) -> Vec<ProcessId> {
    let mut team: Vec<ProcessId> = run.moves.iter().flat_map(movers).collect();
    team.sort_unstable();
    team.dedup();
    team
}

struct Walk<'w, 'a, 'm> {
    quest: &'w Quest<'a, 'm>,
    /// Who may move; the first in the row that can does.
    row: Vec<ProcessId>,
    /// By number: is the process in the row?
    member: Vec<bool>,
    most: usize,
    manner: Manner,
    /// With priorities, one move in so many sends its process to the end of the row.
    rarity: usize,
    draw: &'w mut SplitMix,
    moves: Vec<Move>,
}

impl<'w, 'a, 'm> Walk<'w, 'a, 'm> {
    fn new(
        quest: &'w Quest<'a, 'm>,
        mut row: Vec<ProcessId>,
        most: usize,
        manner: Manner,
        draw: &'w mut SplitMix,
    ) -> Self {
        let mut member = vec![false; row.last().map_or(0, |p| p.0 as usize + 1)];
        row.iter().for_each(|p| member[p.0 as usize] = true);
        for last in (1..row.len()).rev() {
            row.swap(last, draw.below(last + 1));
        }
        let rarity = 2 << draw.below(7);
        Walk { quest, row, member, most, manner, rarity, draw, moves: Vec::new() }
    }

    /// Walks until the target is reached.
    fn run(&mut self, meter: &mut Meter<'_>) -> Option<Run> {
        let mut position = self.quest.start()?;
        let mut run = Run::default();
        while run.moves.len() < self.most && meter.may_go_on() {
            let Some(step) = self.pick(&position.state, meter) else {
                return self.quest.is_met_at_last(&position, &mut self.moves).then_some(run);
            };
            run.moves.push(step);
            match self.quest.advance(&mut position, &step) {
                Advance::On => run.length += step.length(),
                Advance::Reached(cost) => {
                    run.length += cost;
                    return Some(run);
                }
                Advance::Lost => return None,
            }
        }
        None
    }

    fn pick(&mut self, state: &State, meter: &mut Meter<'_>) -> Option<Move> {
        for place in 0..self.row.len() {
            let id = self.row[place];
            if id.0 >= state.process_count() {
                continue;
            }
            meter.step();
            self.quest.interpreter.moves_of(state, id, &mut self.moves);
            if let Some(step) = self.any_move(false) {
                if self.manner == Manner::Evenly {
                    let next = self.draw.below(self.row.len());
                    self.row.swap(0, next);
                } else if self.draw.below(self.rarity) == 0 {
                    self.row[place..].rotate_left(1);
                }
                return Some(step);
            }
        }
        // Nobody in the row can move; what may be left are timeouts.
        self.quest.interpreter.moves(state, &mut self.moves);
        self.any_move(true)
    }

    /// Draws one of the listed moves that only concerns processes in the row.
    fn any_move(&mut self, timeout: bool) -> Option<Move> {
        let is_member = |p: ProcessId| self.member.get(p.0 as usize).is_some_and(|m| *m);
        self.moves.retain(|m| m.timeout == timeout && movers(m).all(is_member));
        if self.moves.is_empty() { None } else { Some(self.moves[self.draw.below(self.moves.len())]) }
    }
}
