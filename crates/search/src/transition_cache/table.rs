//! The hash table of a transition cache. It has a limited size: when it is full, it is emptied.

use lurcher_system::ProcessId;

use crate::space::MAX_CHAIN;
use crate::store::{PackedChange, PartChange, hash_of_pair};

/// Slots at first.
const INITIAL_SLOTS: usize = 1 << 10;
/// The most slots, unless the search is so large that more of them are worth it.
const MAX_SLOTS: usize = 1 << 18;
/// Nodes expanded for each slot beyond those.
const NODES_PER_SLOT: u64 = 2;
/// Words per slot.
const WORDS_PER_SLOT: usize = 16;
const NONE: u32 = u32::MAX;
/// The most parts that a cached move may change.
pub(super) const MAX_CHANGES: usize = (1 << PARTNER_AT) - 1;
/// An edge has two words: its length, then the holder of exclusive control behind it plus one; and the number of its changes,
/// then the partner plus one.
const HOLDER_AT: u32 = 5;
const PARTNER_AT: u32 = 15;
const _: () = assert!(MAX_CHAIN + 2 < 1 << HOLDER_AT);
/// An odd number with irregular bits.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The key of moves: a process, the number of its own part, and the numbers of the parts that it depends on. A claim has its
/// location instead of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key<'a> {
    pub process: u32,
    pub own: u32,
    pub parts: &'a [u32],
    /// The numbers of all parts of the node.
    pub numbers: &'a [u32],
}

impl Key<'_> {
    #[inline]
    fn hash(&self) -> u64 {
        let first = u64::from(self.process) << 32 | u64::from(self.own);
        let sum = self.parts.iter().fold(first.wrapping_mul(MULTIPLIER), |sum, &p| {
            (sum.rotate_left(21) ^ u64::from(self.numbers[p as usize])).wrapping_mul(MULTIPLIER)
        });
        hash_of_pair(sum, MULTIPLIER)
    }

    #[inline]
    fn is(&self, words: &[u32]) -> bool {
        words[0] == self.process
            && words[1] == self.own
            && self.parts.iter().zip(&words[2..]).all(|(&p, &n)| self.numbers[p as usize] == n)
    }
}

/// The position of cached moves. Valid until the table is emptied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry(u32);

impl Entry {
    /// No entry.
    pub const NONE: Entry = Entry(NONE);
}

/// A move and the atomic chain behind it, as an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeMetadata {
    /// Its length in steps. A rendezvous has two.
    pub length: u32,
    /// The receiver, if it begins with a rendezvous.
    pub partner: Option<ProcessId>,
    /// The holder of exclusive control behind it.
    pub holder: Option<ProcessId>,
}

impl EdgeMetadata {
    /// Number of transitions.
    pub fn transitions(&self) -> u32 {
        self.length - u32::from(self.partner.is_some())
    }

    /// Whether it leads to a state that counts as stored.
    pub fn counts(&self) -> bool {
        self.holder.is_none()
    }

    /// As two words, with a number of changes.
    fn pack(&self, changes: usize) -> [u32; 2] {
        let word =
            |low: u32, process: Option<ProcessId>, at: u32| low | process.map_or(0, |p| (u32::from(p.0) + 1) << at);
        [word(self.length, self.holder, HOLDER_AT), word(changes as u32, self.partner, PARTNER_AT)]
    }

    /// The edge, and the number of its changes.
    #[inline]
    fn unpack([edge, changes]: [u32; 2]) -> (Self, usize) {
        let process = |word: u32, at: u32| (word >> at).checked_sub(1).map(|p| ProcessId(p as u16));
        let low = |word: u32, bits: u32| word & ((1 << bits) - 1);
        let (holder, partner) = (process(edge, HOLDER_AT), process(changes, PARTNER_AT));
        (EdgeMetadata { length: low(edge, HOLDER_AT), partner, holder }, low(changes, PARTNER_AT) as usize)
    }
}

/// A cached move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CachedMove<'t> {
    pub edge: EdgeMetadata,
    /// The parts that it changes, with what each change adds to the hash.
    pub changes: &'t [PackedChange],
}

/// The moves of an entry.
pub(crate) struct CachedMoves<'t> {
    left: u32,
    words: &'t [u32],
}

impl<'t> Iterator for CachedMoves<'t> {
    type Item = CachedMove<'t>;

    #[inline]
    fn next(&mut self) -> Option<CachedMove<'t>> {
        self.left = self.left.checked_sub(1)?;
        let (&head, rest) = self.words.split_first_chunk()?;
        let (edge, count) = EdgeMetadata::unpack(head);
        let (changes, rest) = rest.split_at(4 * count);
        self.words = rest;
        Some(CachedMove { edge, changes: changes.as_chunks().0 })
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    tag: u32,
    /// The first word of its entry.
    at: u32,
}

const EMPTY: Slot = Slot { tag: 0, at: NONE };

