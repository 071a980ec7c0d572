//! A position in the state space of a model: a loaded state, its selected moves, and the state behind one of them.

use lurcher_system::{Machine, Move, ProcessId, State, Violation};

use super::selection::{AtomicChains, MoveSelection};
use crate::coverage::{Coverage, Recorder};

/// A position in the state space of a model.
#[derive(Debug)]
pub(crate) struct Cursor<M, S> {
    pub machine: M,
    pub selection: S,
    /// The loaded state.
    pub here: State,
    /// The state behind the move that was followed last.
    pub there: State,
    /// The selected moves of `here`, if `listed`.
    pub moves: Vec<Move>,
    listed: bool,
    /// The selected moves of `there`, if `end_listed`. Scratch space otherwise.
    pub ahead: Vec<Move>,
    end_listed: bool,
    /// See [`Space::chain_length`](crate::Space::chain_length).
    pub chain_length: u32,
    pub coverage: Recorder,
}

impl<M: Machine, S: MoveSelection> Cursor<M, S> {
    pub fn new(machine: M, selection: S) -> Self {
        Cursor {
            here: State::empty(machine.layout()),
            there: State::empty(machine.layout()),
            coverage: Recorder::new(machine.model()),
            machine,
            selection,
            moves: Vec::new(),
            listed: false,
            ahead: Vec::new(),
            end_listed: false,
            chain_length: 0,
        }
    }

    /// Loads a state.
    pub fn load(&mut self, (bytes, holder): (&[u8], Option<ProcessId>)) {
        self.listed = self.end_listed && self.there.bytes() == bytes && self.there.exclusive == holder;
        if self.listed {
            std::mem::swap(&mut self.moves, &mut self.ahead);
        }
        self.here.load(self.machine.layout(), bytes, holder);
        self.there.copy_from(&self.here);
        self.end_listed = false;
    }

    /// Lists the selected moves.
    pub fn list(&mut self) {
        if !self.listed {
            self.selection.select(&self.machine, &self.here, &mut self.moves);
            self.listed = true;
        }
    }

    /// Lists the moves of one process instead of the selected moves.
    pub fn list_moves_of(&mut self, id: ProcessId) {
        self.listed = false;
        self.machine.moves_of(&self.here, id, &mut self.moves);
    }

    /// Follows a move and the chain behind it; without a move, stays at the loaded state.
    pub fn follow(&mut self, step: Option<&Move>) -> Option<Violation> {
        let Cursor { machine, selection, here, there, ahead, coverage, .. } = self;
        if S::LONG_CHAINS {
            there.copy_from(here);
        } else {
            there.restore(here);
        }
        let executed = step.map(|step| execute(machine, selection, there, ahead, coverage, step));
        let (length, violation) = executed.unwrap_or((0, None));
        self.chain_length = length;
        self.end_listed = S::LONG_CHAINS && step.is_some() && violation.is_none();
        violation
    }

    /// Follows a move and the atomic chain behind it, whatever the selection is. Returns the length of the chain; none if a
    /// move violates a property.
    pub fn follow_atomic(&mut self, step: &Move) -> Option<u32> {
        let Cursor { machine, here, there, ahead, coverage, .. } = self;
        there.restore(here);
        let (length, violation) = execute(machine, &mut AtomicChains, there, ahead, coverage, step);
        violation.is_none().then_some(length)
    }

    /// Follows a move alone, whatever the selection is. Returns the length of the chain, 0; none if the move violates a
    /// property.
    pub fn follow_single(&mut self, step: &Move) -> Option<u32> {
        let Cursor { machine, here, there, coverage, .. } = self;
        there.restore(here);
        coverage.note(machine.interpreter(), there, step);
        machine.apply(there, step).is_none().then_some(0)
    }

    /// The executed statements.
    pub fn coverage(&self) -> Coverage {
        self.coverage.coverage().clone()
    }
}

/// Executes a move and the chain behind it. Returns the length of the chain and the violation.
fn execute<M: Machine, S: MoveSelection>(
    machine: &M,
    selection: &mut S,
    state: &mut State,
    moves: &mut Vec<Move>,
    coverage: &mut Recorder,
    step: &Move,
) -> (u32, Option<Violation>) {
    coverage.note(machine.interpreter(), state, step);
    match machine.apply(state, step) {
        None => selection.extend(machine, state, moves, |s, m| coverage.note(machine.interpreter(), s, m)),
        violation => (0, violation),
    }
}

/// Encodes a state as a node: its bytes, then the holder of exclusive control plus one.
pub(crate) fn encode_node(state: &State, node: &mut Vec<u8>) {
    node.clear();
    node.extend_from_slice(state.bytes());
    node.extend_from_slice(&state.exclusive.map_or(0, |p| p.0 + 1).to_le_bytes());
}

/// Splits a node into the bytes of the state and the holder of exclusive control.
pub(crate) fn decode_node(node: &[u8]) -> (&[u8], Option<ProcessId>) {
    let (bytes, holder) = node.split_at(node.len() - 2);
    let holder = u16::from_le_bytes([holder[0], holder[1]]);
    (bytes, holder.checked_sub(1).map(ProcessId))
}
