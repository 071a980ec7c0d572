//! A cache of the last nodes of chains: the nodes inside chains are not stored, and many paths lead through them.

/// Slots at first, and at most.
const INITIAL_SLOTS: usize = 1 << 8;
const MAX_SLOTS: usize = 1 << 14;
/// The most bytes of all slots.
const MAX_MEMORY: usize = 1 << 20;
/// Lookups between hit-rate checks.
const LOOKUPS_PER_CHECK: u32 = 1 << 14;
/// The cache is disabled if fewer than one in this many lookups hit.
const LOOKUPS_PER_HIT: u32 = 4;

/// Lengths of the two nodes of a slot: one inside a chain, and the last one of that chain.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    node: u32,
    end: u32,
}

/// The last nodes of chains. A node is a slice of bytes or of words.
#[derive(Debug, Default)]
pub(super) struct ChainCache<T> {
    slots: Vec<Slot>,
    /// The nodes of all slots.
    nodes: Vec<T>,
    /// Elements per slot, enough for the longest pair so far.
    width: usize,
    /// Insertions since the last growth.
    inserted: usize,
    lookups: u32,
    hits: u32,
    /// The hit rate is low.
    disabled: bool,
    /// The hash and the end of each node of the current chain, and these nodes.
    chain: Vec<(u64, usize)>,
    chain_nodes: Vec<T>,
}

impl<T: Copy + Default + PartialEq> ChainCache<T> {
    /// Whether the cache is in use.
    pub fn is_enabled(&self) -> bool {
        !self.disabled
    }

    /// Starts a chain.
    pub fn start(&mut self) {
        self.chain.clear();
        self.chain_nodes.clear();
    }

    /// The last node of the chain that leads through a node. If it is not known, the node is added to the current chain.
    pub fn visit(&mut self, hash: u64, node: &[T]) -> Option<&[T]> {
        if self.disabled {
            return None;
        }
        self.lookups += 1;
        if self.lookups == LOOKUPS_PER_CHECK {
            self.check_hit_rate();
        }
        let hit = (hash as usize).checked_rem(self.slots.len()).filter(|&slot| {
            let len = self.slots[slot].node as usize;
            self.nodes[slot * self.width..][..len] == *node
        });
        let Some(slot) = hit else {
            self.chain_nodes.extend_from_slice(node);
            self.chain.push((hash, self.chain_nodes.len()));
            return None;
        };
        self.hits += 1;
        let Slot { node, end } = self.slots[slot];
        Some(&self.nodes[slot * self.width + node as usize..][..end as usize])
    }

    #[cold]
    fn check_hit_rate(&mut self) {
        self.disabled = self.hits * LOOKUPS_PER_HIT < self.lookups;
        (self.lookups, self.hits) = (0, 0);
        if self.disabled {
            (self.slots, self.nodes) = (Vec::new(), Vec::new());
        }
    }

    /// Caches the last node of the current chain for the nodes visited on it. Without a `hit`, the last one visited is the
    /// last node itself.
    pub fn finish(&mut self, end: &[T], hit: bool) {
        let inside = if hit { self.chain.len() } else { self.chain.len().saturating_sub(1) };
        let mut start = 0;
        for i in 0..if self.disabled { 0 } else { inside } {
            let (hash, stop) = self.chain[i];
            self.insert(hash, start..stop, end);
            start = stop;
        }
    }

    fn insert(&mut self, hash: u64, node: std::ops::Range<usize>, end: &[T]) {
        let len = node.len();
        let grow = self.inserted >= self.slots.len() && self.slots.len() < self.max_slots();
        if grow || len + end.len() > self.width {
            self.reallocate(grow, len + end.len());
        }
        self.inserted += 1;
        let slot = hash as usize % self.slots.len();
        self.slots[slot] = Slot { node: len as u32, end: end.len() as u32 };
        let (to, rest) = self.nodes[slot * self.width..].split_at_mut(len);
        to.copy_from_slice(&self.chain_nodes[node]);
        rest[..end.len()].copy_from_slice(end);
    }

    fn max_slots(&self) -> usize {
        (MAX_MEMORY / (self.width * size_of::<T>()).max(1)).clamp(1, MAX_SLOTS)
    }

    /// Empties the cache; makes slots at least this wide and, with `grow`, four times as many.
    #[cold]
    fn reallocate(&mut self, grow: bool, width: usize) {
        self.width = self.width.max(width);
        let slots = if grow { (self.slots.len() * 4).max(INITIAL_SLOTS) } else { self.slots.len() };
        let slots = slots.min(self.max_slots());
        self.slots = vec![Slot::default(); slots];
        self.nodes = vec![T::default(); slots * self.width];
        self.inserted = 0;
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (size_of_val(&*self.slots) + size_of_val(&*self.nodes)) as u64
    }
}
