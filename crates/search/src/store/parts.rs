//! The parts of nodes: byte strings, numbered column by column.
//!
//! A *column* is a place among the parts of nodes, together with the length of a part there. What stands in one column
//! takes few values, as a process has few local states, so each column numbers its own values from 0. All of them lie in
//! one row of words, and one index finds them:
//!
//! ```text
//! ┌──────┬─────────────────┬────────────────────┬───
//! │ hash │ column, number  │ bytes, as words    │ the next one …
//! └──────┴─────────────────┴────────────────────┴───
//! ```

use super::allowance::Allowance;
use super::hash;
use super::index::{Index, Spot};
use super::row::Row;
use super::sync::{AtomicU32, AtomicU64, Ordering};
use super::{PARTS_LIMIT, StoreFull};

/// Words in front of the bytes of a part.
const HEADER: usize = 2;

/// A place among the parts of nodes.
#[derive(Debug)]
pub(super) struct Column {
    number: u32,
    /// Bytes of a part.
    pub len: usize,
    /// Mixed into the hashes of its parts; depends on nothing but place and length.
    salt: u64,
    /// Where each of its parts begins.
    starts: Row<AtomicU32>,
    count: AtomicU32,
}

impl Column {
    pub fn new(number: u32, place: usize, len: usize) -> Self {
        let salt = hash::of_pair(place as u64 + 1, len as u64 + 1);
        Column { number, len, salt, starts: Row::narrow(9), count: AtomicU32::new(0) }
    }

    /// How many different parts there are.
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    /// The hash of a part.
    #[inline]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        hash::of_pair(hash::of_bytes(bytes), self.salt)
    }
}

/// Parts that are remembered.
const RECENT: usize = 1024;

/// Where parts were found lately, by their hash: who asks for one mostly asks for it again.
#[derive(Debug)]
pub(super) struct Recent(Box<[(u64, u32); RECENT]>);

impl Default for Recent {
    fn default() -> Self {
        Recent(Box::new([(0, u32::MAX); RECENT]))
    }
}

/// The parts of all columns.
#[derive(Debug)]
pub(super) struct Parts {
    words: Row<AtomicU64>,
    index: Index,
    /// Words used.
    end: AtomicU64,
}

impl Parts {
    pub fn new() -> Self {
        Parts { words: Row::new(9), index: Index::new(), end: AtomicU64::new(0) }
    }

    pub fn prepare(&self, allowance: &Allowance) -> Result<(), StoreFull> {
        self.index.prepare(allowance)
    }

    fn start(&self, column: &Column, number: u32) -> u64 {
        u64::from(column.starts.get(u64::from(number)).load(Ordering::Relaxed))
    }

    /// Writes a part over as many bytes; gives its hash.
    #[inline]
    pub fn write(&self, column: &Column, number: u32, bytes: &mut [u8]) -> u64 {
        let words = self.words.slice(self.start(column, number), HEADER + column.len.div_ceil(8));
        let (whole, rest) = bytes.as_chunks_mut();
        for (to, word) in whole.iter_mut().zip(&words[HEADER..]) {
            *to = load(word).to_le_bytes();
        }
        if let Some(last) = words.last() {
            rest.iter_mut().zip(load(last).to_le_bytes()).for_each(|(to, byte)| *to = byte);
        }
        load(&words[0])
    }

    /// The number of a part in its column; its hash is known.
    #[inline]
    pub fn insert(
        &self,
        recent: &mut Recent,
        column: &Column,
        bytes: &[u8],
        hash: u64,
        allowance: &Allowance,
    ) -> Result<u32, StoreFull> {
        let slot = &mut recent.0[hash as usize % RECENT];
        if slot.0 == hash
            && slot.1 != u32::MAX
            && let Some(number) = self.number(column, bytes, slot.1)
        {
            return Ok(number);
        }
        let (start, number) = self.look_up(column, bytes, hash, allowance)?;
        *slot = (hash, start);
        Ok(number)
    }

    /// The number of the part that begins here, if it is this one.
    #[inline]
    fn number(&self, column: &Column, bytes: &[u8], start: u32) -> Option<u32> {
        let words = self.words.slice(u64::from(start), HEADER + column.len.div_ceil(8));
        let name = load(&words[1]);
        let same = name as u32 == column.number && hash::is_words(&words[HEADER..], bytes);
        same.then_some((name >> 32) as u32)
    }

    /// Where a part begins and its number in its column.
    fn look_up(
        &self,
        column: &Column,
        bytes: &[u8],
        hash: u64,
        allowance: &Allowance,
    ) -> Result<(u32, u32), StoreFull> {
        let mut number = 0;
        let mut is = |start: u32| {
            let found = self.number(column, bytes, start);
            number = found.unwrap_or(number);
            found.is_some()
        };
        let spot = Spot::of(hash);
        let mut start = self.index.find(spot, &mut is);
        if start.is_none() {
            let make = || self.append(column, bytes, hash, allowance);
            let hash_of = |start: u32| load(self.words.get(u64::from(start)));
            let (made, new) = self.index.insert(spot, allowance, &mut is, make, hash_of)?;
            if new {
                number = (load(self.words.get(u64::from(made) + 1)) >> 32) as u32;
            }
            start = Some(made);
        }
        Ok((start.expect("found or made"), number))
    }

    fn append(&self, column: &Column, bytes: &[u8], hash: u64, allowance: &Allowance) -> Result<u32, StoreFull> {
        let len = (HEADER + bytes.len().div_ceil(8)) as u64;
        let mut end = self.end.load(Ordering::Relaxed);
        let start = loop {
            let start = self.words.fitting(end, len);
            match self.end.compare_exchange_weak(end, start + len, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break start,
                Err(now) => end = now,
            }
        };
        if start >= PARTS_LIMIT {
            return Err(StoreFull);
        }
        self.words.prepare(start, len, allowance)?;
        let number = column.count.fetch_add(1, Ordering::Relaxed);
        column.starts.prepare(u64::from(number), 1, allowance)?;
        column.starts.get(u64::from(number)).store(start as u32, Ordering::Relaxed);
        let words = self.words.slice(start, len as usize);
        words[0].store(hash, Ordering::Relaxed);
        words[1].store(u64::from(number) << 32 | u64::from(column.number), Ordering::Relaxed);
        for (word, value) in words[HEADER..].iter().zip(hash::words(bytes)) {
            word.store(value, Ordering::Relaxed);
        }
        Ok(start as u32)
    }
}

fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}
