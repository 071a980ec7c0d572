//! A table of what was learnt, of limited size: when it is full, all is forgotten.

use crate::store::{Change, Packed, hash_of_pair};

/// The first size, in slots.
const FIRST: usize = 1 << 10;
/// The most slots, unless the search is so large that more of them count little.
const MOST: usize = 1 << 18;
/// Nodes that were looked at for each slot beyond those.
const NODES: u64 = 2;
/// Words that are kept for each slot.
const WORDS: usize = 16;
const NOTHING: u32 = u32::MAX;
const COUNTS: u32 = 1 << 31;
const PAIRED: u32 = 1 << 30;
/// An odd number whose bits look like chance.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Where moves belong: a process, the number of its own part, the parts around it and the numbers of all parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    pub site: u32,
    pub own: u32,
    pub around: &'a [u32],
    pub numbers: &'a [u32],
}

impl Key<'_> {
    #[inline]
    fn hash(&self) -> u64 {
        let first = u64::from(self.site) << 32 | u64::from(self.own);
        let sum = self.around.iter().fold(first.wrapping_mul(SPREAD), |sum, &p| {
            (sum.rotate_left(21) ^ u64::from(self.numbers[p as usize])).wrapping_mul(SPREAD)
        });
        hash_of_pair(sum, SPREAD)
    }

    #[inline]
    fn is(&self, words: &[u32]) -> bool {
        words[0] == self.site
            && words[1] == self.own
            && self.around.iter().zip(&words[2..]).all(|(&p, &n)| self.numbers[p as usize] == n)
    }
}

/// Where moves that were learnt together are, until all is forgotten.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry(u32);

impl Entry {
    /// No entry.
    pub const NONE: Entry = Entry(NOTHING);
}

/// How a move goes, with all that follows by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Going {
    /// Steps of processes on the way, of which a rendezvous takes two.
    pub length: u32,
    /// It begins with a rendezvous.
    pub paired: bool,
    /// It leads to a state that counts.
    pub counts: bool,
}

impl Going {
    /// Moves on the way.
    pub fn moves(&self) -> u32 {
        self.length - u32::from(self.paired)
    }

    fn pack(&self) -> u32 {
        self.length | if self.paired { PAIRED } else { 0 } | if self.counts { COUNTS } else { 0 }
    }

    #[inline]
    fn unpack(word: u32) -> Self {
        Going { length: word & !(PAIRED | COUNTS), paired: word & PAIRED != 0, counts: word & COUNTS != 0 }
    }
}

/// A move that was learnt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'t> {
    pub going: Going,
    /// The parts that it changes, each by what it adds to the hash.
    pub changes: &'t [Packed],
}

/// Moves that were learnt together.
pub(crate) struct Moves<'t> {
    left: u32,
    words: &'t [u32],
}

impl<'t> Iterator for Moves<'t> {
    type Item = Known<'t>;

    #[inline]
    fn next(&mut self) -> Option<Known<'t>> {
        self.left = self.left.checked_sub(1)?;
        let (&[going, count], rest) = self.words.split_first_chunk()?;
        let (changes, rest) = rest.split_at(4 * count as usize);
        self.words = rest;
        Some(Known { going: Going::unpack(going), changes: changes.as_chunks().0 })
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    tag: u32,
    /// Where its entry begins.
    at: u32,
}

const EMPTY: Slot = Slot { tag: 0, at: NOTHING };

/// Finds moves by their keys.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
    /// Entries: the key, two words of whoever learns, the number of moves, and of each move how it goes, the number of parts
    /// that it changes and those.
    words: Vec<u32>,
    entries: usize,
    /// How many slots there may be.
    most: usize,
    /// How often all was forgotten.
    forgotten: u32,
}

impl Table {
    pub fn new() -> Self {
        Table { slots: vec![EMPTY; FIRST], words: Vec::new(), entries: 0, most: MOST, forgotten: 0 }
    }

    pub fn memory(&self) -> u64 {
        (self.slots.capacity() * size_of::<Slot>() + self.words.capacity() * 4) as u64
    }

