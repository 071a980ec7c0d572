//! Weak fairness along a run: which processes were served, and when last.

use lurcher_system::{Machine, Move, State};

/// For each process the last position at which it moved or was unable to move.
#[derive(Clone, Debug, Default)]
pub(crate) struct FairnessTracker {
    /// By process: one more than that position; 0 is never.
    served: Vec<u32>,
    moves: Vec<Move>,
}

impl FairnessTracker {
    pub fn clear(&mut self) {
        self.served.clear();
    }

    /// Notes the processes that cannot move in the state at a position.
    pub fn note_blocked(&mut self, machine: &impl Machine, state: &State, position: u32) {
        let count = state.process_count() as usize;
        if self.served.len() < count {
            self.served.resize(count, 0);
        }
        if state.exclusive.is_some() {
            return;
        }
        machine.moves(state, &mut self.moves);
        for (process, served) in self.served.iter_mut().enumerate() {
            if !self.moves.iter().any(|m| usize::from(m.process.0) == process) {
                *served = position + 1;
            }
        }
    }

    /// Notes the processes that take part in a move at a position.
    pub fn note_move(&mut self, taken: &Move, position: u32) {
        let partner = taken.partner.map(|p| p.0);
        for process in [Some(taken.process), partner].into_iter().flatten() {
            if let Some(served) = self.served.get_mut(usize::from(process.0)) {
                *served = position + 1;
            }
        }
    }

    /// Whether every process was served since a position.
    pub fn all_since(&self, position: u32) -> bool {
        self.served.iter().all(|&s| s > position)
    }
}
