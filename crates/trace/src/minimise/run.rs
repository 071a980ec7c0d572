//! Runs: moves from the initial state to the violation.

use std::hash::Hasher;

use lurcher_system::{Move, ProcessId, State};
use rustc_hash::FxHasher;

use crate::minimise::budget::Meter;
use crate::minimise::quest::{Advance, Position, Quest};

/// A run that ends in the violation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    pub moves: Vec<Move>,
    /// Steps, as traces count them.
    pub length: u32,
}

impl Quest<'_, '_> {
    /// Is this move possible in this state?
    pub fn allows(&self, position: &Position, step: &Move, moves: &mut Vec<Move>) -> bool {
        let (state, id) = (&position.state, step.process);
        if id.0 >= state.process_count() {
            return false;
        }
        if step.timeout {
            self.interpreter.moves(state, moves);
            return moves.contains(step);
        }
        let exists = step.branch < self.interpreter.branch_count(state, id);
        exists && self.moves_by_branch(state, id, step.branch, moves) && moves.contains(step)
    }

    /// Collects the moves that one branch of a process offers without a timeout, where the process may run; says whether
    /// it may.
    pub fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, moves: &mut Vec<Move>) -> bool {
        let may_run = state.exclusive.is_none_or(|holder| holder == id) && self.interpreter.may_run(state, id, false);
        if may_run {
            self.interpreter.moves_by_branch(state, id, branch, false, moves);
        }
        may_run
    }

    /// Does the run end here, with everything looked at?
    pub fn is_met_at_last(&self, position: &Position, moves: &mut Vec<Move>) -> bool {
        self.interpreter.moves(&position.state, moves);
        self.is_met_with(position, moves)
    }

    /// Executes moves one by one until the violation is there, and shows every position on the way. None when a move
    /// is not possible or the violation does not come.
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
            meter.step();
            match self.advance(&mut position, step) {
                Advance::On => length += step.length(),
                Advance::Reached(cost) => {
                    return Some(Run { moves: moves[..=index].to_vec(), length: length + cost });
                }
                Advance::Lost => return None,
            }
            visit(&position);
        }
        self.is_met_at_last(&position, &mut possible).then(|| Run { moves: moves.to_vec(), length })
    }
}

/// A number that stands for bytes; equal bytes have equal numbers.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}
