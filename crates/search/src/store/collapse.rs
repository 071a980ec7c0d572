//! Nodes as rows of part numbers.
//!
//! Collapse compression (Holzmann 1997): each part of a node is kept once, and a node is the numbers of its parts, here in as
//! many bits as each column needs. A node is found by the sum of the hashes of its parts, so a successor that differs in one
//! part costs one hash, one lookup among the few values of its column and a few bits of its row. Hashes do not depend on ids,
//! so a node has the same hash in every run.

use std::sync::Arc;

use super::batch::Batch;
use super::decoded_state::{DecodedState, EncodedNode, Lookup, PackedChange, PartChange, hash_of_sum};
use super::encoding::{Encoding, Encodings, KnownEncodings, RowLayout, encoding_of, load, stored_sum};
use super::index::Index;
use super::memory_limit::MemoryLimit;
use super::part_table::PartTable;
use super::partition::Partition;
use super::row_table::{Block, RowTable};
use super::sync::AtomicU32;
use super::{StateId, StoreFull};

/// Slots of the table that finds equal nodes in a batch.
const DUPLICATE_SLOTS: usize = 256;
/// Nodes for which that table is worth emptying.
const MANY: usize = 24;

/// The id of a decoded node that is not stored.
const NOT_STORED: StateId = StateId(u32::MAX);

/// Nodes as rows of part numbers.
#[derive(Debug)]
pub(crate) struct CollapseTable {
    partition: Partition,
    pub(super) parts: PartTable,
    encodings: Encodings,
    rows: RowTable,
    index: Index,
}

impl CollapseTable {
    pub(super) fn new(partition: Partition, limit: &Arc<MemoryLimit>) -> Self {
        CollapseTable {
            partition,
            parts: PartTable::new(limit),
            encodings: Encodings::default(),
            rows: RowTable::new(limit),
            index: Index::new(limit),
        }
    }

    pub(super) fn prepare(&self) -> Result<(), StoreFull> {
        self.parts.prepare()?;
        self.index.prepare()
    }

    /// Adds a node unless it is known; returns its id and whether it is new.
    pub(super) fn insert(&self, decoded: &mut DecodedState, node: &[u8]) -> Result<(StateId, bool), StoreFull> {
        if !decoded.compare(node) {
            return self.insert_decoded(decoded, node);
        }
        if decoded.changes.is_empty() {
            return Ok((decoded.id.expect("a node is decoded"), false));
        }
        let mut next = std::mem::take(&mut decoded.next);
        let inserted = self.encode_changed(decoded, node, &mut next);
        let inserted = inserted.and_then(|()| self.insert_encoded(&next, true, &decoded.known, &mut decoded.block));
        decoded.next = next;
        let (id, new) = inserted?;
        if new {
            decoded.keep_next(id, node);
        }
        Ok((id, new))
    }

    /// Adds a node to a batch. Returns whether it has the layout of the decoded one.
    pub fn add(&self, decoded: &mut DecodedState, node: &[u8], batch: &mut Batch) -> Result<bool, StoreFull> {
        let same_layout = self.encode(decoded, node, batch.next())?;
        batch.push(node);
        Ok(same_layout)
    }

    /// Adds the node with these changes from the decoded one to a batch, without its bytes.
    #[inline]
    pub fn add_changed(
        &self,
        decoded: &mut DecodedState,
        changes: &[PackedChange],
        tail: Option<PackedChange>,
        batch: &mut Batch,
    ) -> Result<(), StoreFull> {
        self.encode_changes(decoded, changes, tail, batch.next())?;
        batch.push(&[]);
        Ok(())
    }

    /// Finds the parts in which a node differs from the decoded one. Returns whether both have the same layout.
    pub fn compare(&self, decoded: &mut DecodedState, node: &[u8]) -> Result<bool, StoreFull> {
        let mut next = std::mem::take(&mut decoded.next);
        let same_layout = self.encode(decoded, node, &mut next);
        decoded.next = next;
        same_layout
    }

    /// Changes an encoded node. False if it needs a new encoding; it is invalid then.
    #[inline]
    pub fn change(&self, decoded: &DecodedState, node: &mut EncodedNode, changes: &[PackedChange]) -> bool {
        let fits = set_changes(decoded.known.get(node.encoding), node, changes);
        node.finish();
        fits
    }

    /// Prefetches the index entry of an encoded node.
    #[inline]
    pub fn prefetch(&self, node: &mut EncodedNode) {
        node.page = self.index.prefetch(node.probe);
    }

