//! Expansion of nodes by ample moves, with a transition cache.
//!
//! The cache knows the moves of a process by part numbers, and with them the facts that the choice of an ample set needs. So
//! the ample moves of a node are chosen, and chains of single ample moves are followed, by part numbers alone; the model runs
//! on cache misses only. Nodes that the cache does not support are left to the slow path of the search, with the same result.
//!
//! A successor that is stored is the end of a chain, so only chains behind other successors have to be followed.

use std::ops::Range;

use lurcher_system::{Machine, Move, ProcessId, State};

use super::cached_expansion::CachedSelection;
use super::cached_graph::{CachedGraph, Source};
use super::cached_node::CachedNode;
use super::chain_cache::ChainCache;
use crate::parallel::SuccessorBatch;
use crate::reduction::{AmpleFacts, AmpleMoves};
use crate::store::{DecodedState, PackedChange, StoreFull};
use crate::transition_cache::{Entry, PartSet};

/// A successor by a cached move.
#[derive(Debug)]
pub(super) struct Successor {
    pub entry: usize,
    /// The position of the move among those of the process.
    pub position: usize,
    /// The holder of exclusive control behind the move.
    pub holder: Option<ProcessId>,
    /// The changes of the move among those of all moves.
    pub changes: Range<usize>,
}

/// What the expansion by ample moves keeps beside the cache.
#[derive(Debug, Default)]
pub struct AmpleExpansion {
    pub(super) node: CachedNode,
    /// The facts of the node's processes.
    pub(super) facts: AmpleFacts,
    pub(super) successors: Vec<Successor>,
    pub(super) changes: Vec<PackedChange>,
    /// A node on a chain; decoded if a process misses the cache.
    pub(super) chained: CachedNode,
    pub(super) decoded: DecodedState,
    /// Last nodes of chains that were followed by part numbers, and by running the model.
    pub(super) cached_chains: ChainCache<u32>,
    pub(super) chains: ChainCache<u8>,
    /// Scratch space for an encoded node.
    pub(super) encoded: Vec<u8>,
}

impl CachedSelection for AmpleMoves {
    type Scratch = AmpleExpansion;

    fn expand_into<M: Machine>(
        cached: &mut CachedGraph<'_, M, Self>,
        scratch: &mut AmpleExpansion,
        holder: Option<ProcessId>,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        scratch.start(batch);
        let listed = match holder {
            None => scratch.push_ample(cached, batch)?,
            // Chains inside `atomic` that the cache has merged end where the process has a choice.
            Some(_) if cached.cursor.selection.chains_through_atomic() => false,
            Some(holder) => scratch.push_moves_of_holder(cached, holder, batch)?,
        };
        if listed { scratch.follow_chains(cached, batch) } else { Ok(None) }
    }

    fn merges_atomic(&self) -> bool {
        self.chains_through_atomic()
    }

    fn facts(&mut self, state: &State, id: ProcessId, moves: &[Move]) -> [u32; 2] {
        self.facts_of(state, id, moves).pack()
    }

    fn memory(scratch: &AmpleExpansion) -> u64 {
        scratch.cached_chains.memory() + scratch.chains.memory()
    }
}

impl AmpleExpansion {
    /// Starts the node of an empty batch.
    fn start(&mut self, batch: &SuccessorBatch<'_>) {
        self.node.start(batch.node().numbers());
        self.successors.clear();
        self.changes.clear();
    }

    /// Adds the successors by ample moves, without the chains behind them. False if there are none, a process is not
    /// cacheable, or a move violates a property.
    fn push_ample<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<bool, StoreFull> {
        cached.cursor.selection.start(cached.cache.process_count());
        if !self.node.look_up(cached, PartSet::MAX, batch, &mut Source::Node)? {
            return Ok(false);
        }
        let (ample, all) = cached.cursor.selection.count_ample();
        self.facts.copy_from(cached.cursor.selection.facts());
        for entry in 0..self.node.moves.len() {
            if ample == all || cached.cursor.selection.is_chosen(cached.cache.process(entry)) {
                self.push(cached, (entry, self.node.moves[entry].0), batch)?;
            }
        }
        Ok(all > 0)
    }

    /// The same for the moves of the holder of exclusive control.
    fn push_moves_of_holder<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        holder: ProcessId,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<bool, StoreFull> {
        // Of the other processes nothing is known.
        cached.cursor.selection.start(cached.cache.process_count());
        self.facts.copy_from(cached.cursor.selection.facts());
        let entry = cached.cache.entry_of_holder(holder);
        let Some((found, _)) = self.node.find_or_learn(cached, entry, batch, &mut Source::Node)? else {
            return Ok(false);
        };
        self.push(cached, (entry, found), batch)?;
        Ok(!self.successors.is_empty())
    }

    /// Adds the successors by the moves of a process.
    #[inline(always)]
    fn push<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        (entry, found): (usize, Entry),
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<(), StoreFull> {
        batch.set_mover(cached.cache.process(entry));
        for (position, known) in cached.cache.table.moves(found).enumerate() {
            let tail = cached.tail.as_ref().map(|tail| tail.change(batch, known.edge.holder)).transpose()?;
            batch.push_changes(known.changes, tail, known.edge)?;
            let start = self.changes.len();
            self.changes.extend_from_slice(known.changes);
            let changes = start..self.changes.len();
            self.successors.push(Successor { entry, position, holder: known.edge.holder, changes });
        }
        Ok(())
    }

    /// Follows the chains behind all successors. Returns the number of transitions; `None` if a move violates a property.
    fn follow_chains<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        for successor in 0..self.successors.len() {
            if !batch.is_stored(successor, cached.tail.is_some())
                && !self.follow_cached_chain(cached, successor, batch)?
                && !self.follow_from_node(cached, successor, batch)?
            {
                return Ok(None);
            }
        }
        Ok(Some(self.successors.len() as u64))
    }
}
