//! The exact state store: every node once, under a small number.
//!
//! Nodes are appended to chunks and never move; a table of 32-bit ids, open addressing with linear probing, finds
//! them again. The table doubles when it is three quarters full. Comparing bytes decides, so no two nodes are ever
//! taken for the same. A store with a limit refuses a node rather than grow past it, so that a search can stop
//! cleanly with what it has.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Names a stored node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// The store has reached its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreFull;

const EMPTY: u32 = u32::MAX;
/// Nodes are kept in chunks of this size, or smaller ones where the limit is small.
const CHUNK: u64 = 1 << 20;

/// Where a node lies.
#[derive(Clone, Copy, Debug)]
struct Place {
    chunk: u32,
    start: u32,
    len: u32,
}

/// A set of byte strings with stable ids.
#[derive(Debug)]
pub struct Store {
    chunks: Vec<Vec<u8>>,
    places: Vec<Place>,
    table: Vec<u32>,
    bytes: u64,
    limit: u64,
}

impl Store {
    /// An empty store that takes at most so many bytes.
    pub fn new(limit: Option<u64>) -> Self {
        let table = vec![EMPTY; 1 << 10];
        Store { chunks: Vec::new(), places: Vec::new(), table, bytes: 0, limit: limit.unwrap_or(u64::MAX) }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The bytes of a node.
    pub fn get(&self, id: StateId) -> &[u8] {
        let place = self.places[id.0 as usize];
        &self.chunks[place.chunk as usize][place.start as usize..(place.start + place.len) as usize]
    }

    /// Adds a node unless it is there; says which it is and whether it is new.
    pub fn insert(&mut self, node: &[u8]) -> Result<(StateId, bool), StoreFull> {
        if (self.places.len() + 1) * 4 > self.table.len() * 3 {
            self.grow()?;
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(node) as usize & mask;
        loop {
            match self.table[slot] {
                EMPTY => break,
                id if self.get(StateId(id)) == node => return Ok((StateId(id), false)),
                _ => slot = (slot + 1) & mask,
            }
        }
        let id = self.places.len() as u32;
        if id == EMPTY {
            return Err(StoreFull);
        }
        let place = self.append(node)?;
        if self.places.len() == self.places.capacity() {
            // A little at a time: doubling would overshoot the limit.
            let more = (self.places.len() / 8).max(1024);
            self.places.reserve_exact(more);
        }
        self.places.push(place);
        self.table[slot] = id;
        Ok((StateId(id), true))
    }

    fn append(&mut self, node: &[u8]) -> Result<Place, StoreFull> {
        let fits = |c: &Vec<u8>| c.capacity() - c.len() >= node.len();
        if !self.chunks.last().is_some_and(fits) {
            let size = (self.limit / 64).clamp(1 << 12, CHUNK).max(node.len() as u64) as usize;
            if self.memory() + size as u64 > self.limit {
                return Err(StoreFull);
            }
            self.chunks.push(Vec::with_capacity(size));
            self.bytes += size as u64;
        }
        let chunk = self.chunks.len() - 1;
        let start = self.chunks[chunk].len();
        self.chunks[chunk].extend_from_slice(node);
        Ok(Place { chunk: chunk as u32, start: start as u32, len: node.len() as u32 })
    }

    fn grow(&mut self) -> Result<(), StoreFull> {
        let size = self.table.len() * 2;
        if self.memory() + size as u64 * 4 > self.limit {
            return Err(StoreFull);
        }
        let mut table = vec![EMPTY; size];
        let mask = size - 1;
        for id in 0..self.places.len() as u32 {
            let mut slot = hash(self.get(StateId(id))) as usize & mask;
            while table[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            table[slot] = id;
        }
        self.table = table;
        Ok(())
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> u64 {
        self.bytes + (self.places.capacity() * std::mem::size_of::<Place>() + self.table.len() * 4) as u64
    }
}

fn hash(node: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(node);
    let h = hasher.finish();
    h ^ (h >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_gets_the_same_id_each_time_and_keeps_its_bytes() {
        let mut store = Store::new(None);
        for round in 0..2 {
            for i in 0..5000u32 {
                let bytes = i.to_le_bytes();
                let node = &bytes[..1 + (i % 4) as usize];
                let (id, new) = store.insert(node).unwrap();
                assert_eq!(store.insert(node), Ok((id, false)));
                assert!(round == 0 || !new);
                assert_eq!(store.get(id), node);
            }
        }
    }

    #[test]
    fn a_store_with_a_limit_refuses_to_grow_past_it() {
        let limit = 8 << 20;
        let mut store = Store::new(Some(limit));
        let refused = (0..10_000_000u32).find(|i| store.insert(&i.to_le_bytes()).is_err());
        assert!(refused.is_some_and(|n| n > 100_000));
        assert!(store.memory() <= limit + (limit >> 3));
    }
}
