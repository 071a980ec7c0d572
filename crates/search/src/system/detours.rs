//! Where nodes lead that are never stored: a node in the middle of a chain of single steps is met by many ways.

/// Nodes that are remembered at first, and at most.
const FIRST: usize = 1 << 8;
const MOST: usize = 1 << 14;
/// The most bytes that they take.
const MEMORY: usize = 1 << 20;
/// After so many questions it is asked whether remembering pays: whether one in so many was answered.
const PATIENCE: u32 = 1 << 14;
const WORTH: u32 = 4;

/// How long the two nodes of a slot are: one in the middle of a chain, and the one where the chain ends.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    from: u32,
    to: u32,
}

/// Ends of chains that were met lately. Nodes are lists of bytes, or of words.
#[derive(Debug, Default)]
pub(super) struct Detours<T> {
    slots: Vec<Pair>,
    /// The nodes of the slots, one slot behind the other.
    nodes: Vec<T>,
    /// What a slot takes there: as much as the longest pair so far.
    width: usize,
    /// How many were remembered since there are so many slots.
    remembered: usize,
    asked: u32,
    answered: u32,
    /// It does not pay.
    vain: bool,
}

impl<T: Copy + Default + PartialEq> Detours<T> {
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
                (self.slots, self.nodes) = (Vec::new(), Vec::new());
            }
        }
        let slot = (hash as usize).checked_rem(self.slots.len())?;
        let Pair { from, to } = self.slots[slot];
        let (known, rest) = self.nodes[slot * self.width..].split_at(from as usize);
        if known != node {
            return None;
        }
        self.answered += 1;
        Some(&rest[..to as usize])
    }

    /// Remembers one.
    pub fn remember(&mut self, hash: u64, from: &[T], to: &[T]) {
        if self.vain {
            return;
        }
        let many = self.remembered >= self.slots.len() && self.slots.len() < self.most();
        if many || from.len() + to.len() > self.width {
            self.make_room(many, from.len() + to.len());
        }
        self.remembered += 1;
        let slot = hash as usize % self.slots.len();
        self.slots[slot] = Pair { from: from.len() as u32, to: to.len() as u32 };
        let (known, rest) = self.nodes[slot * self.width..].split_at_mut(from.len());
        known.copy_from_slice(from);
        rest[..to.len()].copy_from_slice(to);
    }

    /// The most slots of this width.
    fn most(&self) -> usize {
        (MEMORY / (self.width * size_of::<T>()).max(1)).clamp(1, MOST)
    }

    /// Makes slots for pairs of at least this length, four times as many where there are too few, and forgets all.
    #[cold]
    fn make_room(&mut self, more: bool, width: usize) {
        self.width = self.width.max(width);
        let slots = if more { (self.slots.len() * 4).max(FIRST) } else { self.slots.len() };
        let slots = slots.min(self.most());
        self.slots = vec![Pair::default(); slots];
        self.nodes = vec![T::default(); slots * self.width];
        self.remembered = 0;
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (size_of_val(&*self.slots) + size_of_val(&*self.nodes)) as u64
    }
}
