//! A fast path of breadth-first search: nodes are expanded by cached transitions.

use std::fmt::Debug;

use lurcher_system::{Machine, Move, ProcessId, State};

use super::selection::{AtomicChains, MoveSelection};
use super::{StateGraph, decode_node, encode_node};
use crate::coverage::Coverage;
use crate::parallel::SuccessorBatch;
use crate::space::Expander;
use crate::store::{DecodedState, Partition, StoreFull};
use crate::transition_cache::{EdgeMetadata, TransitionCache, global_splits};

/// A graph with a transition cache. The cache does not evaluate invariants, so a graph with invariants does not use it.
#[derive(Debug)]
pub struct CachedExpansion<M, S: CachedSelection> {
    cached: CachedGraph<M, S>,
    scratch: S::Scratch,
}

impl<M: Machine, S: CachedSelection> CachedExpansion<M, S> {
    pub(super) fn new(graph: StateGraph<M, S>) -> Self {
        let cache = TransitionCache::new(graph.cursor.machine.model());
        CachedExpansion { cached: CachedGraph { graph, cache, node: Vec::new() }, scratch: S::Scratch::default() }
    }

    /// The executed statements.
    pub fn coverage(&self) -> Coverage {
        self.cached.graph.coverage()
    }

    fn uses_cache(&self) -> bool {
        self.cached.graph.invariants.is_empty()
    }
}

impl<M: Machine, S: CachedSelection> Expander for CachedExpansion<M, S> {
    type Space = StateGraph<M, S>;

    fn space(&mut self) -> &mut StateGraph<M, S> {
        &mut self.cached.graph
    }

    fn graph(&self) -> &StateGraph<M, S> {
        &self.cached.graph
    }

    fn expand_into(&mut self, batch: &mut SuccessorBatch<'_>) -> Result<Option<u64>, StoreFull> {
        if self.uses_cache() { S::expand_into(&mut self.cached, &mut self.scratch, batch) } else { Ok(None) }
    }

    fn partition(&self) -> Partition {
        let machine = &self.cached.graph.cursor.machine;
        let splits = if self.uses_cache() { global_splits(machine.model(), machine.layout()) } else { Vec::new() };
        Partition::Frames(machine.layout().clone(), splits)
    }

    fn memory(&self) -> u64 {
        if self.uses_cache() { self.cached.cache.table.memory() + S::memory(&self.scratch) } else { 0 }
    }
}

/// A selection of moves that a [`CachedExpansion`] supports.
pub trait CachedSelection: MoveSelection + Sized {
    /// What an expansion keeps beside the cache.
    type Scratch: Debug + Default;

    /// [`Expander::expand_into`] with a cache.
    fn expand_into<M: Machine>(
        cached: &mut CachedGraph<M, Self>,
        scratch: &mut Self::Scratch,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<u64>, StoreFull>;

    /// Facts about all moves of a process that are cached with them.
    fn facts(&mut self, state: &State, id: ProcessId, moves: &[Move]) -> [u32; 2] {
        let _ = (state, id, moves);
        [0, 0]
    }

    /// Bytes of the scratch space.
    fn memory(scratch: &Self::Scratch) -> u64 {
        let _ = scratch;
        0
    }
}

/// A graph and its transition cache.
#[derive(Debug)]
pub struct CachedGraph<M, S> {
    pub(super) graph: StateGraph<M, S>,
    pub(super) cache: TransitionCache,
    /// Scratch space for an encoded node.
    node: Vec<u8>,
}

/// The node whose moves are cached, and what else happens with its successors.
pub(super) enum Source<'d> {
    /// The node of a batch; its successors are added to the batch.
    NodePushing,
    /// The node of a batch.
    Node,
    /// A successor in a batch, decoded.
    Successor(&'d mut DecodedState),
}

impl<M: Machine, S: CachedSelection> CachedGraph<M, S> {
    /// Starts the node of a batch. False if the cache has no room for its layout.
    pub(super) fn start_node(&mut self, batch: &mut SuccessorBatch<'_>) -> bool {
        let Some(layout) = batch.node().layout() else { return false };
        if self.cache.start_node(layout) {
            return true;
        }
        let layout = layout.clone();
        self.load(batch.load());
        self.cache.add_layout(&layout, &self.graph.cursor.here)
    }

