//! Lossy storage: what is kept of a node is less than the node.
//!
//! * *Hash-compact* (Wolper and Leroy 1993): forty bits of a hash for each node, in the index that exact stores use.
//! * *Bitstate* (Holzmann 1987): a row of bits, of which each node sets k; where all of them were set before, the node
//!   is taken to be known. The k places come from two hashes (Kirsch and Mitzenmacher 2006).
//!
//! Two nodes may be taken for one, and what only the second leads to is not seen. So a search with such storage never
//! proves anything; it says how likely it is that a node is lost.

use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::StoreFull;
use super::allowance::Allowance;
use super::index::{Index, Spot, tag};
use super::row::Zeroed;
use super::sync::{AtomicU64, Ordering};

/// What is kept of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// All of it.
    #[default]
    Exact,
    /// A hash.
    Compact,
    /// A few bits among many, each at a place that a hash gives.
    Bitstate {
        /// How many bits a state sets.
        functions: u32,
        /// The most bytes for all bits; a power of two of them is used.
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

/// Different values that a compact store keeps: 32 bits of a hash and a tag that is not 0.
const VALUES: f64 = 255.0 * (1u64 << 32) as f64;

/// A set that may take a node for one that it has.
#[derive(Debug)]
pub(crate) struct LossySet {
    kept: Kept,
    allowance: Allowance,
    /// Nodes of a compact store, bits set of a bitstate store.
    count: AtomicU64,
}

#[derive(Debug)]
enum Kept {
    Hashes(Box<Index>),
    Bits { words: Box<[AtomicU64]>, functions: u32 },
}

impl LossySet {
    /// An empty set that takes at most so many bytes; a bitstate store takes no more than three quarters of them, and
    /// leaves the rest to the stack.
    pub fn new(storage: Storage, limit: Option<u64>) -> Result<LossySet, StoreFull> {
        let allowance = Allowance::new(limit);
        let kept = match storage {
            Storage::Bitstate { functions, bytes } => {
                let words = limit.map_or(bytes, |limit| bytes.min(limit / 4 * 3)).max(8) / 8;
                let words = 1 << words.ilog2();
                allowance.take(words * 8)?;
                let words = AtomicU64::many(words as usize).ok_or(StoreFull)?;
                Kept::Bits { words, functions: functions.max(1) }
            }
            Storage::Compact | Storage::Exact => {
                let index = Box::new(Index::new());
                index.prepare(&allowance)?;
                Kept::Hashes(index)
            }
        };
        Ok(LossySet { kept, allowance, count: AtomicU64::new(0) })
    }

    /// Adds a node of one of several sets in one; says whether it seems to be new.
    pub fn insert(&self, node: &[u8], set: u64) -> Result<bool, StoreFull> {
        let hash = xxh3_128_with_seed(node, set);
        let (first, second) = (hash as u64, (hash >> 64) as u64);
        match &self.kept {
            Kept::Hashes(index) => {
                let (entry, tag) = ((first >> 32) as u32, tag(first));
                let is = |known: u32| known == entry;
                let spot = Spot::of(hash_of(entry) | u64::from(tag) << 8);
                if index.find(spot, is).is_some() {
                    return Ok(false);
                }
                let (_, new) = index.insert(spot, &self.allowance, is, || Ok(entry), hash_of)?;
                self.count.fetch_add(u64::from(new), Ordering::Relaxed);
                Ok(new)
            }
            Kept::Bits { words, functions } => {
                let mask = words.len() as u64 * 64 - 1;
                let mut set = 0;
                for i in 0..u64::from(*functions) {
                    // The second hash is made odd, so that no two places are the same.
                    let bit = first.wrapping_add(i.wrapping_mul(second | 1)) & mask;
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

    /// How likely it is that a node that has not been met is taken for one that has.
    pub fn omission(&self) -> f64 {
        let count = self.count.load(Ordering::Relaxed) as f64;
        match &self.kept {
            Kept::Hashes(_) => -f64::exp_m1(-count / VALUES),
            Kept::Bits { words, functions } => (count / (words.len() as f64 * 64.0)).powi(*functions as i32),
        }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.allowance.used()
    }
}

/// The first half of the hash by which an index finds an entry of a compact store.
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
    fn what_was_inserted_is_known_and_few_others_are() {
        for storage in all() {
            let set = LossySet::new(storage, Some(16 << 20)).unwrap();
            let new = (0..200_000u32).filter(|i| set.insert(&i.to_le_bytes(), 0).unwrap()).count();
            assert!((0..200_000u32).all(|i| !set.insert(&i.to_le_bytes(), 0).unwrap()), "{storage:?}");
            assert!(new > 197_000, "{storage:?}: {new}");
            assert!(set.memory() <= 16 << 20);
        }
    }

    #[test]
    fn the_chance_of_an_omission_is_what_happens() {
        // A tenth of the bits are set in the end: then a tenth of the new nodes is lost with one function.
        for functions in [1, 2] {
            let set = LossySet::new(bits(functions), Some((1 << 20) / 6)).unwrap();
            let mut i = 0u32;
            while set.count.load(Ordering::Relaxed) < (1 << 20) / 10 {
                set.insert(&i.to_le_bytes(), 0).unwrap();
                i += 1;
            }
            let probability = set.omission();
            let Kept::Bits { words, .. } = &set.kept else { unreachable!("bits") };
            let known = |i: u32| {
                let hash = xxh3_128_with_seed(&i.to_le_bytes(), 0);
                let mask = words.len() as u64 * 64 - 1;
                (0..u64::from(functions)).all(|k| {
                    let bit = (hash as u64).wrapping_add(k.wrapping_mul((hash >> 64) as u64 | 1)) & mask;
                    words[(bit / 64) as usize].load(Ordering::Relaxed) >> (bit % 64) & 1 != 0
                })
            };
            let lost = (1 << 30..(1 << 30) + 100_000).filter(|&i| known(i)).count() as f64 / 1e5;
            assert!((lost - probability).abs() < probability / 5.0, "{lost} lost, {probability} expected");
        }
    }

    #[test]
    fn sets_in_one_do_not_know_each_others_nodes() {
        for storage in all() {
            let set = LossySet::new(storage, Some(1 << 20)).unwrap();
            assert!(set.insert(b"node", 0).unwrap() && set.insert(b"node", 1).unwrap());
            assert!(!set.insert(b"node", 0).unwrap());
        }
    }

    #[test]
    fn a_compact_set_with_a_limit_refuses_to_grow_past_it() {
        let set = LossySet::new(Storage::Compact, Some(1 << 20)).unwrap();
        let refused = (0..10_000_000u32).find(|i| set.insert(&i.to_le_bytes(), 0).is_err());
        assert!(refused.is_some_and(|n| n > 80_000), "{refused:?}");
        assert!(set.memory() <= 1 << 20);
    }
}
