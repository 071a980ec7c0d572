//! Nodes to be stored together, so that memory is waited for once.

use super::unfolded::Written;

/// Nodes that are worth storing together.
pub const TOGETHER: usize = 64;

/// Nodes in one piece of memory, and what they are written as.
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// By node, as far as the store writes nodes; behind them, some to be used again.
    written: Vec<Written>,
}

impl Batch {
    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Keeps only the first nodes.
    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Adds a node, whose next writing is done.
    pub(super) fn push(&mut self, node: &[u8]) {
        self.bytes.extend_from_slice(node);
        self.ends.push(self.bytes.len());
    }

    /// Adds a node whose bytes are not known, and whose next writing is done.
    #[inline]
    pub(super) fn push_unknown(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// Where the next node is to be written.
    #[inline]
    pub(super) fn next(&mut self) -> &mut Written {
        let at = self.len();
        if self.written.len() == at {
            self.written.push(Written::default());
        }
        &mut self.written[at]
    }

    /// What the nodes are written as.
    pub(super) fn written(&mut self) -> &mut [Written] {
        let len = self.len();
        &mut self.written[..len]
    }

    /// The words that a node is written in; they name their form, so no other node has the same.
    pub(crate) fn words(&self, index: usize) -> &[u32] {
        self.written[index].words.get()
    }

    /// Makes a node the one that has other words, of the same form.
    pub(crate) fn set_words(&mut self, index: usize, words: &[u32]) {
        self.written[index].set_words(words);
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A node.
    ///
    /// # Panics
    /// When there is none of this number.
    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }

    /// All nodes in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|i| self.get(i))
    }
}