    /// Loads a node.
    pub(super) fn load(&mut self, node: &[u8]) {
        self.graph.cursor.load(decode_node(node));
    }

    /// The holder of exclusive control in the node of a batch.
    pub(super) fn holder(&mut self, batch: &mut SuccessorBatch<'_>) -> Option<ProcessId> {
        self.cache.holder(batch.node().numbers()).unwrap_or_else(|| {
            let holder = decode_node(batch.load()).1;
            self.cache.set_holder(batch.node().numbers(), holder);
            holder
        })
    }

    /// Executes and caches all moves of a process in the loaded node. Returns the number of transitions; `None` if a move
    /// violates a property.
    pub(super) fn learn(
        &mut self,
        entry: usize,
        batch: &mut SuccessorBatch<'_>,
        mut source: Source<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        let CachedGraph { graph: StateGraph { cursor, .. }, cache, node } = self;
        cursor.list_moves_of(cache.process(entry));
        cache.start_moves();
        let (mut transitions, mut same_layout) = (0, true);
        for at in 0..cursor.moves.len() {
            let step = cursor.moves[at];
            let Some(chain) = cursor.follow_atomic(&step) else { return Ok(None) };
            encode_node(&cursor.there, node);
            // An ample edge has the length of its first move.
            let length = step.length() + if S::LONG_CHAINS { 0 } else { chain };
            let (paired, counts) = (step.partner.is_some(), cursor.there.exclusive.is_none());
            let edge = EdgeMetadata { length, paired, counts };
            same_layout &= match &mut source {
                Source::NodePushing => batch.push(node, edge)?,
                Source::Node => batch.compare(node)?,
                Source::Successor(decoded) => batch.compare_with(decoded, node)?,
            };
            cache.add_move(source.decoded(batch), edge);
            transitions += 1 + u64::from(chain);
        }
        let facts = cursor.selection.facts(&cursor.here, cache.process(entry), &cursor.moves);
        let model = (cursor.machine.interpreter(), &cursor.here);
        cache.finish_moves(entry, model, source.decoded(batch).numbers(), same_layout, facts);
        Ok(Some(transitions))
    }
}

impl Source<'_> {
    fn decoded<'s>(&'s self, batch: &'s SuccessorBatch<'_>) -> &'s DecodedState {
        match self {
            Source::Successor(decoded) => decoded,
            _ => batch.node(),
        }
    }
}

impl CachedSelection for AtomicChains {
    type Scratch = ();

    fn expand_into<M: Machine>(
        cached: &mut CachedGraph<M, Self>,
        (): &mut (),
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        if !cached.start_node(batch) {
            return Ok(None);
        }
        let entries = match cached.holder(batch) {
            None => 0..cached.cache.process_count(),
            Some(process) => {
                let entry = cached.cache.entry_of_holder(process);
                entry..entry + 1
            }
        };
        let (mut transitions, mut loaded) = (0, false);
        for entry in entries {
            batch.set_mover(cached.cache.process(entry));
            if let Some((found, _)) = cached.cache.find(entry, batch.node().numbers()) {
                for known in cached.cache.table.moves(found) {
                    batch.push_changes(known.changes, known.edge)?;
                    transitions += u64::from(known.edge.transitions());
                }
                continue;
            }
            if !std::mem::replace(&mut loaded, true) {
                cached.load(batch.load());
            }
            match cached.learn(entry, batch, Source::NodePushing)? {
                Some(more) => transitions += more,
                None => return Ok(None),
            }
        }
        Ok((batch.len() > 0).then_some(transitions))
    }
}
