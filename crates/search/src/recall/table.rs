//! A table of what was learnt, of limited size: when it is full, all is forgotten.

use std::ops::Range;

use crate::store::{Change, hash_of_numbers};

/// The first size, in slots.
const FIRST: usize = 1 << 10;
/// The most slots.
const MOST: usize = 1 << 17;
/// The most moves and parts that are kept.
const MOST_KEPT: usize = 1 << 19;
const NOTHING: u32 = u32::MAX;

/// A move that was learnt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    first: u32,
    end: u32,
    /// Its steps.
    pub length: u32,
    /// It leads to a state that counts.
    pub counts: bool,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    tag: u32,
    /// Where its key begins.
    at: u32,
}

const EMPTY: Slot = Slot { tag: 0, at: NOTHING };

/// Finds moves by keys of a few numbers.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
    /// Of each entry its key, then its first move and the one behind its last.
    words: Vec<u32>,
    moves: Vec<Known>,
    changes: Vec<Change>,
    entries: usize,
}

impl Table {
    pub fn new() -> Self {
        Table { slots: vec![EMPTY; FIRST], words: Vec::new(), moves: Vec::new(), changes: Vec::new(), entries: 0 }
    }

    pub fn memory(&self) -> u64 {
        let moves = self.moves.capacity() * size_of::<Known>() + self.changes.capacity() * size_of::<Change>();
        (self.slots.capacity() * size_of::<Slot>() + self.words.capacity() * 4 + moves) as u64
    }

    /// The moves of a key.
    #[inline]
    pub fn find(&self, key: &[u32]) -> Option<Range<u32>> {
        let (place, tag) = self.place(key);
        for slot in [self.slots[place], self.slots[place ^ 1]] {
            let at = slot.at as usize;
            if slot.tag == tag && slot.at != NOTHING && &self.words[at..at + key.len()] == key {
                return Some(self.words[at + key.len()]..self.words[at + key.len() + 1]);
            }
        }
        None
    }

    /// A move, and the parts that it changes.
    #[inline]
    pub fn get(&self, number: u32) -> (Known, &[Change]) {
        let known = self.moves[number as usize];
        (known, &self.changes[known.first as usize..known.end as usize])
    }

    /// Remembers the moves of a key, each with the parts that it changes, one behind the other.
    pub fn learn(&mut self, key: &[u32], moves: &[(usize, u32, bool)], changes: &[Change]) {
        if self.entries * 2 >= self.slots.len() || self.moves.len().max(self.changes.len()) > MOST_KEPT {
            self.forget();
        }
        self.entries += 1;
        let at = self.words.len() as u32;
        self.words.extend_from_slice(key);
        self.words.push(self.moves.len() as u32);
        let mut first = self.changes.len() as u32;
        for &(count, length, counts) in moves {
            let end = first + count as u32;
            self.moves.push(Known { first, end, length, counts });
            first = end;
        }
        self.words.push(self.moves.len() as u32);
        self.changes.extend_from_slice(changes);
        let (place, tag) = self.place(key);
        let free = [place, place ^ 1].into_iter().find(|&p| self.slots[p].at == NOTHING);
        self.slots[free.unwrap_or(place)] = Slot { tag, at };
    }

    fn forget(&mut self) {
        let slots = (self.slots.len() * 2).min(MOST);
        self.slots.clear();
        self.slots.resize(slots, EMPTY);
        self.words.clear();
        self.moves.clear();
        self.changes.clear();
        self.entries = 0;
    }

    fn place(&self, key: &[u32]) -> (usize, u32) {
        let hash = hash_of_numbers(key);
        (hash as usize & (self.slots.len() - 1), (hash >> 32) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_was_learnt_and_much_of_it_is_found() {
        let mut table = Table::new();
        let mut found = 0;
        for i in 0..200_000u32 {
            let key = [i % 7, i, i / 3];
            let changes = [Change { part: i, hash: u64::from(i), number: i + 1 }; 3];
            table.learn(&key, &[(1, 5, true), (2, i, false)], &changes);
            let early = i / 2;
            if let Some(known) = table.find(&[early % 7, early, early / 3]) {
                found += 1;
                let moves: Vec<_> = known.map(|k| table.get(k)).collect();
                assert_eq!(moves.iter().map(|m| (m.0.length, m.0.counts)).collect::<Vec<_>>(), [(5, true), (early, false)]);
                assert_eq!(moves.iter().flat_map(|m| m.1).map(|c| c.part).collect::<Vec<_>>(), [early; 3]);
            }
            assert!(table.find(&[i % 7, i, i / 3 + 1]).is_none());
        }
        assert!(found > 5_000, "{found}");
        assert!(table.memory() < 64 << 20);
    }
}
