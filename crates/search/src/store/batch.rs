//! Nodes that are inserted together, so that their cache misses overlap.

use super::decoded_state::EncodedNode;

/// Size from which a batch is worth inserting.
pub(crate) const BATCH_SIZE: usize = 64;

/// Nodes, encoded as far as the store encodes nodes.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// By node; the elements behind the last node are reused.
    encoded: Vec<EncodedNode>,
}

impl Batch {
    /// Keeps only the first nodes.
    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Adds a node that `next` has been set to. Its bytes are empty if they are not known.
    #[inline]
    pub(super) fn push(&mut self, node: &[u8]) {
        self.bytes.extend_from_slice(node);
        self.ends.push(self.bytes.len());
    }

    /// Where the next node is to be encoded.
    #[inline]
    pub(super) fn next(&mut self) -> &mut EncodedNode {
        let at = self.len();
        if self.encoded.len() == at {
            self.encoded.push(EncodedNode::default());
        }
        &mut self.encoded[at]
    }

    /// Where a copy of a node is to be encoded, which has been made.
    pub(super) fn next_copy(&mut self, index: usize) -> &mut EncodedNode {
        self.next();
        let at = self.len();
        let (nodes, next) = self.encoded.split_at_mut(at);
        next[0].clone_from(&nodes[index]);
        &mut next[0]
    }

    /// The encoded nodes.
    #[inline]
    pub fn encoded(&mut self) -> &mut [EncodedNode] {
        let len = self.len();
        &mut self.encoded[..len]
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of a node, if they are known.
    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }
}
