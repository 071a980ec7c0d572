//! Byte strings under ids, for nodes that are not split into parts.

use std::sync::Arc;

use super::index::{Index, Probe};
use super::memory_limit::MemoryLimit;
use super::stable_array::{StableArray, WordArena, load};
use super::sync::{AtomicU64, Ordering};
use super::{NODE_LIMIT, StateId, StoreFull, hash};

/// Bits of a position that hold the length of a string.
const LENGTH_BITS: u32 = 24;

/// A set of byte strings, kept as words.
#[derive(Debug)]
pub(super) struct StringTable {
    words: WordArena,
    /// The first word and the length of each string.
    positions: StableArray<AtomicU64>,
    index: Index,
    count: AtomicU64,
}

impl StringTable {
    pub fn new(limit: &Arc<MemoryLimit>) -> Self {
        StringTable {
            words: WordArena::new(limit),
            positions: StableArray::new(9, limit),
            index: Index::new(limit),
            count: AtomicU64::new(0),
        }
    }

    pub fn prepare(&self) -> Result<(), StoreFull> {
        self.index.prepare()
    }

    /// The words of a string, and its length in bytes.
    fn get(&self, id: u32) -> (impl Iterator<Item = u64>, usize) {
        let position = load(self.positions.get(u64::from(id)));
        let len = (position & ((1 << LENGTH_BITS) - 1)) as usize;
        (self.words.slice(position >> LENGTH_BITS, len.div_ceil(8)).iter().map(load), len)
    }

    /// The hash of a string.
    #[inline]
    pub fn hash(&self, id: StateId) -> u64 {
        let (words, len) = self.get(id.0);
        hash::of_words(len, words)
    }

    /// Copies a string.
    #[inline]
    pub fn read(&self, id: StateId, bytes: &mut Vec<u8>) {
        let (words, len) = self.get(id.0);
        bytes.clear();
        words.for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        bytes.truncate(len);
    }

    /// The id of a string, and whether it is new.
    #[inline]
    pub fn insert(&self, bytes: &[u8]) -> Result<(StateId, bool), StoreFull> {
        let is = |id: u32| {
            let (words, len) = self.get(id);
            len == bytes.len() && words.eq(hash::words(bytes))
        };
        let probe = Probe::of(hash::of_bytes(bytes));
        if let Some(id) = self.index.find(probe, is) {
            return Ok((StateId(id), false));
        }
        let (id, new) = self.index.insert(probe, is, || self.append(bytes), |id| self.hash(StateId(id)))?;
        Ok((StateId(id), new))
    }

    fn append(&self, bytes: &[u8]) -> Result<u32, StoreFull> {
        if bytes.len() >> LENGTH_BITS != 0 {
            return Err(StoreFull);
        }
        let len = bytes.len().div_ceil(8);
        let start = self.words.allocate(len as u64, u64::MAX)?;
        for (word, value) in self.words.slice(start, len).iter().zip(hash::words(bytes)) {
            word.store(value, Ordering::Relaxed);
        }
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        if id >= NODE_LIMIT {
            return Err(StoreFull);
        }
        self.positions.prepare(id, 1)?;
        self.positions.get(id).store(start << LENGTH_BITS | bytes.len() as u64, Ordering::Relaxed);
        Ok(id as u32)
    }
}
