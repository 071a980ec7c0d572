//! A fast path of searches: nodes are expanded by cached transitions.

use std::fmt::Debug;

use lurcher_system::{Machine, Move, ProcessId, State};

use super::cached_graph::{CachedGraph, Source};
use super::selection::{AllMoves, AtomicChains, MoveSelection};
use super::{StateGraph, decode_node};
use crate::coverage::Coverage;
use crate::parallel::SuccessorBatch;
use crate::space::Expander;
use crate::store::{Partition, StoreFull};
use crate::transition_cache::{TransitionCache, global_splits};

/// A graph with a transition cache. The cache does not evaluate invariants, so a graph with invariants does not use it.
#[derive(Debug)]
pub struct CachedExpansion<M, S: CachedSelection> {
    graph: StateGraph<M, S>,
    cache: TransitionCache,
    /// Scratch space for an encoded node.
    node: Vec<u8>,
    scratch: S::Scratch,
}

impl<M: Machine, S: CachedSelection> CachedExpansion<M, S> {
    pub(super) fn new(graph: StateGraph<M, S>) -> Self {
        let cache = TransitionCache::new(graph.cursor.machine.model(), false);
        CachedExpansion { graph, cache, node: Vec::new(), scratch: S::Scratch::default() }
    }

    /// The executed statements.
    pub fn coverage(&self) -> Coverage {
        self.graph.coverage()
    }

    fn uses_cache(&self) -> bool {
        self.graph.invariants.is_empty()
    }
}

impl<M: Machine, S: CachedSelection> Expander for CachedExpansion<M, S> {
    type Space = StateGraph<M, S>;
    const EXPANDS: bool = true;

    fn space(&mut self) -> &mut StateGraph<M, S> {
        &mut self.graph
    }

    fn graph(&self) -> &StateGraph<M, S> {
        &self.graph
    }

    fn expand_into(&mut self, batch: &mut SuccessorBatch<'_>) -> Result<Option<u64>, StoreFull> {
        if !self.uses_cache() {
            return Ok(None);
        }
        let CachedExpansion { graph: StateGraph { cursor, .. }, cache, node, scratch } = self;
        let mut cached = CachedGraph { cursor, cache, node, tail: None, loaded: &mut false };
        if !cached.start_node(batch) {
            return Ok(None);
        }
        let holder = cached.cache.holder(batch.node().numbers());
        let holder = holder.unwrap_or_else(|| {
            let holder = decode_node(batch.load()).1;
            cached.cache.set_holder(batch.node().numbers(), holder);
            holder
        });
        let transitions = S::expand_into(&mut cached, scratch, holder, batch)?;
        Ok(transitions.filter(|_| batch.len() > 0))
    }

    fn partition(&self) -> Partition {
        let machine = &self.graph.cursor.machine;
        let splits = if self.uses_cache() { global_splits(machine.model(), machine.layout()) } else { Vec::new() };
        Partition::Frames { layout: machine.layout().clone(), splits, tail: 0 }
    }

    fn memory(&self) -> u64 {
        if self.uses_cache() { self.cache.table.memory() + S::memory(&self.scratch) } else { 0 }
    }
}

/// A selection of moves that the transition cache supports.
pub trait CachedSelection: MoveSelection + Sized {
    /// What an expansion keeps beside the cache.
    type Scratch: Debug + Default;

    /// [`Expander::expand_into`] for a node whose layout is known to the cache, with this holder of exclusive control.
    fn expand_into<M: Machine>(
        cached: &mut CachedGraph<'_, M, Self>,
        scratch: &mut Self::Scratch,
        holder: Option<ProcessId>,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<u64>, StoreFull>;

    /// Whether atomic chains are merged into the moves before them.
    fn merges_atomic(&self) -> bool;

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

impl CachedSelection for AtomicChains {
    type Scratch = ();

    fn expand_into<M: Machine>(
        cached: &mut CachedGraph<'_, M, Self>,
        (): &mut (),
        holder: Option<ProcessId>,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        expand_all(cached, holder, batch)
    }

    fn merges_atomic(&self) -> bool {
        true
    }
}

impl CachedSelection for AllMoves {
    type Scratch = ();

    fn expand_into<M: Machine>(
        cached: &mut CachedGraph<'_, M, Self>,
        (): &mut (),
        holder: Option<ProcessId>,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        expand_all(cached, holder, batch)
    }

    fn merges_atomic(&self) -> bool {
        false
    }
}

/// Expands a node by all moves. Returns the number of transitions; `None` if a move violates a property.
fn expand_all<M: Machine, S: CachedSelection>(
    cached: &mut CachedGraph<'_, M, S>,
    holder: Option<ProcessId>,
    batch: &mut SuccessorBatch<'_>,
) -> Result<Option<u64>, StoreFull> {
    let entries = match holder {
        None => 0..cached.cache.process_count(),
        Some(process) => {
            let entry = cached.cache.entry_of_holder(process);
            entry..entry + 1
        }
    };
    let mut transitions = 0;
    for entry in entries {
        batch.set_mover(cached.cache.process(entry));
        if let Some((found, _)) = cached.cache.find(entry, batch.node().numbers()) {
            for known in cached.cache.table.moves(found) {
                let tail = cached.tail.as_ref().map(|tail| tail.change(batch, known.edge.holder)).transpose()?;
                batch.push_changes(known.changes, tail, known.edge)?;
                transitions += u64::from(known.edge.transitions());
            }
            continue;
        }
        cached.load_source(batch, &mut Source::NodePushing);
        match cached.learn(entry, batch, &mut Source::NodePushing)? {
            Some(more) => transitions += more,
            None => return Ok(None),
        }
    }
    Ok(Some(transitions))
}
