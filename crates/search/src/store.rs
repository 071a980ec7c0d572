//! The exact state store: every node once, under a small number.
//!
//! Nodes are appended to one arena and never move; a table of 32-bit ids, open addressing with linear probing, finds
//! them again. The table doubles when it is three quarters full. Comparing bytes decides, so no two nodes are ever
//! taken for the same.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Names a stored node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

const EMPTY: u32 = u32::MAX;

/// A set of byte strings with stable ids.
#[derive(Debug)]
pub struct Store {
    arena: Vec<u8>,
    /// End of each node in the arena.
    ends: Vec<u64>,
    table: Vec<u32>,
}

impl Default for Store {
    fn default() -> Self {
        Store { arena: Vec::new(), ends: Vec::new(), table: vec![EMPTY; 1 << 10] }
    }
}

impl Store {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of a node.
    pub fn get(&self, id: StateId) -> &[u8] {
        let i = id.0 as usize;
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.arena[start..self.ends[i] as usize]
    }

    /// Adds a node unless it is there; says which it is and whether it is new.
    ///
    /// # Panics
    /// With more than 2³² − 2 nodes. The budget stops a search long before.
    pub fn insert(&mut self, node: &[u8]) -> (StateId, bool) {
        if (self.ends.len() + 1) * 4 > self.table.len() * 3 {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(node) as usize & mask;
        loop {
            match self.table[slot] {
                EMPTY => break,
                id if self.get(StateId(id)) == node => return (StateId(id), false),
                _ => slot = (slot + 1) & mask,
            }
        }
        let id = self.ends.len() as u32;
        assert!(id != EMPTY, "the store names nodes by 32 bits");
        self.arena.extend_from_slice(node);
        self.ends.push(self.arena.len() as u64);
        self.table[slot] = id;
        (StateId(id), true)
    }

    fn grow(&mut self) {
        let mut table = vec![EMPTY; self.table.len() * 2];
        let mask = table.len() - 1;
        for id in 0..self.ends.len() as u32 {
            let mut slot = hash(self.get(StateId(id))) as usize & mask;
            while table[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            table[slot] = id;
        }
        self.table = table;
    }

    /// Bytes of memory in use, counting what the next growth of the arena or the table would add.
    pub fn memory(&self) -> u64 {
        (self.arena.capacity() + self.ends.capacity() * 8 + self.table.len() * 4) as u64
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
    fn a_node_gets_the_same_id_each_time_and_ids_count_up() {
        let mut store = Store::default();
        for round in 0..2 {
            for i in 0..5000u32 {
                let node = i.to_le_bytes();
                let (id, new) = store.insert(&node[..1 + (i % 4) as usize]);
                let (again, _) = store.insert(&node[..1 + (i % 4) as usize]);
                assert_eq!(id, again);
                assert!(round == 0 || !new);
                assert_eq!(store.get(id), &node[..1 + (i % 4) as usize]);
            }
        }
    }
}
