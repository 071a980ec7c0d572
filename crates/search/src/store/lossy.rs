//! Lossy storage keeps less than the whole node.
//!
//! * *Hash-compact* (Wolper and Leroy 1993): forty bits of a hash for each node, in the index of the exact stores.
//! * *Bitstate* (Holzmann 1987): an array of bits, of which each node sets k; a node whose bits are all set is taken for a
//!   known one. The k positions come from two hashes (Kirsch and Mitzenmacher 2006).
//!
//! Two nodes may be taken for one, and the successors of the second are lost. So a search with lossy storage proves
//! nothing; it reports the probability of an omission.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::StoreFull;
use super::index::{Index, Probe, tag};
use super::memory_limit::MemoryLimit;
use super::stable_array::Zeroed;
use super::sync::{AtomicU64, Ordering};

/// What a search keeps of a visited state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// The whole state.
    #[default]
    Exact,
    /// A hash.
    Compact,
    /// A few bits of a bit array, at positions given by hashes.
    Bitstate {
        /// Bits per state.
        functions: u32,
        /// The most bytes of the bit array; a power of two is used.
        bytes: u64,
    },
}

impl Storage {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Storage::Exact => "exact",
            Storage::Compact => "compact",
            Storage::Bitstate { .. } => "bitstate",
        }
    }
}

/// Number of different values in a compact set: 32 bits of a hash and a tag that is not 0.
const VALUES: f64 = 255.0 * (1u64 << 32) as f64;

/// A set that may take a new node for a known one.
#[derive(Debug)]
pub(crate) struct LossySet {
    table: Table,
    limit: Arc<MemoryLimit>,
    /// Nodes in a compact set, set bits in a bitstate set.
    count: AtomicU64,
}

#[derive(Debug)]
enum Table {
    Hashes(Box<Index>),
    Bits { words: Box<[AtomicU64]>, functions: u32 },
}

impl LossySet {
    /// An empty set with a memory limit in bytes. A bitstate set leaves a quarter of them to the stack.
    pub fn new(storage: Storage, limit: Option<u64>) -> Result<LossySet, StoreFull> {
        let memory = MemoryLimit::new(limit);
        let table = match storage {
            Storage::Bitstate { functions, bytes } => {
                let words = limit.map_or(bytes, |limit| bytes.min(limit / 4 * 3)).max(8) / 8;
                let words = 1 << words.ilog2();
                memory.reserve(words * 8)?;
                let words = AtomicU64::zeros(words as usize).ok_or(StoreFull)?;
                Table::Bits { words, functions: functions.max(1) }
            }
            Storage::Compact | Storage::Exact => {
                let index = Box::new(Index::new(&memory));
                index.prepare()?;
                Table::Hashes(index)
            }
        };
        Ok(LossySet { table, limit: memory, count: AtomicU64::new(0) })
    }

    /// Adds a node; returns whether it seems to be new. Nodes with different `seed`s are different.
    pub fn insert(&self, node: &[u8], seed: u64) -> Result<bool, StoreFull> {
        let hash = xxh3_128_with_seed(node, seed);
        let (first, second) = (hash as u64, (hash >> 64) as u64);
        match &self.table {
            Table::Hashes(index) => {
                let (entry, tag) = ((first >> 32) as u32, tag(first));
                let is = |known: u32| known == entry;
                let probe = Probe::of(hash_of(entry) | u64::from(tag) << 8);
                if index.find(probe, is).is_some() {
                    return Ok(false);
                }
                let (_, new) = index.insert(probe, is, || Ok(entry), hash_of)?;
                self.count.fetch_add(u64::from(new), Ordering::Relaxed);
                Ok(new)
            }
            Table::Bits { words, functions } => {
                let mut set = 0;
                for i in 0..u64::from(*functions) {
                    let bit = bit_position(words, first, second, i);
                    let (word, bit) = (&words[(bit / 64) as usize], 1 << (bit % 64));
                    if word.load(Ordering::Relaxed) & bit == 0 {
                        set += u64::from(word.fetch_or(bit, Ordering::Relaxed) & bit == 0);
                    }
                }
                self.count.fetch_add(set, Ordering::Relaxed);
                Ok(set > 0)
            }
        }
    }

