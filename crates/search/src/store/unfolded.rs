//! One node of a store laid open, and the node that comes after it.
//!
//! A search looks at a node, then at its successors, which differ from it in a part or two. So the bytes of the node are
//! kept here with the numbers and hashes of its parts; a successor is compared with it word by word, and only what has
//! changed is hashed and looked up. Going to a successor or to any other node takes over what they have in common.

use std::sync::Arc;

use super::StateId;
use super::cut::Ends;
use super::form::{self, Known, Shape};
use super::hash;
use super::index::Spot;
use super::parts::Recent;
use super::rows::Block;
use super::words::Words;

/// A part in which another node differs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub part: u32,
    pub hash: u64,
    /// Its number in its column, once it has been looked up.
    pub number: u32,
}

/// A change as four words.
pub(crate) type Packed = [u32; 4];

impl Change {
    /// As four words.
    pub fn pack(&self) -> Packed {
        [self.part, self.number, self.hash as u32, (self.hash >> 32) as u32]
    }

    /// From four words.
    #[inline]
    pub fn unpack(&[part, number, low, high]: &Packed) -> Change {
        Change { part, number, hash: u64::from(low) | u64::from(high) << 32 }
    }
}

/// What a node is written as.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// The number of its form.
    pub form: u32,
    pub words: Words,
    /// The hashes of its parts, added up, as far as that is kept.
    pub sum: u64,
    /// Where the index has it, and the page on which that was last.
    pub spot: Spot,
    pub page: u32,
    pub seen: Seen,
}

/// Which node something written is, as far as a first look tells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Seen {
    /// Probably a new one.
    #[default]
    Nowhere,
    /// Perhaps this one.
    Perhaps(u32),
    /// This one.
    Known(u32),
    /// The same as the node of this number among those that are stored together with it.
    Twin(u32),
}

impl Written {
    /// Notes that all is written.
    #[inline]
    pub fn end(&mut self) {
        self.sum = form::set_sum(self.words.get_mut(), self.sum);
        self.spot = Spot::of(self.hash());
        self.seen = Seen::Nowhere;
    }

    /// Takes other words, of a node that is written in the same form.
    pub fn set_words(&mut self, words: &[u32]) {
        self.words.get_mut().copy_from_slice(words);
        self.sum = form::sum_in(words);
        self.end();
    }

    /// The hash of the node.
    #[inline]
    pub fn hash(&self) -> u64 {
        mixed(self.sum)
    }
}

/// A sum of hashes, well mixed.
#[inline]
pub(super) fn mixed(sum: u64) -> u64 {
    hash::of_pair(sum, sum.rotate_left(32))
}

/// A node of a store, laid open.
#[derive(Debug, Default)]
pub struct Unfolded {
    /// Which node it is; none when there is none.
    pub(super) id: Option<StateId>,
    pub(super) bytes: Vec<u8>,
    /// A form that has the shape of the bytes.
    pub(super) cut_as: Option<u32>,
    pub(super) written: Written,
    /// The number of each part in its column.
    pub(super) numbers: Vec<u32>,
    /// Those that the bytes stand for, and their hashes.
    pub(super) held: Vec<u32>,
    pub(super) hashes: Vec<u64>,
    /// The same for the node that comes after it, which differs in these parts.
    pub(super) changes: Vec<Change>,
    pub(super) next: Written,
    pub(super) next_id: Option<StateId>,
    next_bytes: Vec<u8>,
    pub(super) recent: Recent,
    /// Places for new nodes.
    pub(super) block: Block,
    pub(super) known: Known,
    /// Filled anew where it is used.
    pub(super) spare: Ends,
}

impl Unfolded {
    /// The hash of the node.
    pub(super) fn hash(&self) -> u64 {
        self.written.hash()
    }

    /// How the node is cut; none where nodes have no parts.
    pub(crate) fn shape(&self) -> Option<&Arc<Shape>> {
        self.shape_of_bytes().filter(|_| self.id.is_some())
    }

    /// How the bytes are cut.
    pub(super) fn shape_of_bytes(&self) -> Option<&Arc<Shape>> {
        self.cut_as.map(|form| &self.known.form(form).shape)
    }

    /// The number of each part.
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The hash of each part.
    pub(crate) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The parts in which the node that was added last differs, if it is cut as this one is.
    pub(crate) fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Compares a node with this one: notes the parts that differ, with their hashes. False when the node is cut in
    /// another way.
    pub(super) fn compare(&mut self, node: &[u8]) -> bool {
        self.next_id = None;
        self.changes.clear();
        let Some(form) = self.cut_as else { return false };
        let shape = &self.known.form(form).shape;
        if self.id.is_none() || node.len() != self.bytes.len() {
            return false;
        }
        let (mine, my_rest) = self.bytes.as_chunks::<8>();
        let (theirs, rest) = node.as_chunks::<8>();
        let mut at = 0;
        for (a, b) in mine.iter().zip(theirs) {
            let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
            if differ != 0 && !note(&mut self.changes, shape, at, differ, node) {
                return false;
            }
            at += 8;
        }
        if my_rest != rest {
            let differ = hash::last_word(&self.bytes) ^ hash::last_word(node);
            return note(&mut self.changes, shape, at, differ, node);
        }
        true
    }

    /// Makes the node that is written here the unfolded one, without its bytes.
    pub(super) fn lay_open(&mut self, id: StateId) {
        let Unfolded { written, numbers, held, hashes, bytes, cut_as, changes, known, .. } = self;
        let form = known.form(written.form);
        changes.clear();
        // What stands at a place is compared only when both are cut in the same way.
        if cut_as.is_none_or(|as_this| !Arc::ptr_eq(&known.form(as_this).shape, &form.shape)) {
            let parts = form.shape.columns.len();
            *cut_as = Some(written.form);
            bytes.clear();
            bytes.resize(form.shape.part_of.len(), 0);
            hashes.clear();
            hashes.resize(parts, 0);
            numbers.resize(parts, 0);
            held.clear();
            held.resize(parts, u32::MAX);
        }
        form.read(written.words.get(), numbers);
        (self.id, self.next_id) = (Some(id), None);
    }

    /// Goes to the node that comes after this one.
    pub(super) fn follow(&mut self) {
        for change in &self.changes {
            self.hashes[change.part as usize] = change.hash;
            self.numbers[change.part as usize] = change.number;
            self.held[change.part as usize] = change.number;
        }
        self.changes.clear();
        std::mem::swap(&mut self.written, &mut self.next);
        std::mem::swap(&mut self.bytes, &mut self.next_bytes);
        self.id = self.next_id.take();
    }

    /// Keeps the bytes of the node that comes after this one.
    pub(super) fn expect(&mut self, id: StateId, node: &[u8]) {
        self.next_id = Some(id);
        self.next_bytes.clear();
        self.next_bytes.extend_from_slice(node);
    }
}

/// Notes the parts that differ in a word; false when a frame has become another one.
#[inline]
fn note(changes: &mut Vec<Change>, shape: &Shape, at: usize, mut differ: u64, node: &[u8]) -> bool {
    if differ & shape.ends.kinds[at / 8] != 0 {
        return false;
    }
    while differ != 0 {
        let byte = differ.trailing_zeros() as usize / 8;
        let part = shape.part_of[at + byte];
        let range = shape.parts[part as usize].clone();
        if changes.last().is_none_or(|c| c.part != part) {
            let hash = shape.columns[part as usize].hash(&node[range.clone()]);
            changes.push(Change { part, hash, number: 0 });
        }
        differ &= u64::MAX.checked_shl(8 * (range.end - at) as u32).unwrap_or(0);
    }
    true
}
