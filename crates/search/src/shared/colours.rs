//! Colours of nodes that all threads see.

use crate::store::{Allowance, AtomicU32, Ordering, Row, StateId, StoreFull};

/// Its blue search is over.
pub(super) const BLUE: u32 = 1;
/// No accepting cycle passes here.
pub(super) const RED: u32 = 2;

/// Nodes whose colours share a word.
const SHARE: u64 = 16;

/// Two bits for each node.
pub(super) struct Colours {
    row: Row<AtomicU32>,
    allowance: Allowance,
}

impl Colours {
    pub fn new() -> Self {
        Colours { row: Row::new(10), allowance: Allowance::new(None) }
    }

    pub fn memory(&self) -> u64 {
        self.allowance.used()
    }

    /// Makes room for a new node.
    pub fn prepare(&self, id: StateId) -> Result<(), StoreFull> {
        match u64::from(id.0).is_multiple_of(SHARE) {
            true => self.row.prepare(u64::from(id.0) / SHARE, 1, &self.allowance),
            false => Ok(()),
        }
    }

    fn place(id: StateId) -> (u64, u32) {
        (u64::from(id.0) / SHARE, 2 * (u64::from(id.0) % SHARE) as u32)
    }

    /// Has a node this colour?
    pub fn has(&self, id: StateId, colour: u32) -> Result<bool, StoreFull> {
        let (word, shift) = Colours::place(id);
        Ok(self.row.reach(word)?.load(Ordering::Acquire) >> shift & colour != 0)
    }

    /// Gives a node a colour.
    pub fn add(&self, id: StateId, colour: u32) -> Result<(), StoreFull> {
        let (word, shift) = Colours::place(id);
        self.row.reach(word)?.fetch_or(colour << shift, Ordering::AcqRel);
        Ok(())
    }
}
