//! Chains of single ample moves behind the successors of a node.

use lurcher_system::{Machine, ProcessId};

use super::Cursor;
use super::cached_graph::{CachedGraph, Source, encode};
use super::expand::{AmpleExpansion, Successor};
use super::selection::MoveSelection;
use crate::parallel::SuccessorBatch;
use crate::reduction::{AmpleMoves, ProcessFacts};
use crate::store::{StoreFull, hash_of_bytes};
use crate::transition_cache::{Entry, PartSet};

/// Longer chains are followed by running the model.
const MAX_CACHED_CHAIN: usize = 256;

impl AmpleExpansion {
    /// Follows the chain behind a successor by part numbers, and replaces the successor by its last node. False if the cache
    /// does not suffice; the successor is invalid then.
    pub(super) fn follow_cached_chain<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        successor: usize,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<bool, StoreFull> {
        let Successor { holder, changes, .. } = &self.successors[successor];
        let mut holder = *holder;
        // Without a tail, a change of the holder is a change of the last part.
        if holder.is_some() && cached.tail.is_none() {
            return Ok(false);
        }
        self.chained.copy_from(&self.node);
        cached.cursor.selection.facts().copy_from(&self.facts);
        let mut changed = self.chained.change(&self.changes[changes.clone()]);
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
            let Some(found) = self.single_move(cached, holder, &mut changed, successor, batch)? else {
                return Ok(false);
            };
            let Some(found) = found else { break };
            let step = cached.cache.table.moves(found).next().expect("the process has one move");
            length += 1;
            if length == MAX_CACHED_CHAIN || !batch.change(successor, step.changes) {
                return Ok(false);
            }
            if step.edge.holder != holder {
                let Some(tail) = &cached.tail else { return Ok(false) };
                let change = tail.change_between(batch, holder, step.edge.holder)?;
                if !batch.change(successor, &[change]) {
                    return Ok(false);
                }
                holder = step.edge.holder;
            }
            changed |= self.chained.change(step.changes);
        }
        if length > 0 || hit {
            let counts = cached.tail.as_ref().is_none_or(|tail| tail.is_free(batch, successor));
            batch.finish_changes(successor, counts);
            self.cached_chains.finish(batch.row(successor), hit);
        }
        Ok(true)
    }

    /// The single ample move that extends a chain from a successor with this holder of exclusive control, if there is one; none
    /// if the cache does not suffice. Of processes that depend on changed parts, the moves are looked up again.
    fn single_move<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        holder: Option<ProcessId>,
        changed: &mut PartSet,
        successor: usize,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<Option<Option<Entry>>, StoreFull> {
        let mut source = Source::Successor { decoded: &mut self.decoded, successor, loaded: false };
        let found = match holder {
            Some(holder) => {
                let entry = cached.cache.entry_of_holder(holder);
                let Some((found, _)) = self.chained.find_or_learn(cached, entry, batch, &mut source)? else {
                    return Ok(None);
                };
                match cached.cache.table.facts(found).1 {
                    // Control is released, or the process waits for another one.
                    0 => return Ok(None),
                    1 => found,
                    _ => return Ok(Some(None)),
                }
            }
            None => {
                if !self.chained.look_up(cached, std::mem::take(changed), batch, &mut source)? {
                    return Ok(None);
                }
                let Some(process) = cached.cursor.selection.single_mover() else { return Ok(Some(None)) };
                self.chained.moves[cached.cache.entry(process)].0
            }
        };
        let reducible = ProcessFacts::unpack(cached.cache.table.facts(found).0).reducible;
        Ok(Some(reducible.then_some(found)))
    }

    /// Follows the chain behind a successor from the node on, by running the model, and replaces the successor by its last
    /// node. False if a move violates a property.
    pub(super) fn follow_from_node<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        successor: usize,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<bool, StoreFull> {
        let Successor { entry, position, holder, ref changes } = self.successors[successor];
        let changes = &self.changes[changes.clone()];
        let tail = cached.tail.as_ref().map(|tail| tail.change(batch, holder)).transpose()?;
        batch.replace_changed(successor, changes, tail)?;
        cached.load_source(batch, &mut Source::Node);
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
