//! Where nodes lead that are never stored: a node in the middle of a chain of single steps is met by many ways.

use crate::store::hash_of_bytes;

/// Nodes that are remembered.
const REMEMBERED: usize = 1 << 14;
/// After so many questions it is asked whether remembering pays: whether one in so many was answered.
const PATIENCE: u32 = 1 << 14;
const WORTH: u32 = 4;

/// A node in the middle of a chain, and the node where the chain ends.
#[derive(Clone, Debug, Default)]
struct Detour {
    from: Vec<u8>,
    to: Vec<u8>,
}

/// Ends of chains that were met lately.
#[derive(Debug, Default)]
pub(super) struct Detours {
    slots: Vec<Detour>,
    bytes: u64,
    asked: u32,
    answered: u32,
    /// It does not pay.
    vain: bool,
}

impl Detours {
    /// Are chains met seldom twice? Then nothing need be asked or remembered.
    pub fn are_vain(&self) -> bool {
        self.vain
    }

    /// The end of the chain that leads through a node.
    pub fn find(&mut self, node: &[u8]) -> Option<&[u8]> {
        self.asked += 1;
        if self.asked == PATIENCE {
            self.vain = self.answered * WORTH < self.asked;
            (self.asked, self.answered) = (0, 0);
        }
        let detour = self.slots.get(slot(node)).filter(|d| d.from == node)?;
        self.answered += 1;
        Some(&detour.to)
    }

    /// Remembers one.
    pub fn remember(&mut self, from: &[u8], to: &[u8]) {
        self.slots.resize(REMEMBERED, Detour::default());
        let Detour { from: known, to: end } = &mut self.slots[slot(from)];
        self.bytes -= (known.capacity() + end.capacity()) as u64;
        for (old, new) in [(&mut *known, from), (&mut *end, to)] {
            old.clear();
            old.extend_from_slice(new);
        }
        self.bytes += (known.capacity() + end.capacity()) as u64;
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.bytes + (self.slots.len() * size_of::<Detour>()) as u64
    }
}

fn slot(node: &[u8]) -> usize {
    hash_of_bytes(node) as usize % REMEMBERED
}
