//! The states of a model as a space.
//!
//! A node is the bytes of a state and the holder of exclusive control. Nodes with a holder lie inside atomic chains; storing
//! some of them makes loops inside `atomic` end. It is enough to store those with a choice, and one now and then: a
//! [`MoveSelection`] may merge the others into edges.
//!
//! [`StateGraph`] is the plain space, with a selection of moves as a type parameter; [`CachedExpansion`] adds a fast path for
//! breadth-first search.

mod cached_chain;
mod cached_expansion;
mod cached_graph;
mod cached_node;
mod chain_cache;
mod cursor;
mod expand;
mod selection;

use lurcher_ir::{Expr, LocationId};
use lurcher_system::{Machine, State, Violation};

use crate::coverage::Coverage;
use crate::reduction::AmpleMoves;
use crate::space::{NodeInfo, Space, StateSpace, Step};
use crate::store::Partition;

pub use cached_expansion::{CachedExpansion, CachedSelection};
pub use cached_graph::CachedGraph;
pub(crate) use cached_graph::{SUFFIX, SuccessorTail};
pub(crate) use cursor::{Cursor, decode_node, encode_node};
pub use selection::{AllMoves, AtomicChains, MoveSelection};

/// The states of a model.
#[derive(Debug)]
pub struct StateGraph<M, S = AllMoves> {
    cursor: Cursor<M, S>,
    /// Must be true in every state.
    invariants: Vec<Expr>,
    /// Report invalid end states.
    end_states: bool,
}

impl<M: Machine> StateGraph<M> {
    /// The states of a model. Each invariant must be true in every state; with `end_states`, a deadlock must be a valid end
    /// state.
    pub fn new(machine: M, invariants: Vec<Expr>, end_states: bool) -> Self {
        StateGraph { cursor: Cursor::new(machine, AllMoves), invariants, end_states }
    }

    /// Merges chains of single moves inside `atomic` into edges.
    pub fn merging_chains(self) -> StateGraph<M, AtomicChains> {
        self.selecting(AtomicChains)
    }

    /// Explores only ample moves, and merges chains of single ones into edges.
    pub fn reduced(self, ample: AmpleMoves) -> StateGraph<M, AmpleMoves> {
        self.selecting(ample)
    }

    fn selecting<S: MoveSelection>(self, selection: S) -> StateGraph<M, S> {
        let StateGraph { cursor, invariants, end_states } = self;
        StateGraph { cursor: Cursor::new(cursor.machine, selection), invariants, end_states }
    }
}

impl<M: Machine, S: CachedSelection> StateGraph<M, S> {
    /// Adds a transition cache.
    pub fn cached(self) -> CachedExpansion<M, S> {
        CachedExpansion::new(self)
    }
}

impl<M: Machine, S: MoveSelection> StateGraph<M, S> {
    /// The executed statements.
    pub fn coverage(&self) -> Coverage {
        self.cursor.coverage()
    }
}

impl<M: Machine, S: MoveSelection> StateSpace for StateGraph<M, S> {
    fn empty_state(&self) -> State {
        State::empty(self.cursor.machine.layout())
    }

    fn decode(&self, node: &[u8], state: &mut State) -> LocationId {
        let (bytes, holder) = decode_node(node);
        state.load(self.cursor.machine.layout(), bytes, holder);
        LocationId(0)
    }
}

impl<M: Machine, S: MoveSelection> Space for StateGraph<M, S> {
    type Step = Step;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        encode_node(&self.cursor.machine.initial()?, node);
        Ok(())
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<Step>) -> NodeInfo {
        self.cursor.load(decode_node(node));
        self.cursor.list();
        let Cursor { machine, here, moves, .. } = &self.cursor;
        steps.clear();
        steps.extend(moves.iter().map(|&m| Step::of(m)));
        let mut info = NodeInfo::default();
        if here.exclusive.is_none() {
            let stuck = moves.is_empty() && here.process_count() > 0;
            info.deadlock = self.end_states && stuck && !machine.is_valid_end(here);
            for invariant in &self.invariants {
                info.invariant_broken |= !machine.holds(here, invariant).unwrap_or(false);
            }
        }
        info
    }

    fn take(&mut self, node: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        self.cursor.load(decode_node(node));
        self.follow(node, step, next)
    }

    fn follow(&mut self, _: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        let violation = self.cursor.follow(step.system.as_ref());
        encode_node(&self.cursor.there, next);
        violation
    }

    fn chain_length(&self) -> u32 {
        self.cursor.chain_length
    }

    fn partition(&self) -> Partition {
        Partition::frames(self.cursor.machine.layout())
    }

    fn counts(&self, node: &[u8]) -> bool {
        decode_node(node).1.is_none()
    }

    fn is_accepting(&mut self, _: &[u8]) -> bool {
        false
    }
}