    /// The id of an encoded node that is stored. Another thread may be inserting it.
    pub fn find(&self, decoded: &DecodedState, node: &mut EncodedNode) -> Option<StateId> {
        let found = self.index.find(node.probe, |id| self.is(id, node, &decoded.known));
        node.lookup = found.map_or(Lookup::Missing, Lookup::Found);
        found.map(StateId)
    }

    /// Decodes an encoded node, and lends its bytes.
    pub fn decode<'d>(&self, decoded: &'d mut DecodedState, node: &EncodedNode) -> &'d [u8] {
        self.encodings.update(&mut decoded.known);
        decoded.encoded.clone_from(node);
        decoded.open(NOT_STORED);
        self.decode_bytes(decoded)
    }

    /// Encodes a node. Returns whether it has the layout of the decoded one.
    pub fn encode(
        &self,
        decoded: &mut DecodedState,
        node: &[u8],
        encoded: &mut EncodedNode,
    ) -> Result<bool, StoreFull> {
        let same_layout = decoded.compare(node);
        if same_layout {
            self.encode_changed(decoded, node, encoded)?;
        } else {
            let layout = self.layout_of(decoded, node);
            self.encode_whole(decoded, &layout, node, encoded, |_, _| ())?;
        }
        self.prefetch(encoded);
        Ok(same_layout)
    }

    /// Encodes the node with these changes from the decoded one, and one of the tail.
    #[inline]
    pub fn encode_changes(
        &self,
        decoded: &mut DecodedState,
        changes: &[PackedChange],
        tail: Option<PackedChange>,
        encoded: &mut EncodedNode,
    ) -> Result<(), StoreFull> {
        copy(&decoded.encoded, encoded);
        let encoding = decoded.known.get(encoded.encoding);
        let fits = set_changes(encoding, encoded, changes);
        if !(tail.is_none_or(|tail| set_changes(encoding, encoded, &[tail])) && fits) {
            let mut numbers = decoded.numbers.clone();
            changes.iter().chain(&tail).map(PartChange::unpack).for_each(|c| numbers[c.part as usize] = c.number);
            let layout = encoding.layout.clone();
            self.encode_numbers(&mut decoded.known, &layout, &numbers, encoded)?;
        }
        encoded.finish();
        self.prefetch(encoded);
        Ok(())
    }

    /// Adds the nodes of a batch; appends the id of each and whether it is new. All are looked up before any is compared, so
    /// that their cache misses overlap. Successors of neighbours are often equal. `expect` is called with the ids of those
    /// that are probably known.
    pub(super) fn insert_all(
        &self,
        decoded: &mut DecodedState,
        batch: &mut Batch,
        inserted: &mut Vec<(StateId, bool)>,
        expect: impl Fn(StateId),
    ) -> Result<(), StoreFull> {
        let nodes = batch.encoded();
        if nodes.len() >= MANY {
            find_duplicates(nodes);
        }
        for node in &mut *nodes {
            if let Lookup::Found(_) | Lookup::Duplicate(_) = node.lookup {
                continue;
            }
            if let Some(id) = self.index.guess(node.probe, node.page) {
                node.lookup = Lookup::Candidate(id);
                self.rows.prefetch(id);
                expect(StateId(id));
            }
        }
        let DecodedState { known, block, .. } = decoded;
        for node in &*nodes {
            inserted.push(match node.lookup {
                Lookup::Found(id) => (StateId(id), false),
                Lookup::Duplicate(other) => (inserted[other as usize].0, false),
                Lookup::Candidate(id) if is_row(self.rows.get(id), node) => (StateId(id), false),
                Lookup::Candidate(_) => self.insert_encoded(node, true, known, block)?,
                Lookup::Missing => self.insert_encoded(node, false, known, block)?,
            });
        }
        Ok(())
    }

    /// Encodes a node that differs from the decoded one in `decoded.changes`; sets the numbers of these parts.
    fn encode_changed(&self, decoded: &mut DecodedState, node: &[u8], next: &mut EncodedNode) -> Result<(), StoreFull> {
        let DecodedState { encoded, changes, numbers, hashes, recent, known, .. } = decoded;
        copy(encoded, next);
        let encoding = known.get(next.encoding);
        let layout = &encoding.layout;
        let mut fits = true;
        for change in changes.iter_mut() {
            let part = change.part as usize;
            let bytes = &node[layout.parts[part].clone()];
            change.number = self.parts.insert(recent, &layout.columns[part], bytes, change.hash)?;
            fits &= encoding.set(next.words.get_mut(), part, change.number);
            next.sum = next.sum.wrapping_sub(hashes[part]).wrapping_add(change.hash);
        }
        if !fits {
            let mut numbers = numbers.clone();
            changes.iter().for_each(|c| numbers[c.part as usize] = c.number);
            let layout = layout.clone();
            self.encode_numbers(known, &layout, &numbers, next)?;
        }
        next.finish();
        Ok(())
    }

    /// The layout of a node.
    fn layout_of(&self, decoded: &mut DecodedState, node: &[u8]) -> Arc<RowLayout> {
        self.partition.bounds(node, &mut decoded.bounds);
        let known = decoded.layout_of_bytes().filter(|layout| layout.bounds == decoded.bounds);
        known.cloned().unwrap_or_else(|| self.encodings.layout(&decoded.bounds, &self.parts))
    }

    /// Adds a node whose layout is not that of the decoded one, and makes it the decoded one.
    fn insert_decoded(&self, decoded: &mut DecodedState, node: &[u8]) -> Result<(StateId, bool), StoreFull> {
        // Nothing is decoded until the insertion has succeeded.
        (decoded.id, decoded.next_id) = (None, None);
        let layout = self.layout_of(decoded, node);
        decoded.layout_of = None;
        decoded.bytes.clear();
        decoded.bytes.extend_from_slice(node);
        let (mut numbers, mut hashes) = (std::mem::take(&mut decoded.numbers), std::mem::take(&mut decoded.hashes));
        let mut encoded = std::mem::take(&mut decoded.encoded);
        numbers.clear();
        hashes.clear();
        let on_part = |number, hash| {
            numbers.push(number);
            hashes.push(hash);
        };
        self.encode_whole(decoded, &layout, node, &mut encoded, on_part)?;
        decoded.decoded.clone_from(&numbers);
        decoded.layout_of = Some(encoded.encoding);
        (decoded.numbers, decoded.hashes, decoded.encoded) = (numbers, hashes, encoded);
        let (id, new) = self.insert_encoded(&decoded.encoded, true, &decoded.known, &mut decoded.block)?;
        decoded.id = Some(id);
        Ok((id, new))
    }

    /// Encodes a node of a layout; calls `on_part` with the number and the hash of each part.
    fn encode_whole(
        &self,
        decoded: &mut DecodedState,
        layout: &Arc<RowLayout>,
        node: &[u8],
        encoded: &mut EncodedNode,
        mut on_part: impl FnMut(u32, u64),
    ) -> Result<(), StoreFull> {
        let mut numbers = Vec::new();
        encoded.sum = layout.hash;
        for (column, range) in layout.columns.iter().zip(&layout.parts) {
            let bytes = &node[range.clone()];
            let hash = column.hash(bytes);
            let number = self.parts.insert(&mut decoded.recent, column, bytes, hash)?;
            on_part(number, hash);
            numbers.push(number);
            encoded.sum = encoded.sum.wrapping_add(hash);
        }
        self.encode_numbers(&mut decoded.known, layout, &numbers, encoded)
    }

    /// Encodes a node, whose sum is set, in an encoding that has enough bits.
    pub(super) fn encode_numbers(
        &self,
        known: &mut KnownEncodings,
        layout: &Arc<RowLayout>,
        numbers: &[u32],
        node: &mut EncodedNode,
    ) -> Result<(), StoreFull> {
        let encoding = self.encodings.encoding(layout, numbers)?;
        self.encodings.update(known);
        pack(node, known.get(encoding), numbers.iter().copied());
        Ok(())
    }

    /// Adds an encoded node. With `lookup`, it is looked up without a lock first.
    fn insert_encoded(
        &self,
        node: &EncodedNode,
        lookup: bool,
        known: &KnownEncodings,
        block: &mut Block,
    ) -> Result<(StateId, bool), StoreFull> {
        let is = |id: u32| self.is(id, node, known);
        if lookup && let Some(id) = self.index.find(node.probe, is) {
            return Ok((StateId(id), false));
        }
        let make = || self.rows.push(block, node.words.get());
        let (id, new) = self.index.insert(node.probe, is, make, |id| self.hash(StateId(id)))?;
        Ok((StateId(id), new))
    }

    /// Whether an id names an encoded node.
    #[inline]
    fn is(&self, id: u32, node: &EncodedNode, known: &KnownEncodings) -> bool {
        let row = self.rows.get(id);
        is_row(row, node) || self.is_in_other_encoding(row, node, known.get(node.encoding), known)
    }

    /// Whether a row is the same node in another encoding of the same layout.
    fn is_in_other_encoding(
        &self,
        row: &[AtomicU32],
        node: &EncodedNode,
        encoding: &Encoding,
        known: &KnownEncodings,
    ) -> bool {
        let number = encoding_of(row);
        number != encoding.number
            && stored_sum(row) == node.sum
            && self.encodings.with(number, known, |other| {
                let same = |part| other.get_stored(row, part) == encoding.get(node.words.get(), part);
                Arc::ptr_eq(&other.layout, &encoding.layout) && (0..encoding.layout.columns.len()).all(same)
            })
    }

    /// Makes a stored node the decoded one; its bytes are decoded later.
    pub(super) fn open(&self, decoded: &mut DecodedState, id: StateId) {
        self.encodings.update(&mut decoded.known);
        let row = self.rows.get(id.0);
        let number = encoding_of(row);
        let DecodedState { encoded, known, .. } = &mut *decoded;
        let newest = known.newest(number);
        encoded.sum = stored_sum(row);
        if newest.number == number {
            encoded.words.reset(newest.words);
            encoded.words.get_mut().iter_mut().zip(row).for_each(|(to, word)| *to = load(word));
            encoded.encoding = number;
        } else {
            // Its successors need the wider fields of the newest encoding.
            let encoding = known.get(number);
            let parts = 0..encoding.layout.columns.len();
            pack(encoded, newest, parts.map(|part| encoding.get_stored(row, part)));
        }
        decoded.open(id);
    }

    /// Prefetches a stored node.
    #[inline]
    pub(super) fn prefetch_node(&self, id: StateId) {
        self.rows.prefetch(id.0);
    }

    /// Decodes the bytes of the decoded node that are out of date, and lends them all.
    pub(super) fn decode_bytes<'d>(&self, decoded: &'d mut DecodedState) -> &'d [u8] {
        let DecodedState { numbers, decoded, hashes, bytes, layout_of, known, .. } = decoded;
        let layout = &known.get(layout_of.expect("a node is decoded")).layout;
        for (part, (&number, decoded)) in numbers.iter().zip(decoded).enumerate() {
            if number != *decoded {
                *decoded = number;
                let bytes = &mut bytes[layout.parts[part].clone()];
                hashes[part] = self.parts.read(&layout.columns[part], number, bytes);
            }
        }
        bytes
    }

    /// Reads a stored node.
    pub(super) fn read(&self, id: StateId, bytes: &mut Vec<u8>) {
        let row = self.rows.get(id.0);
        let encoding = self.encodings.get(encoding_of(row));
        let layout = &encoding.layout;
        bytes.clear();
        bytes.resize(layout.part_of.len(), 0);
        for (part, column) in layout.columns.iter().enumerate() {
            self.parts.read(column, encoding.get_stored(row, part), &mut bytes[layout.parts[part].clone()]);
        }
    }

    /// The hash of a stored node.
    pub(super) fn hash(&self, id: StateId) -> u64 {
        hash_of_sum(stored_sum(self.rows.get(id.0)))
    }
}