/// Finds cached moves by their keys.
#[derive(Debug)]
pub(crate) struct Table {
    slots: Vec<Slot>,
    /// Entries: the key, two words of facts, the number of moves, and for each move the two words of its edge and
    /// its changes.
    words: Vec<u32>,
    entries: usize,
    max_slots: usize,
    /// How often the table was emptied.
    pub generation: u32,
}

impl Table {
    pub fn new() -> Self {
        Table { slots: vec![EMPTY; INITIAL_SLOTS], words: Vec::new(), entries: 0, max_slots: MAX_SLOTS, generation: 0 }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.slots.capacity() * size_of::<Slot>() + self.words.capacity() * 4) as u64
    }

    #[inline]
    pub fn find(&self, key: Key<'_>) -> Option<Entry> {
        let (position, tag) = self.position(key);
        for slot in [position, position ^ 1].map(|p| self.slots[p]) {
            if slot.tag == tag && slot.at != NONE && key.is(&self.words[slot.at as usize..]) {
                return Some(Entry(slot.at + 2 + key.parts.len() as u32));
            }
        }
        None
    }

    /// The moves of an entry.
    #[inline]
    pub fn moves(&self, entry: Entry) -> CachedMoves<'_> {
        let (head, words) = self.words[entry.0 as usize..].split_at(3);
        CachedMoves { left: head[2], words }
    }

    /// The facts of an entry, and the number of its moves.
    #[inline]
    pub fn facts(&self, entry: Entry) -> ([u32; 2], u32) {
        let &[first, second, count] = self.words[entry.0 as usize..].first_chunk().expect("an entry has a head");
        ([first, second], count)
    }

    /// Inserts moves, each with the number of its changes; the changes of all moves follow one another.
    pub fn insert(&mut self, key: Key<'_>, facts: [u32; 2], moves: &[(usize, EdgeMetadata)], changes: &[PartChange]) {
        if self.entries * 2 >= self.slots.len() || self.words.len() > self.slots.len() * WORDS_PER_SLOT {
            self.empty();
        }
        self.entries += 1;
        let at = self.words.len() as u32;
        self.words.extend([key.process, key.own]);
        self.words.extend(key.parts.iter().map(|&p| key.numbers[p as usize]));
        self.words.extend(facts);
        self.words.push(moves.len() as u32);
        let mut changes = changes.iter();
        for &(count, edge) in moves {
            self.words.extend(edge.pack(count));
            self.words.extend(changes.by_ref().take(count).flat_map(PartChange::pack));
        }
        let (position, tag) = self.position(key);
        let free = [position, position ^ 1].into_iter().find(|&p| self.slots[p].at == NONE);
        self.slots[free.unwrap_or(position)] = Slot { tag, at };
    }

    /// Empties the table, and doubles it if it may grow.
    fn empty(&mut self) {
        let slots = (self.slots.len() * 2).min(self.max_slots);
        self.slots.clear();
        self.slots.resize(slots, EMPTY);
        self.words.clear();
        self.entries = 0;
        self.generation += 1;
    }

    /// Adapts the greatest size to the number of expanded nodes.
    pub(super) fn adapt_size(&mut self, nodes: u64) {
        let slots = usize::try_from(nodes / NODES_PER_SLOT).unwrap_or(MAX_SLOTS);
        self.max_slots = MAX_SLOTS.max(slots.next_power_of_two() / 2);
    }

    #[inline]
    fn position(&self, key: Key<'_>) -> (usize, u32) {
        let hash = key.hash();
        (hash as usize & (self.slots.len() - 1), (hash >> 32) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_moves_are_those_inserted_and_most_are_found() {
        let mut table = Table::new();
        let mut hits = 0;
        for i in 0..200_000u32 {
            let numbers = |i: u32| [i % 7, i, i / 3];
            fn key(numbers: &[u32; 3]) -> Key<'_> {
                Key { process: 3, own: 4, parts: &[2, 1], numbers }
            }
            let changes = [PartChange { part: i, hash: u64::from(i) << 20, number: i + 1 }; 3];
            let moves = |i: u32| {
                let short = EdgeMetadata { length: 5, partner: Some(ProcessId(!i as u16)), holder: None };
                let holder = Some(ProcessId(i as u16));
                [(1, short), (2, EdgeMetadata { length: i % 30, partner: None, holder })]
            };
            table.insert(key(&numbers(i)), [i, 9], &moves(i), &changes);
            let early = i.saturating_sub(300);
            if let Some(entry) = table.find(key(&numbers(early))) {
                hits += 1;
                assert_eq!(table.facts(entry), ([early, 9], 2));
                let found: Vec<CachedMove<'_>> = table.moves(entry).collect();
                let edges: Vec<(usize, EdgeMetadata)> = found.iter().map(|m| (m.changes.len(), m.edge)).collect();
                assert_eq!(edges, moves(early));
                for change in found.iter().flat_map(|m| m.changes).map(PartChange::unpack) {
                    assert_eq!((change.part, change.number, change.hash), (early, early + 1, u64::from(early) << 20));
                }
            }
            assert!(table.find(key(&[0, i, i / 3 + 1])).is_none());
        }
        assert!(hits > 150_000, "{hits}");
        assert!(table.memory() < 64 << 20);
    }
}
