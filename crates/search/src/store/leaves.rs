//! Byte strings under numbers: nodes that are not cut.

use super::allowance::Allowance;
use super::hash;
use super::index::{Index, Spot};
use super::row::Row;
use super::sync::{AtomicU64, Ordering};
use super::{ROOT_LIMIT, StoreFull};

/// Bits of a place that say how many bytes a string has.
const LENGTH_BITS: u32 = 24;

/// A set of byte strings. Each is kept as words.
#[derive(Debug)]
pub(super) struct Leaves {
    words: Row<AtomicU64>,
    /// Where each begins and how long it is.
    places: Row<AtomicU64>,
    index: Index,
    /// Words used.
    end: AtomicU64,
    count: AtomicU64,
}

impl Leaves {
    pub fn new() -> Self {
        Leaves {
            words: Row::new(9),
            places: Row::new(9),
            index: Index::new(),
            end: AtomicU64::new(0),
            count: AtomicU64::new(0),
        }
    }

    pub fn prepare(&self, allowance: &Allowance) -> Result<(), StoreFull> {
        self.index.prepare(allowance)
    }

    pub fn len(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Its words, and how many bytes they stand for.
    fn get(&self, id: u32) -> (&[AtomicU64], usize) {
        let place = self.places.get(u64::from(id)).load(Ordering::Relaxed);
        let len = (place & ((1 << LENGTH_BITS) - 1)) as usize;
        (self.words.slice(place >> LENGTH_BITS, len.div_ceil(8)), len)
    }

    /// Is this the string of that number?
    #[inline]
    pub fn is(&self, id: u32, bytes: &[u8]) -> bool {
        let (words, len) = self.get(id);
        len == bytes.len() && words.iter().map(load).eq(hash::words(bytes))
    }

    /// The hash of a string.
    #[inline]
    pub fn hash(&self, id: u32) -> u64 {
        let (words, len) = self.get(id);
        hash::of_words(len, words.iter().map(load))
    }

    /// Appends the bytes of a string.
    #[inline]
    pub fn read(&self, id: u32, bytes: &mut Vec<u8>) {
        let (words, len) = self.get(id);
        let end = bytes.len() + len;
        for word in words {
            bytes.extend_from_slice(&load(word).to_le_bytes());
        }
        bytes.truncate(end);
    }

    /// The number of a string, and whether it is new.
    #[inline]
    pub fn insert(&self, bytes: &[u8], hash: u64, allowance: &Allowance) -> Result<(u32, bool), StoreFull> {
        let is = |id: u32| self.is(id, bytes);
        let spot = Spot::of(hash);
        if let Some(id) = self.index.find(spot, is) {
            return Ok((id, false));
        }
        self.index.insert(spot, allowance, is, || self.append(bytes, allowance), |id| self.hash(id))
    }

    fn append(&self, bytes: &[u8], allowance: &Allowance) -> Result<u32, StoreFull> {
        if bytes.len() >> LENGTH_BITS != 0 {
            return Err(StoreFull);
        }
        let len = bytes.len().div_ceil(8) as u64;
        let mut end = self.end.load(Ordering::Relaxed);
        let start = loop {
            let start = self.words.fitting(end, len);
            match self.end.compare_exchange_weak(end, start + len, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break start,
                Err(now) => end = now,
            }
        };
        self.words.prepare(start, len, allowance)?;
        let words = self.words.slice(start, len as usize);
        for (word, value) in words.iter().zip(hash::words(bytes)) {
            word.store(value, Ordering::Relaxed);
        }
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        if id >= ROOT_LIMIT {
            return Err(StoreFull);
        }
        self.places.prepare(id, 1, allowance)?;
        self.places.get(id).store(start << LENGTH_BITS | bytes.len() as u64, Ordering::Relaxed);
        Ok(id as u32)
    }
}

fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}
