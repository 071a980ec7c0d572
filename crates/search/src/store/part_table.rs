//! The parts of nodes: byte strings, numbered per column.
//!
//! A *column* is a position among the parts of nodes, together with the length of a part there. A column has few values, as
//! a process has few local states, and numbers them from 0. The parts of all columns lie in one array of words, and one
//! index finds them:
//!
//! ```text
//! ┌──────┬─────────────────┬────────────────────┬───
//! │ hash │ column, number  │ bytes, as words    │ the next part …
//! └──────┴─────────────────┴────────────────────┴───
//! ```

use std::sync::Arc;

use super::index::{Index, Probe};
use super::memory_limit::MemoryLimit;
use super::stable_array::{StableArray, WordArena, load};
use super::sync::{AtomicU32, Ordering};
use super::{StoreFull, hash};

/// Words in front of the bytes of a part.
const HEADER: usize = 2;
/// Parts begin below this word.
const MAX_START: u64 = (1 << 31) - 1;

/// A position among the parts of nodes, and the length of a part there.
#[derive(Debug)]
pub(super) struct Column {
    number: u32,
    /// Bytes of a part.
    len: usize,
    /// Mixed into the hashes of its parts; depends on position and length alone.
    salt: u64,
    /// The first word of each of its parts.
    starts: StableArray<AtomicU32>,
    count: AtomicU32,
}

impl Column {
    /// Number of different parts.
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    /// The hash of a part.
    #[inline]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        hash::of_pair(hash::of_bytes(bytes), self.salt)
    }
}

/// Slots of a [`RecentParts`].
const RECENT: usize = 1024;

/// A cache of the parts that a thread found last: their hash and first word.
#[derive(Debug)]
pub(super) struct RecentParts(Box<[(u64, u32); RECENT]>);

impl Default for RecentParts {
    fn default() -> Self {
        RecentParts(Box::new([(0, u32::MAX); RECENT]))
    }
}

/// The parts of all columns.
#[derive(Debug)]
pub(super) struct PartTable {
    words: WordArena,
    index: Index,
    limit: Arc<MemoryLimit>,
}

impl PartTable {
    pub fn new(limit: &Arc<MemoryLimit>) -> Self {
        PartTable { words: WordArena::new(limit), index: Index::new(limit), limit: limit.clone() }
    }

    pub fn prepare(&self) -> Result<(), StoreFull> {
        self.index.prepare()
    }

    /// An empty column.
    pub fn column(&self, number: u32, position: usize, len: usize) -> Column {
        let salt = hash::of_pair(position as u64 + 1, len as u64 + 1);
        Column { number, len, salt, starts: StableArray::in_chunks(9, &self.limit), count: AtomicU32::new(0) }
    }

    /// The hash of a part.
    #[inline]
    pub fn hash(&self, column: &Column, number: u32) -> u64 {
        let start = column.starts.get(u64::from(number)).load(Ordering::Relaxed);
        load(&self.words.slice(u64::from(start), HEADER)[0])
    }

    /// Copies a part into a slice of its length; returns its hash.
    #[inline]
    pub fn read(&self, column: &Column, number: u32, bytes: &mut [u8]) -> u64 {
        let start = column.starts.get(u64::from(number)).load(Ordering::Relaxed);
        let words = self.words.slice(u64::from(start), HEADER + column.len.div_ceil(8));
        let (whole, rest) = bytes.as_chunks_mut();
        for (to, word) in whole.iter_mut().zip(&words[HEADER..]) {
            *to = load(word).to_le_bytes();
        }
        if let Some(last) = words.last() {
            rest.iter_mut().zip(load(last).to_le_bytes()).for_each(|(to, byte)| *to = byte);
        }
        load(&words[0])
    }

    /// The number of a part in its column; adds it if it is new.
    #[inline]
    pub fn insert(&self, recent: &mut RecentParts, column: &Column, bytes: &[u8], hash: u64) -> Result<u32, StoreFull> {
        let slot = &mut recent.0[hash as usize % RECENT];
        if slot.0 == hash
            && slot.1 != u32::MAX
            && let Some(number) = self.number(column, bytes, slot.1)
        {
            return Ok(number);
        }
        let (start, number) = self.look_up(column, bytes, hash)?;
        *slot = (hash, start);
        Ok(number)
    }

    /// The number of the part that begins at a word, if it has these bytes.
    #[inline]
    fn number(&self, column: &Column, bytes: &[u8], start: u32) -> Option<u32> {
        let words = self.words.slice(u64::from(start), HEADER + column.len.div_ceil(8));
        let name = load(&words[1]);
        let same = name as u32 == column.number && hash::is_words(&words[HEADER..], bytes);
        same.then_some((name >> 32) as u32)
    }

    /// The first word of a part, and its number in its column; adds it if it is new.
    fn look_up(&self, column: &Column, bytes: &[u8], hash: u64) -> Result<(u32, u32), StoreFull> {
        let mut number = 0;
        let mut is = |start: u32| {
            let found = self.number(column, bytes, start);
            number = found.unwrap_or(number);
            found.is_some()
        };
        let probe = Probe::of(hash);
        if let Some(start) = self.index.find(probe, &mut is) {
            return Ok((start, number));
        }
        let word = |start: u32, at: usize| load(&self.words.slice(u64::from(start), HEADER)[at]);
        let make = || self.append(column, bytes, hash);
        let (start, new) = self.index.insert(probe, &mut is, make, |start| word(start, 0))?;
        Ok((start, if new { (word(start, 1) >> 32) as u32 } else { number }))
    }

    fn append(&self, column: &Column, bytes: &[u8], hash: u64) -> Result<u32, StoreFull> {
        let len = HEADER + bytes.len().div_ceil(8);
        let start = self.words.allocate(len as u64, MAX_START)?;
        let number = column.count.fetch_add(1, Ordering::Relaxed);
        column.starts.prepare(u64::from(number), 1)?;
        column.starts.get(u64::from(number)).store(start as u32, Ordering::Relaxed);
        let words = self.words.slice(start, len);
        words[0].store(hash, Ordering::Relaxed);
        words[1].store(u64::from(number) << 32 | u64::from(column.number), Ordering::Relaxed);
        for (word, value) in words[HEADER..].iter().zip(hash::words(bytes)) {
            word.store(value, Ordering::Relaxed);
        }
        Ok(start as u32)
    }
}
