//! A set of hashes with a memory limit.

use crate::walk::FingerprintMap;

/// The fewest slots of a full table.
const MIN_SLOTS: u64 = 1 << 10;

/// A set of hashes that refuses new ones when its memory is used up.
#[derive(Debug)]
pub(super) struct Hashes {
    known: FingerprintMap<()>,
    /// The most hashes.
    limit: usize,
    full: bool,
}

impl Hashes {
    /// A set with a memory limit in bytes.
    pub fn new(memory: u64) -> Self {
        // A table of eight bytes per slot fits three times: while it doubles, the old one is still there.
        let slots = (memory / 24 + 1).next_power_of_two().max(MIN_SLOTS);
        Hashes { known: FingerprintMap::default(), limit: (slots / 4 * 3) as usize, full: false }
    }

    /// Whether a hash was refused.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.known.capacity() as u64 * 9
    }

    /// Adds a hash; true if it is new and there was room for it.
    pub fn insert(&mut self, hash: u64) -> bool {
        if self.known.len() >= self.limit {
            self.full |= !self.known.contains_key(&hash);
            return false;
        }
        self.known.insert(hash, ()).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_refuses_what_is_new_and_knows_what_it_has() {
        let mut hashes = Hashes::new(1 << 20);
        let hash = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let taken = (1..200_000).filter(|&i| hashes.insert(hash(i))).count();
        assert!(hashes.is_full() && hashes.memory() <= 1 << 20 && taken > 20_000);
        assert!((1..200_000).all(|i| !hashes.insert(hash(i))));
    }
}
