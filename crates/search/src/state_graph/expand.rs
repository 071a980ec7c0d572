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
use super::cached_graph::{CachedGraph, Source, encode};
use super::chain_cache::ChainCache;
use super::selection::MoveSelection;
use super::Cursor;
use crate::parallel::SuccessorBatch;
use crate::reduction::{AmpleFacts, AmpleMoves, ProcessFacts};
use crate::store::{DecodedState, PackedChange, PartChange, StoreFull, hash_of_bytes};
use crate::transition_cache::{Entry, PartSet, part_set};

/// Longer chains are followed by running the model.
const MAX_CACHED_CHAIN: usize = 256;
/// How often the cache may be emptied while one node is looked up.
const MAX_LOOKUPS: usize = 20;

/// A node as part numbers, and the cached moves of its processes.
#[derive(Debug, Default)]
struct CachedNode {
    numbers: Vec<u32>,
    /// By entry: the cached moves, and the parts that they depend on.
    moves: Vec<(Entry, PartSet)>,
    /// The generation of the cache that these are valid in.
    generation: u32,
}

impl CachedNode {
    fn copy_from(&mut self, other: &Self) {
        self.numbers.clone_from(&other.numbers);
        self.moves.clone_from(&other.moves);
        self.generation = other.generation;
    }

    /// Changes part numbers; returns the changed parts.
    fn change(&mut self, changes: &[PackedChange]) -> PartSet {
        changes.iter().map(PartChange::unpack).fold(0, |set, change| {
            self.numbers[change.part as usize] = change.number;
            set | part_set(change.part)
        })
    }
}

/// A successor by a cached move.
#[derive(Debug)]
struct Successor {
    entry: usize,
    /// The position of the move among those of the process.
    position: usize,
    /// The holder of exclusive control behind the move.
    holder: Option<ProcessId>,
    /// The changes of the move among those of all moves.
    changes: Range<usize>,
}

/// What the expansion by ample moves keeps beside the cache.
#[derive(Debug, Default)]
pub struct AmpleExpansion {
    node: CachedNode,
    /// The facts of the node's processes.
    facts: AmpleFacts,
    successors: Vec<Successor>,
    /// The position of the first of them in the batch.
    first: usize,
    changes: Vec<PackedChange>,
    /// A node on a chain; decoded if a process misses the cache.
    chained: CachedNode,
    decoded: DecodedState,
    /// Last nodes of chains that were followed by part numbers, and by running the model.
    cached_chains: ChainCache<u32>,
    chains: ChainCache<u8>,
    /// Scratch space for an encoded node.
    encoded: Vec<u8>,
}

impl CachedSelection for AmpleMoves {
    type Scratch = AmpleExpansion;

    fn expand_into<M: Machine>(
        cached: &mut CachedGraph<'_, M, Self>,
        scratch: &mut AmpleExpansion,
        holder: Option<ProcessId>,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        if holder.is_some() { Ok(None) } else { scratch.expand_into(cached, batch) }
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
    /// Expands a node by part numbers. Returns the number of transitions; `None` if a process is not cacheable or a move
    /// violates a property.
    fn expand_into<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        self.first = batch.len();
        self.node.numbers.clear();
        self.node.numbers.extend_from_slice(batch.node().numbers());
        cached.cursor.selection.start(cached.cache.process_count());
        if !self.node.look_up(cached, PartSet::MAX, batch, None)? {
            return Ok(None);
        }
        let ample_moves = &mut cached.cursor.selection;
        let (ample, all) = ample_moves.count_ample();
        if all == 0 {
            return Ok(None);
        }
        self.facts.copy_from(ample_moves.facts());
        self.successors.clear();
        self.changes.clear();
        for (entry, &(found, _)) in self.node.moves.iter().enumerate() {
            if ample < all && !ample_moves.is_chosen(cached.cache.process(entry)) {
                continue;
            }
            batch.set_mover(cached.cache.process(entry));
            for (position, known) in cached.cache.table.moves(found).enumerate() {
                let tail = cached.tail.as_ref().map(|tail| tail.change(batch, known.edge.holder)).transpose()?;
                batch.push_changes(known.changes, tail, known.edge)?;
                let start = self.changes.len();
                self.changes.extend_from_slice(known.changes);
                let changes = start..self.changes.len();
                self.successors.push(Successor { entry, position, holder: known.edge.holder, changes });
            }
        }
        for successor in 0..self.successors.len() {
            if !batch.is_stored(self.first + successor, cached.tail.is_some())
                && !self.follow_cached_chain(cached, successor, batch)?
                && !self.follow_from_node(cached, successor, batch)?
            {
                return Ok(None);
            }
        }
        Ok(Some(self.successors.len() as u64))
    }

