//! Fresh runs: a violation often has ways of quite another shape, and cutting never turns one into the other.
//!
//! So a few random walks look for the same violation again, and what they find is shrunk as well. They try a child: a
//! process is drawn, and of its moves one. Only the processes of the best run so far take part, and in every
//! second walk one of those stays away too, because what can be done by fewer processes is usually done in fewer steps.
//! A walk is given up when it is much longer than the best run. The draws have a fixed start, so the same trace always
//! gives the same result.

use lurcher_exec::{Move, ProcessId};

use crate::budget::Meter;
use crate::loops::remove_loops;
use crate::quest::{Advance, Quest};
use crate::rand::SplitMix;
use crate::run::Run;
use crate::script::movers;
use crate::shrink::{Effort, shrink};

/// Walks in a row that may bring nothing better.
const PATIENCE: u32 = 24;
/// A walk may be so many times as long as the best run.
const STRETCH: usize = 12;

/// The best of this run and some fresh ones.
pub(crate) fn restart(quest: &Quest<'_, '_>, mut best: Run, meter: &mut Meter<'_>) -> Run {
    let mut draw = SplitMix(0);
    let mut idle = 0;
    while idle < PATIENCE && meter.may_go_on() {
        idle += 1;
        let mut team: Vec<ProcessId> = best.moves.iter().flat_map(movers).collect();
        team.sort_unstable();
        team.dedup();
        if idle % 2 == 0 && team.len() > 1 {
            team.remove(draw.below(team.len()));
        }
        let Some(found) = walk(quest, &team, best.moves.len() * STRETCH, &mut draw, meter) else { continue };
        let found = remove_loops(quest, found, meter);
        let found = shrink(quest, found, Effort::Quick, meter);
        if found.length < best.length {
            best = found;
            idle = 0;
        }
    }
    best
}

/// Walks at random until the violation is there.
fn walk(
    quest: &Quest<'_, '_>,
    team: &[ProcessId],
    most: usize,
    draw: &mut SplitMix,
    meter: &mut Meter<'_>,
) -> Option<Run> {
    let mut position = quest.start()?;
    let mut run = Run::default();
    let mut moves = Vec::new();
    while run.moves.len() < most && meter.may_go_on() {
        let Some(step) = pick(quest, &position.state, team, &mut moves, draw, meter) else {
            return quest.is_met_at_last(&position, &mut moves).then_some(run);
        };
        run.moves.push(step);
        match quest.advance(&mut position, &step) {
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

/// Draws a process of the team that can move, and one of its moves.
fn pick(
    quest: &Quest<'_, '_>,
    state: &lurcher_exec::State,
    team: &[ProcessId],
    moves: &mut Vec<Move>,
    draw: &mut SplitMix,
    meter: &mut Meter<'_>,
) -> Option<Move> {
    let is_member = |m: &Move| movers(m).all(|p| team.contains(&p));
    let offset = draw.below(team.len().max(1));
    for &id in team.iter().cycle().skip(offset).take(team.len()) {
        if id.0 < state.process_count() {
            meter.step();
            quest.interpreter.moves_of(state, id, moves);
            moves.retain(is_member);
            if !moves.is_empty() {
                return Some(moves[draw.below(moves.len())]);
            }
        }
    }
    // Nobody can move: what remains are timeouts, and processes that do not belong to the team.
    quest.interpreter.moves(state, moves);
    moves.retain(|m| m.timeout && is_member(m));
    (!moves.is_empty()).then(|| moves[draw.below(moves.len())])
}
