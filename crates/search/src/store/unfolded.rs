//! One node of a store with its tree laid open, and the node that comes after it.
//!
//! A search looks at a node, then at its successors, which differ from it in a part or two. So the tree of the node is
//! kept here; a successor is compared with it word by word, and only what lies above a part that changed is hashed,
//! compared and interned. Going to a successor or to any other node takes over what they have in common.
//!
//! The tree has a slot for each pair and for each part:
//!
//! ```text
//!            1                 slots 1 to 2m - 1 as in a heap, m the power of two below the number n of parts;
//!          /   \               slots m to 2m - 1 have one part or two below them,
//!        2       3             and those with one are left out: the part stands in their place;
//!       / \     / \            part i has slot 2m + i
//!      8   9  10   7
//!                 / \
//!               11   12        (m = 4, n = 5)
//! ```
//!
//! So the parts are shared out evenly, and two nodes with the same number of parts have trees of the same shape.

use super::StateId;
use super::cut::{Cut, Ends};
use super::hash;

/// What stands in a slot: the number of a pair or part, and its hash.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Twig {
    pub name: u32,
    pub hash: u64,
}

/// No slot: on the right of the only part of a node.
pub(super) const NONE: u32 = u32::MAX;
/// The slot of the root.
pub(super) const ROOT: u32 = 1;

/// A node of a store with its tree laid open.
#[derive(Debug, Default)]
pub struct Unfolded {
    /// Which node it is; none when there is none.
    pub(super) id: Option<StateId>,
    pub(super) bytes: Vec<u8>,
    ends: Ends,
    /// The part of each byte.
    part_of: Vec<u32>,
    /// The first slot of a part.
    pub(super) parts_at: u32,
    /// The two slots below each pair.
    pub(super) sides: Vec<[u32; 2]>,
    /// The slot above each.
    above: Vec<u32>,
    /// What stands in each slot.
    pub(super) now: Vec<Twig>,
    /// The same for the node that comes after it; different only in slots that are marked.
    pub(super) next: Vec<Twig>,
    /// A bit for each slot in which the two differ.
    marks: Vec<u64>,
    /// Which node comes after it, and its bytes.
    pub(super) next_id: Option<StateId>,
    next_bytes: Vec<u8>,
    /// Filled anew where it is used.
    pub(super) spare: Vec<u8>,
}

impl Unfolded {
    /// How many parts the node has.
    pub(super) fn parts(&self) -> usize {
        self.ends.ends.len()
    }

    /// The bytes of a part.
    pub(super) fn part(&self, slot: u32) -> std::ops::Range<usize> {
        let i = (slot - self.parts_at) as usize;
        let start = i.checked_sub(1).map_or(0, |before| self.ends.ends[before]);
        start as usize..self.ends.ends[i] as usize
    }

    pub(super) fn is_part(&self, slot: u32) -> bool {
        slot >= self.parts_at
    }

    pub(super) fn is_marked(&self, slot: u32) -> bool {
        self.marks[slot as usize / 64] >> (slot % 64) & 1 != 0
    }

    pub(super) fn mark(&mut self, slot: u32) {
        self.marks[slot as usize / 64] |= 1 << (slot % 64);
    }

    /// The marked slots from below a slot down to the root, the children of a pair before it.
    fn marked_below(&self, slot: u32) -> Option<u32> {
        let mut word = slot as usize / 64;
        let mut bits = self.marks.get(word)? & ((1 << (slot % 64)) - 1);
        while bits == 0 {
            word = word.checked_sub(1)?;
            bits = self.marks[word];
        }
        Some(word as u32 * 64 + bits.ilog2())
    }

    /// Calls `f` for the marked slots, the children of a pair before it. It may mark slots of smaller numbers.
    pub(super) fn each_marked<E>(&mut self, mut f: impl FnMut(&mut Self, u32) -> Result<(), E>) -> Result<(), E> {
        let mut slot = self.now.len() as u32;
        while let Some(marked) = self.marked_below(slot) {
            f(self, marked)?;
            slot = marked;
        }
        Ok(())
    }

    /// Makes the node after this one the same as this one again.
    pub(super) fn take_back(&mut self) {
        self.next_id = None;
        let mut slot = self.now.len() as u32;
        while let Some(marked) = self.marked_below(slot) {
            self.next[marked as usize] = self.now[marked as usize];
            slot = marked;
        }
        self.marks.fill(0);
    }

    /// Goes to the node that comes after this one.
    pub(super) fn follow(&mut self) {
        let mut slot = self.now.len() as u32;
        while let Some(marked) = self.marked_below(slot) {
            self.now[marked as usize] = self.next[marked as usize];
            slot = marked;
        }
        self.marks.fill(0);
        self.id = self.next_id.take();
        std::mem::swap(&mut self.bytes, &mut self.next_bytes);
    }

    /// Compares a node with this one: marks the parts that differ and hashes what lies above them. False when the node
    /// is cut in another way.
    pub(super) fn compare(&mut self, node: &[u8]) -> bool {
        self.take_back();
        if self.id.is_none() || node.len() != self.bytes.len() {
            return false;
        }
        let whole = node.len() / 8 * 8;
        let mut at = 0;
        while at < whole {
            let differ = word(&self.bytes[at..]) ^ word(&node[at..]);
            if differ != 0 && !self.note(at, differ, node) {
                return false;
            }
            at += 8;
        }
        if at < node.len() {
            let differ = hash::last_word(&self.bytes) ^ hash::last_word(node);
            if differ != 0 && !self.note(at, differ, node) {
                return false;
            }
        }
        self.hash_pairs();
        true
    }

