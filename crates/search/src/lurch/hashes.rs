//! A set of hashes that does not grow past its limit.

/// A set of 64-bit hashes: open addressing, 0 marks what is free.
#[derive(Debug)]
pub(super) struct Hashes {
    table: Vec<u64>,
    len: usize,
    limit: u64,
    full: bool,
}

const FIRST: usize = 1 << 10;

impl Hashes {
    /// A set that takes at most so many bytes, and a few at least.
    pub fn new(limit: u64) -> Self {
        Hashes { table: vec![0; FIRST], len: 0, limit, full: false }
    }

    /// Was something refused?
    pub fn is_full(&self) -> bool {
        self.full
    }

    pub fn memory(&self) -> u64 {
        self.table.len() as u64 * 8
    }

    /// Adds a hash; true if it is new and there was room for it.
    pub fn insert(&mut self, hash: u64) -> bool {
        let hash = hash.max(1);
        let slot = self.slot(hash);
        if self.table[slot] == hash {
            return false;
        }
        if (self.len + 1) * 4 > self.table.len() * 3 && !self.grow() {
            self.full = true;
            return false;
        }
        let slot = self.slot(hash);
        self.table[slot] = hash;
        self.len += 1;
        true
    }

    /// Where a hash is, or would be.
    fn slot(&self, hash: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        while self.table[slot] != 0 && self.table[slot] != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) -> bool {
        // While it grows, both tables are there.
        if self.memory() * 3 > self.limit {
            return false;
        }
        let larger = vec![0; self.table.len() * 2];
        for hash in std::mem::replace(&mut self.table, larger).into_iter().filter(|h| *h != 0) {
            let slot = self.slot(hash);
            self.table[slot] = hash;
        }
        true
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