    /// The moves of a key.
    #[inline]
    pub fn find(&self, key: Key<'_>) -> Option<Entry> {
        let (place, tag) = self.place(key);
        for slot in [place, place ^ 1].map(|p| self.slots[p]) {
            if slot.tag == tag && slot.at != NOTHING && key.is(&self.words[slot.at as usize..]) {
                return Some(Entry(slot.at + 2 + key.around.len() as u32));
            }
        }
        None
    }

    /// The moves of an entry.
    #[inline]
    pub fn moves(&self, entry: Entry) -> Moves<'_> {
        let (head, words) = self.words[entry.0 as usize..].split_at(3);
        Moves { left: head[2], words }
    }

    /// What was told of all moves of an entry, and how many they are.
    #[inline]
    pub fn head(&self, entry: Entry) -> ([u32; 2], u32) {
        let &[first, second, count] = self.words[entry.0 as usize..].first_chunk().expect("an entry has a head");
        ([first, second], count)
    }

    /// Remembers the moves of a key, with two words: each as the number of parts that it changes and how it goes, the parts
    /// one behind the other.
    pub fn learn(&mut self, key: Key<'_>, told: [u32; 2], moves: &[(usize, Going)], changes: &[Change]) {
        if self.entries * 2 >= self.slots.len() || self.words.len() > self.slots.len() * WORDS {
            self.forget();
        }
        self.entries += 1;
        let at = self.words.len() as u32;
        self.words.extend([key.site, key.own]);
        self.words.extend(key.around.iter().map(|&p| key.numbers[p as usize]));
        self.words.extend(told);
        self.words.push(moves.len() as u32);
        let mut changes = changes.iter();
        for &(count, going) in moves {
            self.words.extend([going.pack(), count as u32]);
            self.words.extend(changes.by_ref().take(count).flat_map(Change::pack));
        }
        let (place, tag) = self.place(key);
        let free = [place, place ^ 1].into_iter().find(|&p| self.slots[p].at == NOTHING);
        self.slots[free.unwrap_or(place)] = Slot { tag, at };
    }

    fn forget(&mut self) {
        let slots = (self.slots.len() * 2).min(self.most);
        self.slots.clear();
        self.slots.resize(slots, EMPTY);
        self.words.clear();
        self.entries = 0;
        self.forgotten += 1;
    }

    /// Lets the table be as large as suits a search that has looked at so many nodes.
    pub fn suit(&mut self, nodes: u64) {
        let most = usize::try_from(nodes / NODES).unwrap_or(MOST);
        self.most = MOST.max(most.next_power_of_two() / 2);
    }

    /// How often all was forgotten.
    pub fn forgotten(&self) -> u32 {
        self.forgotten
    }

    #[inline]
    fn place(&self, key: Key<'_>) -> (usize, u32) {
        let hash = key.hash();
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
            let numbers = |i: u32| [i % 7, i, i / 3];
            fn key(numbers: &[u32; 3]) -> Key<'_> {
                Key { site: 3, own: 4, around: &[2, 1], numbers }
            }
            let changes = [Change { part: i, hash: u64::from(i) << 20, number: i + 1 }; 3];
            let moves = |i: u32| {
                let short = Going { length: 5, paired: true, counts: true };
                [(1, short), (2, Going { length: i, paired: false, counts: false })]
            };
            table.learn(key(&numbers(i)), [i, 9], &moves(i), &changes);
            let early = i.saturating_sub(300);
            if let Some(known) = table.find(key(&numbers(early))) {
                found += 1;
                assert_eq!(table.head(known), ([early, 9], 2));
                let found: Vec<Known<'_>> = table.moves(known).collect();
                let told: Vec<(usize, Going)> = found.iter().map(|m| (m.changes.len(), m.going)).collect();
                assert_eq!(told, moves(early));
                for change in found.iter().flat_map(|m| m.changes).map(Change::unpack) {
                    assert_eq!((change.part, change.number, change.hash), (early, early + 1, u64::from(early) << 20));
                }
            }
            assert!(table.find(key(&[0, i, i / 3 + 1])).is_none());
        }
        assert!(found > 150_000, "{found}");
        assert!(table.memory() < 64 << 20);
    }
}
