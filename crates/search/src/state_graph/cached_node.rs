//! A node as part numbers, with the cached moves of its processes.

use lurcher_system::Machine;

use super::cached_graph::{CachedGraph, Source};
use crate::parallel::SuccessorBatch;
use crate::reduction::{AmpleMoves, ProcessFacts};
use crate::store::{PackedChange, PartChange, StoreFull};
use crate::transition_cache::{Entry, PartSet, part_set};

/// How often the cache may be emptied while one node is looked up.
const MAX_LOOKUPS: usize = 20;

/// A node as part numbers, and the cached moves of its processes.
#[derive(Debug, Default)]
pub(super) struct CachedNode {
    pub numbers: Vec<u32>,
    /// By entry: the cached moves, and the parts that they depend on.
    pub moves: Vec<(Entry, PartSet)>,
    /// The generation of the cache that these are valid in; none if they are unknown.
    generation: Option<u32>,
}

impl CachedNode {
    /// Starts a node, whose moves are unknown.
    pub fn start(&mut self, numbers: &[u32]) {
        self.numbers.clear();
        self.numbers.extend_from_slice(numbers);
        self.generation = None;
    }

    pub fn copy_from(&mut self, other: &Self) {
        self.numbers.clone_from(&other.numbers);
        self.moves.clone_from(&other.moves);
        self.generation = other.generation;
    }

    /// Changes part numbers; returns the changed parts.
    pub fn change(&mut self, changes: &[PackedChange]) -> PartSet {
        changes.iter().map(PartChange::unpack).fold(0, |set, change| {
            self.numbers[change.part as usize] = change.number;
            set | part_set(change.part)
        })
    }

    /// Looks up the moves of the processes that depend on changed parts, and sets their facts. `source` is the node, which is
    /// loaded if a process misses the cache. False if a process is not cacheable or a move violates a property.
    pub fn look_up<M: Machine>(
        &mut self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        mut changed: PartSet,
        batch: &mut SuccessorBatch<'_>,
        source: &mut Source<'_>,
    ) -> Result<bool, StoreFull> {
        self.moves.resize(cached.cache.process_count(), (Entry::NONE, PartSet::MAX));
        for _ in 0..MAX_LOOKUPS {
            if self.generation != Some(cached.cache.table.generation) {
                (self.generation, changed) = (Some(cached.cache.table.generation), PartSet::MAX);
            }
            for entry in 0..self.moves.len() {
                if self.moves[entry].1 & changed == 0 {
                    continue;
                }
                let found = match cached.cache.find(entry, &self.numbers) {
                    None => self.learn(cached, entry, batch, source)?,
                    found => found,
                };
                let Some(found) = found else { return Ok(false) };
                self.moves[entry] = found;
                let (facts, count) = cached.cache.table.facts(found.0);
                let process = cached.cache.process(entry);
                cached.cursor.selection.set_process(process, ProcessFacts::unpack(facts), count);
            }
            if self.generation == Some(cached.cache.table.generation) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The moves of a process; the node is loaded if they are not cached yet. None if they are not cacheable or a move violates
    /// a property.
    pub fn find_or_learn<M: Machine>(
        &self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        entry: usize,
        batch: &mut SuccessorBatch<'_>,
        source: &mut Source<'_>,
    ) -> Result<Option<(Entry, PartSet)>, StoreFull> {
        match cached.cache.find(entry, &self.numbers) {
            None => self.learn(cached, entry, batch, source),
            found => Ok(found),
        }
    }

    /// The same where they are not cached yet.
    #[cold]
    #[inline(never)]
    fn learn<M: Machine>(
        &self,
        cached: &mut CachedGraph<'_, M, AmpleMoves>,
        entry: usize,
        batch: &mut SuccessorBatch<'_>,
        source: &mut Source<'_>,
    ) -> Result<Option<(Entry, PartSet)>, StoreFull> {
        if !cached.cache.is_cacheable(entry, &self.numbers) {
            return Ok(None);
        }
        cached.load_source(batch, source);
        cached.learn(entry, batch, source)?;
        Ok(cached.cache.find(entry, &self.numbers))
    }
}
