//! Successors that are inserted into the store together.

use lurcher_system::ProcessId;

use super::parent_table::Parent;
use crate::store::{Batch, CollapseTable, DecodedState, EncodedNode, MAX_PART, PackedChange, SharedStore, StoreFull};
use crate::transition_cache::EdgeMetadata;

/// An edge to a node that is not inserted yet.
#[derive(Clone, Copy)]
pub(crate) struct PendingEdge {
    pub from: Parent,
    pub length: u32,
    /// The edge leads to a state that counts as stored.
    pub counts: bool,
    /// The process that moves, if the system does; and the receiver, if it begins with a rendezvous.
    pub mover: Option<ProcessId>,
    pub partner: Option<ProcessId>,
}

/// Nodes that are not inserted yet, and the edges to them.
#[derive(Default)]
pub(crate) struct PendingNodes {
    pub batch: Batch,
    pub edges: Vec<PendingEdge>,
}

impl PendingNodes {
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// The bytes of a node. Chains may have changed a node since it was pushed, so nodes with parts are decoded.
    pub fn bytes<'d>(&'d mut self, store: &SharedStore, decoded: &'d mut DecodedState, index: usize) -> &'d [u8] {
        match store.collapsed() {
            Some(table) => table.decode(decoded, &self.batch.encoded()[index]),
            None => self.batch.get(index),
        }
    }

    /// Keeps only the first nodes.
    pub fn truncate(&mut self, len: usize) {
        self.batch.truncate(len);
        self.edges.truncate(len);
    }
}

/// A node with parts, and the successors that an [`Expander`](crate::Expander) finds. Successors are named by their position.
pub struct SuccessorBatch<'a> {
    table: &'a CollapseTable,
    store: &'a SharedStore,
    node: &'a mut DecodedState,
    pending: &'a mut PendingNodes,
    from: Parent,
    mover: Option<ProcessId>,
    /// The position of the first successor among the pending nodes.
    first: usize,
}

impl<'a> SuccessorBatch<'a> {
    /// An empty batch for the decoded node; none if nodes have no parts.
    pub(crate) fn new(
        store: &'a SharedStore,
        node: &'a mut DecodedState,
        pending: &'a mut PendingNodes,
        from: Parent,
    ) -> Option<Self> {
        let first = pending.len();
        Some(SuccessorBatch { table: store.collapsed()?, store, node, pending, from, mover: None, first })
    }

    /// The node. Its bytes may be out of date until it is loaded.
    #[inline]
    pub(crate) fn node(&self) -> &DecodedState {
        self.node
    }

    /// The bytes of the node.
    pub(crate) fn load(&mut self) -> &[u8] {
        self.store.load(self.node, self.from.id())
    }

    /// Number of successors.
    pub(crate) fn len(&self) -> usize {
        self.pending.len() - self.first
    }

    /// The following successors are moves of a process.
    pub(crate) fn set_mover(&mut self, process: ProcessId) {
        self.mover = Some(process);
    }

    /// Adds a successor of the loaded node. Returns whether it has the same layout.
    pub(crate) fn push(&mut self, node: &[u8], edge: EdgeMetadata) -> Result<bool, StoreFull> {
        let same_layout = self.table.add(self.node, node, &mut self.pending.batch)?;
        self.push_edge(edge);
        Ok(same_layout)
    }

    /// Adds a successor by its changes from the node, and by the change of the tail, if nodes have one.
    #[inline]
    pub(crate) fn push_changes(
        &mut self,
        changes: &[PackedChange],
        tail: Option<PackedChange>,
        edge: EdgeMetadata,
    ) -> Result<(), StoreFull> {
        self.table.add_changed(self.node, changes, tail, &mut self.pending.batch)?;
        self.push_edge(edge);
        Ok(())
    }

    #[inline]
    fn push_edge(&mut self, edge: EdgeMetadata) {
        let (length, counts, partner) = (edge.length, edge.counts(), edge.partner);
        self.pending.edges.push(PendingEdge { from: self.from, length, counts, mover: self.mover, partner });
    }