/// Finds equal nodes among nodes whose lookup is `Missing` or `Found`.
fn find_duplicates(nodes: &mut [EncodedNode]) {
    let mut latest = [u32::MAX; DUPLICATE_SLOTS];
    for at in 0..nodes.len() {
        let (before, node) = nodes.split_at_mut(at);
        let node = &mut node[0];
        if let Lookup::Found(_) = node.lookup {
            continue;
        }
        let slot = &mut latest[node.sum as usize % DUPLICATE_SLOTS];
        match before.get(*slot as usize) {
            Some(other) if other.words.equal(&node.words) => node.lookup = Lookup::Duplicate(*slot),
            _ => *slot = at as u32,
        }
    }
}

/// Starts to encode a node that differs little from another.
#[inline]
fn copy(node: &EncodedNode, next: &mut EncodedNode) {
    next.words.copy_from(&node.words);
    (next.encoding, next.sum) = (node.encoding, node.sum);
}

/// Changes parts of an encoded node; false if a field is too narrow.
#[inline]
fn set_changes(encoding: &Encoding, node: &mut EncodedNode, changes: &[PackedChange]) -> bool {
    let (words, mut sum, mut fits) = (node.words.get_mut(), node.sum, true);
    for change in changes.iter().map(PartChange::unpack) {
        fits &= encoding.set(words, change.part as usize, change.number);
        sum = sum.wrapping_add(change.hash);
    }
    node.sum = sum;
    fits
}

/// Packs the part numbers of a node, whose sum is set.
fn pack(node: &mut EncodedNode, encoding: &Encoding, numbers: impl Iterator<Item = u32>) {
    encoding.begin(&mut node.words);
    for (part, number) in numbers.enumerate() {
        encoding.set(node.words.get_mut(), part, number);
    }
    node.encoding = encoding.number;
    node.finish();
}

/// Whether a stored row is that of an encoded node.
#[inline]
fn is_row(row: &[AtomicU32], node: &EncodedNode) -> bool {
    row.iter().zip(node.words.get()).all(|(a, &b)| load(a) == b)
}
