//! Where edges lead that were followed: nodes to be stored together.

use super::reached::Parent;
use crate::recall::Going;
use crate::store::{Batch, Packed, SharedStore, StateId, StoreFull, Unfolded};

/// The way over an edge.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    /// Where it begins.
    pub from: Parent,
    pub length: u32,
    /// It leads to a state that counts.
    pub counts: bool,
}

/// The unfolded node of a store, and where its successors go.
pub struct Offspring<'a> {
    pub(super) store: &'a SharedStore,
    pub(super) here: &'a mut Unfolded,
    pub(super) ahead: &'a mut Ahead,
    pub(super) from: Parent,
    /// How many others were there before.
    pub(super) before: usize,
}

impl Offspring<'_> {
    /// The node; its bytes may be missing until it is loaded.
    #[inline]
    pub(crate) fn node(&self) -> &Unfolded {
        self.here
    }

    /// The bytes of the node.
    pub(crate) fn load(&mut self) -> &[u8] {
        self.store.load(self.here, self.from.id())
    }

    /// Number of successors.
    pub(crate) fn len(&self) -> usize {
        self.ahead.len() - self.before
    }

    /// Adds a successor. Says whether it differs from the node in parts that are known then.
    pub(crate) fn put(&mut self, node: &[u8], going: Going) -> Result<bool, StoreFull> {
        self.ahead.put(self.store, self.here, node, self.way(going))
    }

    /// Is the successor of this number in the store?
    pub(crate) fn is_stored(&mut self, number: usize) -> bool {
        self.store.has(self.here, &mut self.ahead.batch, self.before + number)
    }

    /// The words that a successor is written in; they name their form, so no other node has the same.
    pub(crate) fn words(&self, number: usize) -> &[u32] {
        self.ahead.batch.words(self.before + number)
    }

    /// Makes a successor the node that has other words, of the same form.
    pub(crate) fn set_words(&mut self, number: usize, words: &[u32]) {
        self.ahead.batch.set_words(self.before + number, words);
    }

    /// Changes a successor. False when that cannot be written down; then it has to be put anew.
    #[inline]
    pub(crate) fn alter(&mut self, number: usize, changes: &[Packed]) -> bool {
        self.store.alter(self.here, &mut self.ahead.batch, self.before + number, changes)
    }

    /// Notes that a successor which was changed is where it is to be.
    pub(crate) fn settle(&mut self, number: usize) {
        self.ahead.ways[self.before + number].counts = true;
        self.store.prefetch(&mut self.ahead.batch, self.before + number);
    }

    /// Puts a successor anew, by the parts in which it differs from the node.
    pub(crate) fn put_anew(&mut self, number: usize, changes: &[Packed]) -> Result<(), StoreFull> {
        self.store.rewrite_known(self.here, changes, &mut self.ahead.batch, self.before + number)
    }

    /// Lays a successor open.
    pub(crate) fn load_successor<'h>(&mut self, there: &'h mut Unfolded, number: usize) -> &'h [u8] {
        self.store.load_written(there, &mut self.ahead.batch, self.before + number)
    }

    /// Finds the parts in which a node differs from the node itself, which was loaded, or from one that was laid open.
    /// Says whether both are cut in the same way.
    pub(crate) fn compare(&mut self, open: Option<&mut Unfolded>, node: &[u8]) -> Result<bool, StoreFull> {
        self.store.compare(open.unwrap_or(self.here), node)
    }

    /// Forgets all successors.
    pub(crate) fn clear(&mut self) {
        self.ahead.truncate(self.before);
    }

    /// Puts another node in the place of a successor.
    pub(crate) fn replace(&mut self, number: usize, node: &[u8], counts: bool) -> Result<(), StoreFull> {
        let number = self.before + number;
        self.ahead.ways[number].counts = counts;
        self.store.rewrite(self.here, node, &mut self.ahead.batch, number)
    }

    /// Adds a successor by the parts in which it differs from the node.
    #[inline]
    pub(crate) fn put_known(&mut self, changes: &[Packed], going: Going) -> Result<(), StoreFull> {
        self.ahead.put_known(self.store, self.here, changes, self.way(going))
    }

    #[inline]
    fn way(&self, going: Going) -> Way {
        Way { from: self.from, length: going.length, counts: going.counts }
    }
}

/// Nodes, and the ways that led there.
#[derive(Default)]
pub(crate) struct Ahead {
    batch: Batch,
    ways: Vec<Way>,
}

impl Ahead {
    pub fn len(&self) -> usize {
        self.ways.len()
    }

    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Keeps only the first nodes.
    pub fn truncate(&mut self, len: usize) {
        self.batch.truncate(len);
        self.ways.truncate(len);
    }

    /// A node, as far as its bytes are known.
    pub fn node(&self, index: usize) -> &[u8] {
        self.batch.get(index)
    }

    /// The ways to all nodes.
    pub fn ways(&self) -> &[Way] {
        &self.ways
    }

    /// Adds a node. Says whether it differs from the unfolded one in parts that are known then.
    pub fn put(&mut self, store: &SharedStore, here: &mut Unfolded, node: &[u8], way: Way) -> Result<bool, StoreFull> {
        let alike = store.add(here, node, &mut self.batch)?;
        self.ways.push(way);
        Ok(alike)
    }

    /// Adds a node by the parts in which it differs from the unfolded one.
    #[inline]
    pub fn put_known(
        &mut self,
        store: &SharedStore,
        here: &mut Unfolded,
        changes: &[Packed],
        way: Way,
    ) -> Result<(), StoreFull> {
        store.add_known(here, changes, &mut self.batch)?;
        self.ways.push(way);
        Ok(())
    }

    /// Stores all nodes; says of each which it is and whether it is new.
    pub fn store(
        &mut self,
        store: &SharedStore,
        here: &mut Unfolded,
        found: &mut Vec<(StateId, bool)>,
        expected: impl Fn(StateId),
    ) -> Result<(), StoreFull> {
        store.insert_all(here, &mut self.batch, found, expected)
    }
}
