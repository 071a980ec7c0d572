//! Runs: moves from the start to the goal.

use std::hash::Hasher;

use lurcher_system::{Move, ProcessId, State};
use rustc_hash::FxHasher;

use super::goal::{Advance, Goal, Position};
use super::loop_removal::shortest_subpath;
use crate::minimise::budget::Meter;

/// A run that reaches the goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub moves: Vec<Move>,
    /// Steps as traces count them. A rendezvous counts one if its first half is the violation.
    pub length: u32,
}

impl Goal<'_, '_> {
    /// Whether a move is enabled.
    pub fn allows(&self, position: &Position, step: &Move, moves: &mut Vec<Move>) -> bool {
        let (state, id) = (&position.state, step.process);
        if id.0 >= state.process_count() {
            return false;
        }
        if step.timeout {
            self.system.interpreter.moves(state, moves);
            return moves.contains(step);
        }
        let exists = step.branch < self.system.interpreter.branch_count(state, id);
        exists && self.moves_by_branch(state, id, step.branch, moves) && moves.contains(step)
    }

    /// Lists the moves of one branch without timeout; false if the process may not run.
    pub fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, moves: &mut Vec<Move>) -> bool {
        let may_run =
            state.exclusive.is_none_or(|holder| holder == id) && self.system.interpreter.may_run(state, id, false);
        if may_run {
            self.system.interpreter.moves_by_branch(state, id, branch, false, moves);
        }
        may_run
    }

    /// Whether a run may end at this position.
    pub fn is_met_at_end(&self, position: &Position, moves: &mut Vec<Move>) -> bool {
        self.system.interpreter.moves(&position.state, moves);
        self.is_met_with(position, moves)
    }

    /// Executes moves until the goal is reached, and shows every position on the way. None if a move is disabled, the goal
    /// is not reached, or minimising is stopped.
    pub fn execute(&self, moves: &[Move], meter: &mut Meter<'_>, mut visit: impl FnMut(&Position)) -> Option<Run> {
        let mut position = self.start()?;
        let mut possible = Vec::new();
        let mut length = 0;
        visit(&position);
        if self.is_met(&position) {
            return Some(Run::default());
        }
        for (index, step) in moves.iter().enumerate() {
            if !self.allows(&position, step, &mut possible) {
                return None;
            }
            if !meter.step() {
                return None;
            }
            match self.advance(&mut position, step) {
                Advance::Continues => length += step.length(),
                Advance::Reached(cost) => {
                    return Some(Run { moves: moves[..=index].to_vec(), length: length + cost });
                }
                Advance::Rejected => return None,
            }
            visit(&position);
        }
        self.is_met_at_end(&position, &mut possible).then(|| Run { moves: moves.to_vec(), length })
    }

    /// The shortest run through the positions of a run.
    pub fn remove_loops(&self, run: Run, meter: &mut Meter<'_>) -> Run {
        let mut prints = Vec::with_capacity(run.moves.len() + 1);
        let mut node = Vec::new();
        let executed = self.execute(&run.moves, meter, |position| {
            position.pack(&mut node);
            prints.push(fingerprint(&node));
        });
        let Some(run) = executed else { return run };
        prints.truncate(run.moves.len());
        self.without_loops(&run, &prints, meter).unwrap_or(run)
    }

    /// The shortest run through the positions of a run, if it is shorter. `prints` are the hashes of the positions before
    /// each move.
    pub fn without_loops(&self, run: &Run, prints: &[u64], meter: &mut Meter<'_>) -> Option<Run> {
        let kept = shortest_subpath(prints, &run.moves)?;
        let shorter = self.execute(&kept, meter, |_| {})?;
        (shorter.length < run.length && self.approves(&shorter)).then_some(shorter)
    }
}

/// A hash of bytes.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}