    /// Copies a part of the node; returns its bytes.
    #[inline]
    pub(crate) fn read_part<'b>(&self, part: usize, bytes: &'b mut [u8; MAX_PART]) -> &'b [u8] {
        self.table.read_part(self.node, part, bytes)
    }

    /// The change that replaces a part of the node by these bytes.
    #[inline]
    pub(crate) fn change_of_part(&mut self, part: usize, bytes: &[u8]) -> Result<PackedChange, StoreFull> {
        self.table.change_of_part(self.node, part, bytes)
    }

    /// The table, the decoded node and an encoded successor.
    #[inline]
    fn encoded(&mut self, successor: usize) -> (&'a CollapseTable, &mut DecodedState, &mut EncodedNode) {
        (self.table, self.node, &mut self.pending.batch.encoded()[self.first + successor])
    }

    /// Whether a successor is stored. With `except_first`, the first node that was stored does not count.
    pub(crate) fn is_stored(&mut self, successor: usize, except_first: bool) -> bool {
        let (table, node, encoded) = self.encoded(successor);
        table.find(node, encoded).is_some_and(|id| !except_first || id.0 > 0)
    }

    /// The row of a successor.
    #[inline]
    pub(crate) fn row(&mut self, successor: usize) -> &[u32] {
        self.encoded(successor).2.row()
    }

    /// Replaces a successor by the node with another row, in the same encoding.
    pub(crate) fn set_row(&mut self, successor: usize, row: &[u32]) {
        self.encoded(successor).2.set_row(row);
    }

    /// Changes a successor. False if it needs a new encoding; it is invalid then until it is replaced.
    #[inline]
    pub(crate) fn change(&mut self, successor: usize, changes: &[PackedChange]) -> bool {
        let (table, node, encoded) = self.encoded(successor);
        table.change(node, encoded, changes)
    }

    /// Ends the changes of a successor.
    pub(crate) fn finish_changes(&mut self, successor: usize, counts: bool) {
        self.pending.edges[self.first + successor].counts = counts;
        let (table, _, encoded) = self.encoded(successor);
        table.prefetch(encoded);
    }

    /// The number of a part of a successor.
    pub(crate) fn number_in(&mut self, successor: usize, part: usize) -> u32 {
        let (table, node, encoded) = self.encoded(successor);
        table.number_in(node, encoded, part)
    }

    /// The edges to all successors.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &PendingEdge> {
        self.pending.edges[self.first..].iter()
    }

    /// Adds a copy of a successor that ends with other bytes.
    pub(crate) fn push_copy(&mut self, successor: usize, suffix: &[u8]) -> Result<(), StoreFull> {
        let edge = self.pending.edges[self.first + successor];
        self.table.add_copy(self.node, self.first + successor, suffix, &mut self.pending.batch)?;
        self.pending.edges.push(edge);
        Ok(())
    }

    /// Replaces the last bytes of a successor.
    pub(crate) fn set_suffix(&mut self, successor: usize, suffix: &[u8]) -> Result<(), StoreFull> {
        let (table, node, encoded) = self.encoded(successor);
        table.set_suffix(node, encoded, suffix)
    }

    /// Replaces a successor by the one with these changes from the node.
    pub(crate) fn replace_changed(
        &mut self,
        successor: usize,
        changes: &[PackedChange],
        tail: Option<PackedChange>,
    ) -> Result<(), StoreFull> {
        let (table, node, encoded) = self.encoded(successor);
        table.encode_changes(node, changes, tail, encoded)
    }

    /// Replaces a successor by another node.
    pub(crate) fn replace(&mut self, successor: usize, bytes: &[u8], counts: bool) -> Result<(), StoreFull> {
        self.pending.edges[self.first + successor].counts = counts;
        let (table, node, encoded) = self.encoded(successor);
        table.encode(node, bytes, encoded).map(drop)
    }

    /// Decodes a successor.
    pub(crate) fn decode<'d>(&mut self, decoded: &'d mut DecodedState, successor: usize) -> &'d [u8] {
        let (table, _, encoded) = self.encoded(successor);
        table.decode(decoded, encoded)
    }

    /// Finds the parts in which a node differs from the loaded node. Returns whether both have the same layout.
    pub(crate) fn compare(&mut self, node: &[u8]) -> Result<bool, StoreFull> {
        self.table.compare(self.node, node)
    }

    /// The same for a decoded successor instead of the loaded node.
    pub(crate) fn compare_with(&self, decoded: &mut DecodedState, node: &[u8]) -> Result<bool, StoreFull> {
        self.table.compare(decoded, node)
    }
}