    /// The probability that a new node is taken for a known one.
    pub fn omission(&self) -> f64 {
        let count = self.count.load(Ordering::Relaxed) as f64;
        match &self.table {
            Table::Hashes(_) => -f64::exp_m1(-count / VALUES),
            Table::Bits { words, functions } => (count / (words.len() as f64 * 64.0)).powi(*functions as i32),
        }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.limit.used()
    }
}

/// The position of bit `i` of a node. The second hash is made odd, so that no two positions are equal.
fn bit_position(words: &[AtomicU64], first: u64, second: u64, i: u64) -> u64 {
    first.wrapping_add(i.wrapping_mul(second | 1)) & (words.len() as u64 * 64 - 1)
}

/// The first half of the hash by which an index finds an entry of a compact set.
fn hash_of(entry: u32) -> u64 {
    u64::from(entry) << 32
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn bits(functions: u32) -> Storage {
        Storage::Bitstate { functions, bytes: 1 << 30 }
    }

    fn all() -> [Storage; 3] {
        [Storage::Compact, bits(1), bits(3)]
    }

    #[test]
    fn inserted_nodes_are_known_and_few_others_are() {
        for storage in all() {
            let set = LossySet::new(storage, Some(16 << 20)).unwrap();
            let new = (0..200_000u32).filter(|i| set.insert(&i.to_le_bytes(), 0).unwrap()).count();
            assert!((0..200_000u32).all(|i| !set.insert(&i.to_le_bytes(), 0).unwrap()), "{storage:?}");
            assert!(new > 197_000, "{storage:?}: {new}");
            assert!(set.memory() <= 16 << 20);
        }
    }

    #[test]
    fn the_reported_probability_is_the_frequency_of_omissions() {
        // A tenth of the bits are set in the end: then one function loses a tenth of the new nodes.
        for functions in [1, 2] {
            let set = LossySet::new(bits(functions), Some((1 << 20) / 6)).unwrap();
            let mut i = 0u32;
            while set.count.load(Ordering::Relaxed) < (1 << 20) / 10 {
                set.insert(&i.to_le_bytes(), 0).unwrap();
                i += 1;
            }
            let probability = set.omission();
            let Table::Bits { words, .. } = &set.table else { unreachable!("a bitstate set") };
            let known = |i: u32| {
                let hash = xxh3_128_with_seed(&i.to_le_bytes(), 0);
                (0..u64::from(functions)).all(|k| {
                    let bit = bit_position(words, hash as u64, (hash >> 64) as u64, k);
                    words[(bit / 64) as usize].load(Ordering::Relaxed) >> (bit % 64) & 1 != 0
                })
            };
            let lost = (1 << 30..(1 << 30) + 100_000).filter(|&i| known(i)).count() as f64 / 1e5;
            assert!((lost - probability).abs() < probability / 5.0, "{lost} lost, {probability} expected");
        }
    }

    #[test]
    fn nodes_with_different_seeds_are_different() {
        for storage in all() {
            let set = LossySet::new(storage, Some(1 << 20)).unwrap();
            assert!(set.insert(b"node", 0).unwrap() && set.insert(b"node", 1).unwrap());
            assert!(!set.insert(b"node", 0).unwrap());
        }
    }

    #[test]
    fn a_compact_set_with_a_limit_refuses_to_exceed_it() {
        let set = LossySet::new(Storage::Compact, Some(1 << 20)).unwrap();
        let refused = (0..10_000_000u32).find(|i| set.insert(&i.to_le_bytes(), 0).is_err());
        assert!(refused.is_some_and(|n| n > 80_000), "{refused:?}");
        assert!(set.memory() <= 1 << 20);
    }
}