    /// Follows the chain behind a successor by part numbers, and replaces the successor by its last node. False if the cache
    /// does not suffice; the successor is invalid then.
    fn follow_cached_chain<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        successor: usize,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<bool, StoreFull> {
        let Successor { holder, changes, .. } = &self.successors[successor];
        if holder.is_some() {
            return Ok(false);
        }
        self.chained.copy_from(&self.node);
        cached.cursor.selection.facts().copy_from(&self.facts);
        let mut changed = self.chained.change(&self.changes[changes.clone()]);
        let successor = self.first + successor;
        let (mut length, mut hit) = (0, false);
        self.cached_chains.start();
        loop {
            let row = batch.row(successor);
            if let Some(end) = self.cached_chains.visit(u64::from(row[0]), row) {
                batch.set_row(successor, end);
                hit = true;
                break;
            }
            cached.cache.count_node();
            if !self.chained.look_up(cached, changed, batch, Some((&mut self.decoded, successor)))? {
                return Ok(false);
            }
            let Some(process) = cached.cursor.selection.single_mover() else { break };
            let (found, _) = self.chained.moves[cached.cache.entry(process)];
            if !ProcessFacts::unpack(cached.cache.table.facts(found).0).reducible {
                break;
            }
            let step = cached.cache.table.moves(found).next().expect("the process has one move");
            length += 1;
            if !step.edge.counts() || length == MAX_CACHED_CHAIN || !batch.change(successor, step.changes) {
                return Ok(false);
            }
            changed = self.chained.change(step.changes);
        }
        if length > 0 || hit {
            batch.finish_changes(successor);
            self.cached_chains.finish(batch.row(successor), hit);
        }
        Ok(true)
    }

    /// Follows the chain behind a successor from the node on, by running the model, and replaces the successor by its last
    /// node. False if a move violates a property.
    fn follow_from_node<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        successor: usize,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<bool, StoreFull> {
        let Successor { entry, position, holder, ref changes } = self.successors[successor];
        let successor = self.first + successor;
        let changes = &self.changes[changes.clone()];
        let tail = cached.tail.as_ref().map(|tail| tail.change(batch, holder)).transpose()?;
        batch.replace_changed(successor, changes, tail)?;
        cached.load(batch.load());
        cached.cursor.list_moves_of(cached.cache.process(entry));
        let CachedGraph { cursor, tail, .. } = cached;
        let Cursor { machine, here, there, moves, ahead, coverage, selection, .. } = &mut **cursor;
        there.copy_from(here);
        let (mut next, mut length, mut hit) = (moves[position], 0, false);
        self.chains.start();
        loop {
            if machine.apply(there, &next).is_some() {
                return Ok(false);
            }
            if self.chains.is_enabled() {
                encode(tail.as_ref(), there, &mut self.encoded);
                if let Some(end) = self.chains.visit(hash_of_bytes(&self.encoded), &self.encoded) {
                    self.encoded.clear();
                    self.encoded.extend_from_slice(end);
                    hit = true;
                    break;
                }
            }
            let Some(only) = selection.single(machine, there, ahead, length) else { break };
            coverage.note(machine.interpreter(), there, &only);
            (next, length) = (only, length + 1);
        }
        if length > 0 || hit {
            if !hit {
                encode(tail.as_ref(), there, &mut self.encoded);
            }
            self.chains.finish(&self.encoded, hit);
            let counts = cached.holder_of(&self.encoded).is_none();
            batch.replace(successor, &self.encoded, counts)?;
        }
        Ok(true)
    }
}

impl CachedNode {
    /// Looks up the moves of the processes that depend on changed parts, and sets their facts. The node is that of the batch,
    /// or a successor, which is decoded if a process misses the cache. False if a process is not cacheable or a move
    /// violates a property.
    fn look_up<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        mut changed: PartSet,
        batch: &mut SuccessorBatch<'_>,
        mut successor: Option<(&mut DecodedState, usize)>,
    ) -> Result<bool, StoreFull> {
        self.moves.resize(cached.cache.process_count(), (Entry::NONE, PartSet::MAX));
        for _ in 0..MAX_LOOKUPS {
            if self.generation != cached.cache.table.generation {
                (self.generation, changed) = (cached.cache.table.generation, PartSet::MAX);
            }
            let mut loaded = false;
            for (entry, known) in self.moves.iter_mut().enumerate() {
                if known.1 & changed == 0 {
                    continue;
                }
                let mut found = cached.cache.find(entry, &self.numbers);
                if found.is_none() && cached.cache.is_cacheable(entry, &self.numbers) {
                    let successor = successor.as_mut().map(|(decoded, successor)| (&mut **decoded, *successor));
                    learn_missing(cached, entry, batch, successor, std::mem::replace(&mut loaded, true))?;
                    found = cached.cache.find(entry, &self.numbers);
                }
                let Some(found) = found else { return Ok(false) };
                *known = found;
                let (facts, count) = cached.cache.table.facts(found.0);
                let process = cached.cache.process(entry);
                cached.cursor.selection.set_process(process, ProcessFacts::unpack(facts), count);
            }
            if self.generation == cached.cache.table.generation {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Executes and caches the moves of a process in the node of a batch, or in a successor, which is loaded first.
#[cold]
#[inline(never)]
fn learn_missing<M: Machine>(
    cached: &mut CachedGraph<'_, M, AmpleMoves>,
    entry: usize,
    batch: &mut SuccessorBatch<'_>,
    successor: Option<(&mut DecodedState, usize)>,
    loaded: bool,
) -> Result<(), StoreFull> {
    let source = match successor {
        Some((decoded, successor)) => {
            if !loaded {
                cached.load(batch.decode(decoded, successor));
            }
            Source::Successor(decoded)
        }
        None => {
            if !loaded {
                cached.load(batch.load());
            }
            Source::Node
        }
    };
    cached.learn(entry, batch, source).map(drop)
}
