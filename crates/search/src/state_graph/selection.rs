//! Which moves a graph explores, and which it merges into edges.

use lurcher_resources::checkpoint;
use lurcher_system::{Machine, Move, Path, State, Violation};

use crate::space::{MAX_CHAIN, Step};

/// Selects the explored moves of a state. May merge a chain of moves into the edge before them, so that the states between
/// are no nodes.
pub trait MoveSelection {
    /// Chains may be long: they may replace processes, and [`MoveSelection::single`] leaves the selected moves of the last
    /// state in `moves`. An edge counts as one transition, however long its chain is.
    const LONG_CHAINS: bool = false;

    /// Lists the explored moves of a state.
    fn select<M: Machine>(&mut self, machine: &M, state: &State, moves: &mut Vec<Move>) {
        machine.moves(state, moves);
    }

    /// The single move of a state that extends a chain of this length, if there is one.
    fn single<M: Machine>(&mut self, machine: &M, state: &State, moves: &mut Vec<Move>, length: usize) -> Option<Move> {
        let _ = (machine, state, moves, length);
        None
    }

    /// Executes the chain behind a move that led to `state`, up to a violation. Calls `on_move` before each move. Returns
    /// [`Space::chain_length`](crate::Space::chain_length) and the violation.
    fn extend<M: Machine>(
        &mut self,
        machine: &M,
        state: &mut State,
        moves: &mut Vec<Move>,
        mut on_move: impl FnMut(&State, &Move),
    ) -> (u32, Option<Violation>) {
        let (mut length, mut violation) = (0, None);
        while violation.is_none()
            && let Some(only) = self.single(machine, state, moves, length)
        {
            on_move(state, &only);
            length += 1;
            violation = machine.apply(state, &only);
        }
        (if Self::LONG_CHAINS { 0 } else { length as u32 }, violation)
    }

    /// Inserts the moves of all chains into a path.
    fn unmerge_chains<M: Machine>(&mut self, machine: &M, path: &mut Path<Step>) {
        let Ok(mut state) = machine.initial() else { return };
        let (mut moves, mut whole) = (Vec::new(), Path { steps: Vec::new(), cycle_start: path.cycle_start });
        for (number, step) in path.steps.iter().enumerate() {
            if path.cycle_start == Some(number) {
                whole.cycle_start = Some(whole.steps.len());
            }
            whole.steps.push(*step);
            let Some(taken) = &step.system else { continue };
            if machine.apply(&mut state, taken).is_none() {
                self.extend(machine, &mut state, &mut moves, |_, m| {
                    checkpoint();
                    whole.steps.push(Step::of(*m));
                });
            }
        }
        *path = whole;
    }
}

/// Explores all moves, and merges nothing.
#[derive(Clone, Copy, Debug)]
pub struct AllMoves;

impl MoveSelection for AllMoves {}

/// Explores all moves, and merges chains of single moves inside `atomic`. Loops inside `atomic` end because chains are short.
#[derive(Clone, Copy, Debug)]
pub struct AtomicChains;

impl MoveSelection for AtomicChains {
    fn single<M: Machine>(&mut self, machine: &M, state: &State, moves: &mut Vec<Move>, length: usize) -> Option<Move> {
        let holder = state.exclusive.filter(|_| length < MAX_CHAIN as usize)?;
        machine.moves(state, moves);
        match moves.as_slice() {
            [only] if only.process == holder && only.partner.is_none() => Some(*only),
            _ => None,
        }
    }
}
