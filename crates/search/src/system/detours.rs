//! Where nodes lead that are never stored: a node in the middle of a chain of single steps is met by many ways.

/// Nodes that are remembered at first, and at most.
const FIRST: usize = 1 << 8;
const MOST: usize = 1 << 14;
/// After so many questions it is asked whether remembering pays: whether one in so many was answered.
const PATIENCE: u32 = 1 << 14;
const WORTH: u32 = 4;

/// A node in the middle of a chain, and the node where the chain ends.
#[derive(Clone, Debug)]
struct Detour<T> {
    from: Vec<T>,
    to: Vec<T>,
}

/// Ends of chains that were met lately. Nodes are lists of bytes, or of words.
#[derive(Debug)]
pub(super) struct Detours<T> {
    slots: Vec<Detour<T>>,
    /// How many were remembered since there are so many slots.
    remembered: usize,
    bytes: u64,
    asked: u32,
    answered: u32,
    /// It does not pay.
    vain: bool,
}

impl<T> Default for Detours<T> {
    fn default() -> Self {
        Detours { slots: Vec::new(), remembered: 0, bytes: 0, asked: 0, answered: 0, vain: false }
    }
}

impl<T: Copy + PartialEq> Detours<T> {
    /// Are chains met seldom twice? Then nothing need be asked or remembered.
    pub fn are_vain(&self) -> bool {
        self.vain
    }

    /// The end of the chain that leads through a node of this hash.
    pub fn find(&mut self, hash: u64, node: &[T]) -> Option<&[T]> {
        self.asked += 1;
        if self.asked == PATIENCE {
            self.vain = self.answered * WORTH < self.asked;
            (self.asked, self.answered) = (0, 0);
            if self.vain {
                (self.slots, self.bytes) = (Vec::new(), 0);
            }
        }
        let slot = (hash as usize).checked_rem(self.slots.len())?;
        let detour = Some(&self.slots[slot]).filter(|d| d.from == node)?;
        self.answered += 1;
        Some(&detour.to)
    }

    /// Remembers one.
    pub fn remember(&mut self, hash: u64, from: &[T], to: &[T]) {
        if self.vain {
            return;
        }
        if self.remembered >= self.slots.len() && self.slots.len() < MOST {
            let slots = (self.slots.len() * 4).clamp(FIRST, MOST);
            self.slots = vec![Detour { from: Vec::new(), to: Vec::new() }; slots];
            (self.remembered, self.bytes) = (0, 0);
        }
        self.remembered += 1;
        let slot = hash as usize % self.slots.len();
        let Detour { from: known, to: end } = &mut self.slots[slot];
        let size = |a: &Vec<T>, b: &Vec<T>| ((a.capacity() + b.capacity()) * size_of::<T>()) as u64;
        self.bytes -= size(known, end);
        for (old, new) in [(&mut *known, from), (&mut *end, to)] {
            old.clear();
            old.extend_from_slice(new);
        }
        self.bytes += size(known, end);
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.bytes + (self.slots.len() * size_of::<Detour<T>>()) as u64
    }
}
