//! Colours of nodes, shared by all threads.

use crate::store::{AtomicU32, MemoryLimit, Ordering, StableArray, StateId, StoreFull};

/// A blue search has left the node.
pub(super) const BLUE: u32 = 1;
/// No accepting cycle passes the node.
pub(super) const RED: u32 = 2;

/// Nodes per word.
const PER_WORD: u64 = 16;

/// Two bits for each node.
pub(super) struct Colours {
    words: StableArray<AtomicU32>,
}

impl Colours {
    pub fn new() -> Self {
        Colours { words: StableArray::new(10, &MemoryLimit::new(None)) }
    }

    pub fn memory(&self) -> u64 {
        self.words.limit().used()
    }

    /// Makes room for a new node.
    pub fn prepare(&self, id: StateId) -> Result<(), StoreFull> {
        match u64::from(id.0).is_multiple_of(PER_WORD) {
            true => self.words.prepare(u64::from(id.0) / PER_WORD, 1),
            false => Ok(()),
        }
    }

    fn position(id: StateId) -> (u64, u32) {
        (u64::from(id.0) / PER_WORD, 2 * (u64::from(id.0) % PER_WORD) as u32)
    }

    /// Whether a node has a colour.
    pub fn has(&self, id: StateId, colour: u32) -> Result<bool, StoreFull> {
        let (word, shift) = Colours::position(id);
        Ok(self.words.reach(word)?.load(Ordering::Acquire) >> shift & colour != 0)
    }

    /// Adds a colour to a node.
    pub fn add(&self, id: StateId, colour: u32) -> Result<(), StoreFull> {
        let (word, shift) = Colours::position(id);
        self.words.reach(word)?.fetch_or(colour << shift, Ordering::AcqRel);
        Ok(())
    }
}
