//! The parent and the distance of every node of a breadth-first search.
//!
//! Of all parents on shortest paths, a node keeps the one with the smallest hash. That depends neither on the order in which
//! parents come nor on ids. Of a distance only the remainder is kept: open nodes are less far apart.

use std::cmp::Ordering as Order;

use super::bfs::MAX_EDGE;
use crate::store::{AtomicU64, MemoryLimit, Ordering, SharedStore, StableArray, StateId, StoreFull, prefetch};

/// A parent: its id, and some bits of its hash, never all 0.
#[derive(Clone, Copy)]
pub(crate) struct Parent(u64);

impl Parent {
    /// The parent of the initial node.
    pub const NONE: Parent = Parent(1 << HASH_AT | u32::MAX as u64);

    #[inline]
    pub fn new(id: StateId, hash: u64) -> Self {
        Parent((hash >> (64 - HASH_BITS)).max(1) << HASH_AT | u64::from(id.0))
    }

    #[inline]
    pub fn id(self) -> StateId {
        StateId(self.0 as u32)
    }
}

const CLOSED: u64 = 1 << 63;
const DISTANCE_AT: u32 = 58;
/// Distances of open nodes are less than this apart.
const DISTANCES: u32 = 1 << (63 - DISTANCE_AT);
const _: () = assert!(MAX_EDGE < DISTANCES as usize);
const HASH_AT: u32 = 32;
const HASH_BITS: u32 = DISTANCE_AT - HASH_AT;

/// For every node: whether it is closed (expanded), its distance, some bits of its parent's hash, its parent. Zero if it has
/// not been reached.
pub(super) struct ParentTable {
    words: StableArray<AtomicU64>,
    /// The search has one thread.
    single_thread: bool,
    /// A node keeps its first parent on a shortest path.
    keep_first: bool,
}

impl ParentTable {
    pub fn new(single_thread: bool, keep_first: bool) -> Self {
        ParentTable { words: StableArray::new(10, &MemoryLimit::new(None)), single_thread, keep_first }
    }

    pub fn memory(&self) -> u64 {
        self.words.limit().used()
    }

    /// Notes an edge of this length to a node, from a parent at distance `from`. Returns whether the node is to be opened at
    /// that distance. `new` is true for one of the edges to a node.
    #[inline]
    pub fn note(
        &self,
        store: &SharedStore,
        id: StateId,
        new: bool,
        parent: Parent,
        (from, length): (u32, u32),
    ) -> Result<bool, StoreFull> {
        if new {
            self.words.prepare(u64::from(id.0), 1)?;
        }
        let word = self.words.reach(u64::from(id.0))?;
        let edge = u64::from((from + length) % DISTANCES) << DISTANCE_AT | parent.0;
        if self.single_thread && new {
            word.store(edge, Ordering::Relaxed);
            return Ok(true);
        }
        // A new node has probably no parent yet; the compare-exchange below finds out.
        let mut known = if new { 0 } else { word.load(Ordering::Relaxed) };
        loop {
            if known & CLOSED != 0 {
                return Ok(false);
            }
            let closer = if known == 0 {
                true
            } else {
                let known_length = ((known >> DISTANCE_AT) as u32).wrapping_sub(from) % DISTANCES;
                if known_length < length || (known_length == length && !self.precedes(store, edge, known)) {
                    return Ok(false);
                }
                known_length > length
            };
            if self.single_thread {
                word.store(edge, Ordering::Relaxed);
                return Ok(closer);
            }
            match word.compare_exchange_weak(known, edge, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Ok(closer),
                Err(now) => known = now,
            }
        }
    }

    /// Whether an edge is to replace a known one of the same length.
    fn precedes(&self, store: &SharedStore, edge: u64, known: u64) -> bool {
        if self.keep_first {
            return false;
        }
        const BITS: u64 = (1 << HASH_BITS) - 1;
        let bits = |edge: u64| edge >> HASH_AT & BITS;
        let parent = |edge: u64| StateId(edge as u32);
        if bits(edge) != bits(known) || parent(edge) == parent(known) {
            return bits(edge) < bits(known);
        }
        let (a, b) = (parent(edge), parent(known));
        store.hash(a).cmp(&store.hash(b)).then_with(|| by_bytes(store, a, b)).is_lt()
    }

    /// Prefetches the entry of a node.
    pub fn prefetch(&self, id: StateId) {
        if let Ok(word) = self.words.reach(u64::from(id.0)) {
            prefetch(word);
        }
    }

    /// Closes a node; false if it is closed.
    pub fn close(&self, id: StateId) -> bool {
        // No thread changes the entry of a node in the current layer.
        let word = self.words.get(u64::from(id.0));
        let known = word.load(Ordering::Relaxed);
        word.store(known | CLOSED, Ordering::Relaxed);
        known & CLOSED == 0
    }

    /// The parent of a node; none for the initial one.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let known = self.words.get(u64::from(id.0)).load(Ordering::Relaxed);
        Some(StateId(known as u32)).filter(|p| p.0 != u32::MAX)
    }
}

/// Compares the bytes of nodes: then the same processes come first in models of any size.
pub(super) fn by_bytes(store: &SharedStore, a: StateId, b: StateId) -> Order {
    let bytes = |id: StateId| {
        let mut bytes = Vec::new();
        store.read(id, &mut bytes);
        bytes
    };
    if a == b { Order::Equal } else { bytes(a).cmp(&bytes(b)) }
}
