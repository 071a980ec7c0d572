//! A node of a store in decoded form, and its difference to the next one.
//!
//! A search expands a node into successors that differ from it in a part or two. So a thread keeps the bytes of the node with
//! the numbers and hashes of its parts, compares a successor with it word by word, and hashes and looks up only the
//! parts that differ. Loading another node decodes only the parts in which it differs, too.

use std::sync::Arc;

use super::encoding::{self, KnownEncodings, RowLayout};
use super::index::Probe;
use super::part_table::RecentParts;
use super::partition::PartBounds;
use super::row_table::Block;
use super::words::Words;
use super::{StateId, hash};

/// A part in which another node differs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartChange {
    pub part: u32,
    /// The hash of the new part; or, in a packed change, what it adds to the hash of the old one.
    pub hash: u64,
    /// The number of the new part in its column.
    pub number: u32,
}

/// A change as four words.
pub(crate) type PackedChange = [u32; 4];

impl PartChange {
    pub fn pack(&self) -> PackedChange {
        [self.part, self.number, self.hash as u32, (self.hash >> 32) as u32]
    }

    #[inline]
    pub fn unpack(&[part, number, low, high]: &PackedChange) -> PartChange {
        PartChange { part, number, hash: u64::from(low) | u64::from(high) << 32 }
    }
}

/// A node as a row of words.
#[derive(Clone, Debug, Default)]
pub(crate) struct EncodedNode {
    /// The number of its encoding.
    pub(super) encoding: u32,
    pub(super) words: Words,
    /// The sum of the hashes of its parts, as far as rows keep it.
    pub(super) sum: u64,
    pub(super) probe: Probe,
    /// The index page that served the probe at the prefetch.
    pub(super) page: u32,
    pub(super) lookup: Lookup,
}

/// The result of a first lookup of an encoded node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Lookup {
    /// Probably new.
    #[default]
    Missing,
    /// An entry with the same tag.
    Candidate(u32),
    /// The stored node with this id.
    Found(u32),
    /// Equal to the node at this position in the same batch.
    Duplicate(u32),
}

impl EncodedNode {
    /// Writes the sum after all parts.
    #[inline]
    pub(super) fn finish(&mut self) {
        self.sum = encoding::set_sum(self.words.get_mut(), self.sum);
        self.probe = Probe::of(self.hash());
        self.lookup = Lookup::Missing;
    }

    /// The row of words. It names its encoding, so different nodes have different rows.
    pub fn row(&self) -> &[u32] {
        self.words.get()
    }

    /// Replaces the row by that of another node in the same encoding.
    pub fn set_row(&mut self, row: &[u32]) {
        self.words.get_mut().copy_from_slice(row);
        self.sum = encoding::sum_of(row);
        self.finish();
    }

    /// The hash of the node.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        hash_of_sum(self.sum)
    }
}

/// The hash of a node with this sum of part hashes.
#[inline]
pub(super) fn hash_of_sum(sum: u64) -> u64 {
    hash::of_pair(sum, sum.rotate_left(32))
}

/// A decoded node, with the thread's caches for decoding and inserting nodes.
#[derive(Debug, Default)]
pub(crate) struct DecodedState {
    /// Its id; none if nothing is decoded.
    pub(super) id: Option<StateId>,
    pub(super) bytes: Vec<u8>,
    /// An encoding that has the layout of the bytes.
    pub(super) layout_of: Option<u32>,
    pub(super) encoded: EncodedNode,
    /// The number of each part.
    pub(super) numbers: Vec<u32>,
    /// The part numbers that the bytes and hashes are up to date with.
    pub(super) decoded: Vec<u32>,
    pub(super) hashes: Vec<u64>,
    /// The parts in which the next node differs.
    pub(super) changes: Vec<PartChange>,
    pub(super) next: EncodedNode,
    pub(super) next_id: Option<StateId>,
    next_bytes: Vec<u8>,
    pub(super) recent: RecentParts,
    pub(super) block: Block,
    pub(super) known: KnownEncodings,
    pub(super) bounds: PartBounds,
}

