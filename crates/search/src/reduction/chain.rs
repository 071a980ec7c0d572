//! Chains of single ample moves.
//!
//! A state with a single ample move, which is invisible and cuts no cycle, need not be stored. So an edge of the reduced graph
//! is a move and the chain of single ample moves behind it, like Spin's merged statements, but across processes. Every cycle
//! is cut, so no chain is infinite; the limit only bounds the time for one edge.
//!
//! Inside `atomic`, where no other process may move, every single move extends the chain if the search only checks states
//! outside (`through_atomic`); there the limit ends a chain that is a cycle.

use lurcher_system::{Machine, Move, State};

use super::AmpleMoves;
use crate::state_graph::MoveSelection;

/// The longest chain of few processes.
const MAX_AMPLE_CHAIN: usize = 10_000;
/// A step takes time in proportion to the processes. This many more divide the longest chain by one more.
const PROCESSES: usize = 64;

impl MoveSelection for AmpleMoves {
    const LONG_CHAINS: bool = true;

    fn select<M: Machine>(&mut self, machine: &M, state: &State, moves: &mut Vec<Move>) {
        machine.moves(state, moves);
        if state.exclusive.is_none() {
            self.retain_ample(state, moves);
        }
    }

    fn single<M: Machine>(&mut self, machine: &M, state: &State, moves: &mut Vec<Move>, length: usize) -> Option<Move> {
        self.select(machine, state, moves);
        let &[only] = moves.as_slice() else { return None };
        let held = self.through_atomic && state.exclusive == Some(only.process) && only.partner.is_none();
        let longest = MAX_AMPLE_CHAIN / (1 + usize::from(state.process_count()) / PROCESSES);
        (length < longest && (held || self.is_reducible(state, &only))).then_some(only)
    }
}

impl AmpleMoves {
    /// Makes chains continue inside `atomic`, even if a move is visible. For searches that check states outside only.
    pub fn chain_through_atomic(&mut self) {
        self.through_atomic = true;
    }

    /// Whether chains continue inside `atomic`.
    pub(crate) fn chains_through_atomic(&self) -> bool {
        self.through_atomic
    }
}
