//! Pairs of numbers under numbers: the inner nodes of trees, and their roots.

use super::allowance::Allowance;
use super::index::Index;
use super::row::Row;
use super::sync::{AtomicU64, Ordering};
use super::{INNER_LIMIT, ROOT_LIMIT, StoreFull};

/// A set of pairs. Beside each stands its hash where hashes are asked for.
#[derive(Debug)]
pub(super) struct Pairs {
    row: Row<AtomicU64>,
    index: Index,
    count: AtomicU64,
    /// Words for a pair: 2 with its hash, or 1.
    stride: u64,
}

impl Pairs {
    pub fn new(keeps_hashes: bool) -> Self {
        let stride = 1 + u64::from(keeps_hashes);
        Pairs { row: Row::new(10), index: Index::new(), count: AtomicU64::new(0), stride }
    }

    pub fn prepare(&self, allowance: &Allowance) -> Result<(), StoreFull> {
        self.index.prepare(allowance)
    }

    pub fn len(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// A pair.
    #[inline]
    pub fn get(&self, id: u32) -> (u32, u32) {
        let word = self.row.get(u64::from(id) * self.stride).load(Ordering::Relaxed);
        (word as u32, (word >> 32) as u32)
    }

    /// A pair and its hash, where hashes are kept.
    #[inline]
    pub fn get_with_hash(&self, id: u32) -> (u32, u32, u64) {
        let words = self.row.slice(u64::from(id) * self.stride, 2);
        let pair = words[0].load(Ordering::Relaxed);
        (pair as u32, (pair >> 32) as u32, words[1].load(Ordering::Relaxed))
    }

    /// Looks for a pair that has this hash.
    #[inline]
    pub fn find(&self, hash: u64, is: impl FnMut(u32) -> bool) -> Option<u32> {
        self.index.find(hash, is)
    }

    /// The number of a pair that has this hash, and whether it is new.
    pub fn insert(
        &self,
        pair: (u32, u32),
        hash: u64,
        allowance: &Allowance,
        hash_of: impl Fn(u32) -> u64,
    ) -> Result<(u32, bool), StoreFull> {
        let make = || {
            let id = self.count.fetch_add(1, Ordering::Relaxed);
            if id >= if self.stride > 1 { INNER_LIMIT } else { ROOT_LIMIT } {
                return Err(StoreFull);
            }
            self.row.prepare(id * self.stride, self.stride, allowance)?;
            let words = self.row.slice(id * self.stride, self.stride as usize);
            words[0].store(u64::from(pair.0) | u64::from(pair.1) << 32, Ordering::Relaxed);
            if let Some(word) = words.get(1) {
                word.store(hash, Ordering::Relaxed);
            }
            Ok(id as u32)
        };
        self.index.insert(hash, allowance, |id| self.get(id) == pair, make, |id, _| hash_of(id))
    }
}