impl DecodedState {
    /// The layout of the node; none if nodes have no parts.
    pub fn layout(&self) -> Option<&Arc<RowLayout>> {
        self.layout_of_bytes().filter(|_| self.id.is_some())
    }

    pub(super) fn layout_of_bytes(&self) -> Option<&Arc<RowLayout>> {
        self.layout_of.map(|encoding| &self.known.get(encoding).layout)
    }

    /// The number of each part.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The hash of each part.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The parts in which the node that was compared last differs, if it has the same layout.
    pub fn changes(&self) -> &[PartChange] {
        &self.changes
    }

    /// Finds the parts in which a node differs from this one, and their hashes. False if its layout is different.
    pub(super) fn compare(&mut self, node: &[u8]) -> bool {
        self.next_id = None;
        self.changes.clear();
        let Some(encoding) = self.layout_of else { return false };
        let layout = &self.known.get(encoding).layout;
        if self.id.is_none() || node.len() != self.bytes.len() {
            return false;
        }
        let (mine, my_rest) = self.bytes.as_chunks::<8>();
        let (theirs, rest) = node.as_chunks::<8>();
        let mut at = 0;
        for (a, b) in mine.iter().zip(theirs) {
            let diff = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
            if diff != 0 && !note_changes(&mut self.changes, layout, at, diff, node) {
                return false;
            }
            at += 8;
        }
        if my_rest != rest {
            let diff = hash::last_word(&self.bytes) ^ hash::last_word(node);
            return note_changes(&mut self.changes, layout, at, diff, node);
        }
        true
    }

    /// Makes `encoded` the decoded node; its bytes are decoded later.
    pub(super) fn open(&mut self, id: StateId) {
        let DecodedState { encoded, numbers, decoded, hashes, bytes, layout_of, changes, known, .. } = self;
        let encoding = known.get(encoded.encoding);
        changes.clear();
        // Bytes of another layout are of no use.
        if layout_of.is_none_or(|other| !Arc::ptr_eq(&known.get(other).layout, &encoding.layout)) {
            let parts = encoding.layout.columns.len();
            *layout_of = Some(encoded.encoding);
            bytes.clear();
            bytes.resize(encoding.layout.part_of.len(), 0);
            hashes.clear();
            hashes.resize(parts, 0);
            numbers.resize(parts, 0);
            decoded.clear();
            decoded.resize(parts, u32::MAX);
        }
        encoding.read(encoded.words.get(), numbers);
        (self.id, self.next_id) = (Some(id), None);
    }

    /// Makes the next node the decoded one.
    pub(super) fn advance(&mut self) {
        for change in &self.changes {
            self.hashes[change.part as usize] = change.hash;
            self.numbers[change.part as usize] = change.number;
            self.decoded[change.part as usize] = change.number;
        }
        self.changes.clear();
        std::mem::swap(&mut self.encoded, &mut self.next);
        std::mem::swap(&mut self.bytes, &mut self.next_bytes);
        self.id = self.next_id.take();
    }

    /// Keeps the next node, so that [`DecodedState::advance`] can make it the decoded one.
    pub(super) fn keep_next(&mut self, id: StateId, node: &[u8]) {
        self.next_id = Some(id);
        self.next_bytes.clear();
        self.next_bytes.extend_from_slice(node);
    }
}

/// Appends the parts that differ in a word; false if a frame has another type.
#[inline]
fn note_changes(changes: &mut Vec<PartChange>, layout: &RowLayout, at: usize, mut diff: u64, node: &[u8]) -> bool {
    if diff & layout.bounds.type_mask[at / 8] != 0 {
        return false;
    }
    while diff != 0 {
        let byte = diff.trailing_zeros() as usize / 8;
        let part = layout.part_of[at + byte];
        let range = layout.parts[part as usize].clone();
        if changes.last().is_none_or(|c| c.part != part) {
            let hash = layout.columns[part as usize].hash(&node[range.clone()]);
            changes.push(PartChange { part, hash, number: 0 });
        }
        diff &= u64::MAX.checked_shl(8 * (range.end - at) as u32).unwrap_or(0);
    }
    true
}