    /// Marks the parts that differ in a word; false when a frame has become another one.
    fn note(&mut self, at: usize, mut differ: u64, node: &[u8]) -> bool {
        if differ & self.ends.kinds[at / 8] != 0 {
            return false;
        }
        while differ != 0 {
            let byte = differ.trailing_zeros() as usize / 8;
            let slot = self.parts_at + self.part_of[at + byte];
            let part = self.part(slot);
            if !self.is_marked(slot) {
                self.mark(slot);
                self.next[slot as usize].hash = hash::of_bytes(&node[part.clone()]);
                self.mark(self.above[slot as usize]);
            }
            differ &= u64::MAX.checked_shl(8 * (part.end - at) as u32).unwrap_or(0);
        }
        true
    }

    /// Hashes the pairs above what is marked, and marks them.
    fn hash_pairs(&mut self) {
        let mut slot = self.parts_at;
        while let Some(marked) = self.marked_below(slot) {
            let [left, right] = self.sides[marked as usize];
            let right = if right == NONE { 0 } else { self.next[right as usize].hash };
            self.next[marked as usize].hash = hash::of_pair(self.next[left as usize].hash, right);
            if marked != ROOT {
                self.mark(self.above[marked as usize]);
            }
            slot = marked;
        }
    }

    /// Takes a node with all its parts marked; nothing of the one before is left.
    pub(super) fn replace(&mut self, cut: &Cut, node: &[u8]) {
        let parts = self.parts();
        (self.id, self.next_id) = (None, None);
        self.bytes.clear();
        self.bytes.extend_from_slice(node);
        cut.ends(node, &mut self.ends);
        if self.parts() != parts {
            self.lay_out();
        }
        self.part_of.clear();
        for (part, &end) in self.ends.ends.iter().enumerate() {
            self.part_of.resize(end as usize, part as u32);
        }
        self.marks.fill(0);
        for slot in self.parts_at..self.now.len() as u32 {
            self.next[slot as usize].hash = hash::of_bytes(&self.bytes[self.part(slot)]);
            self.mark(slot);
            self.mark(self.above[slot as usize]);
        }
        self.hash_pairs();
    }

    /// Says of the node that has just been taken which one it is.
    pub(super) fn settle(&mut self, id: StateId) {
        self.now.copy_from_slice(&self.next);
        self.marks.fill(0);
        self.id = Some(id);
    }

    /// Keeps the bytes of the node that comes after this one.
    pub(super) fn expect(&mut self, id: StateId, node: &[u8]) {
        self.next_id = Some(id);
        self.next_bytes.clear();
        self.next_bytes.extend_from_slice(node);
    }

    /// Lets `write` change a part; false when it did not fit, or a frame has become another one.
    pub(super) fn overwrite(&mut self, part: std::ops::Range<usize>, write: impl FnOnce(&mut [u8]) -> bool) -> bool {
        self.spare.clear();
        self.spare.extend_from_slice(&self.bytes[part.clone()]);
        let (kinds, before, bytes) = (&self.ends.kinds, &self.spare, &mut self.bytes);
        let is_kind = |byte: usize| kinds[byte / 8] >> (8 * (byte % 8)) & 1 != 0;
        let start = part.start;
        write(&mut bytes[part.clone()]) && part.into_iter().all(|b| !is_kind(b) || bytes[b] == before[b - start])
    }

    /// The shape of a tree for as many parts as there are ends.
    fn lay_out(&mut self) {
        let parts = self.parts();
        let bottom = if parts == 1 { 1 } else { parts.next_power_of_two() / 2 };
        let slots = 2 * bottom + parts;
        self.parts_at = 2 * bottom as u32;
        self.above = vec![0; slots];
        self.sides = vec![[NONE; 2]; 2 * bottom];
        self.now = vec![Twig::default(); slots];
        self.next = vec![Twig::default(); slots];
        self.marks = vec![0; slots / 64 + 1];
        let first = |k: usize| k * parts / bottom;
        let slot = |pair: usize| match pair.checked_sub(bottom) {
            Some(k) if pair > 1 && first(k + 1) - first(k) == 1 => 2 * bottom + first(k),
            _ => pair,
        };
        for pair in 1..2 * bottom {
            let sides = match pair.checked_sub(bottom) {
                None => [slot(2 * pair) as u32, slot(2 * pair + 1) as u32],
                Some(_) if slot(pair) != pair => continue,
                Some(k) if parts == 1 => [(2 * bottom + k) as u32, NONE],
                Some(k) => [(2 * bottom + first(k)) as u32, (2 * bottom + first(k) + 1) as u32],
            };
            self.sides[pair] = sides;
            for side in sides.into_iter().filter(|&side| side != NONE) {
                self.above[side as usize] = pair as u32;
            }
        }
    }
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(*bytes.first_chunk().expect("a whole word"))
}
