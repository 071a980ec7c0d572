//! How nodes were reached, when the first to come is not to decide.
//!
//! A node keeps the parent on a shortest way whose hash is smallest. That does not depend on the order in which parents
//! come, nor on the numbers that nodes happen to have. Of a distance only its remainder is kept: nodes that wait are less
//! far apart.

use super::bfs::FARTHEST;
use crate::store::{Allowance, AtomicU64, Ordering, Row, SharedStore, StateId, StoreFull, prefetch};

/// A parent: which node it is, and some bits of its hash, never all 0.
#[derive(Clone, Copy)]
pub(crate) struct Parent(u64);

impl Parent {
    /// The parent of the first node.
    pub const NONE: Parent = Parent(1 << HASH_AT | u32::MAX as u64);

    /// A node as a parent.
    #[inline]
    pub fn new(id: StateId, hash: u64) -> Self {
        Parent((hash >> (64 - HASH_BITS)).max(1) << HASH_AT | u64::from(id.0))
    }

    /// Which node it is.
    #[inline]
    pub fn id(self) -> StateId {
        StateId(self.0 as u32)
    }
}

const CLOSED: u64 = 1 << 63;
const DISTANCE_AT: u32 = 58;
/// Distances of nodes that wait are less than this apart.
const APART: u32 = 1 << (63 - DISTANCE_AT);
const _: () = assert!(FARTHEST < APART as usize);
const HASH_AT: u32 = 32;
const HASH_BITS: u32 = DISTANCE_AT - HASH_AT;

/// How every node was reached: whether its edges have been followed, its distance, some bits of its parent's hash, its
/// parent. Zero when it has not been.
pub(super) struct Reached {
    row: Row<AtomicU64>,
    allowance: Allowance,
    /// Nobody else is at work.
    alone: bool,
    /// The first to come decides after all.
    first_come: bool,
}

impl Reached {
    pub fn new(alone: bool, first_come: bool) -> Self {
        Reached { row: Row::new(10), allowance: Allowance::new(None), alone, first_come }
    }

    pub fn memory(&self) -> u64 {
        self.allowance.used()
    }

    /// Notes a way to a node: from a parent at distance `from`, `length` steps long. Says whether the node is to be
    /// put in line there. `new` is true for one of those who note a way to it.
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
            self.row.prepare(u64::from(id.0), 1, &self.allowance)?;
        }
        let word = self.row.reach(u64::from(id.0))?;
        let way = u64::from((from + length) % APART) << DISTANCE_AT | parent.0;
        if self.alone && new {
            word.store(way, Ordering::Relaxed);
            return Ok(true);
        }
        // Probably nobody has noted a way to a new node yet; not to look first is faster.
        let mut known = if new { 0 } else { word.load(Ordering::Relaxed) };
        loop {
            if known & CLOSED != 0 {
                return Ok(false);
            }
            let nearer = if known == 0 {
                true
            } else {
                let waits = ((known >> DISTANCE_AT) as u32).wrapping_sub(from) % APART;
                if waits < length || (waits == length && !self.precedes(store, way, known)) {
                    return Ok(false);
                }
                waits > length
            };
            if self.alone {
                word.store(way, Ordering::Relaxed);
                return Ok(nearer);
            }
            match word.compare_exchange_weak(known, way, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Ok(nearer),
                Err(now) => known = now,
            }
        }
    }

    /// Is the first of two ways of the same length the one to keep?
    fn precedes(&self, store: &SharedStore, way: u64, known: u64) -> bool {
        if self.first_come {
            return false;
        }
        const BITS: u64 = (1 << HASH_BITS) - 1;
        let bits = |w: u64| w >> HASH_AT & BITS;
        let parent = |w: u64| StateId(w as u32);
        if bits(way) != bits(known) || parent(way) == parent(known) {
            return bits(way) < bits(known);
        }
        order(store, parent(way), parent(known)).is_lt()
    }

    /// Asks the processor to fetch what is known of a node.
    pub fn prefetch(&self, id: StateId) {
        if let Ok(word) = self.row.reach(u64::from(id.0)) {
            prefetch(word);
        }
    }

    /// Notes that the edges of a node are being followed; false when they have been.
    pub fn close(&self, id: StateId) -> bool {
        // Nobody changes what is known of a node whose turn has come.
        let word = self.row.get(u64::from(id.0));
        let known = word.load(Ordering::Relaxed);
        word.store(known | CLOSED, Ordering::Relaxed);
        known & CLOSED == 0
    }

    /// The parent of a node; none of the first one.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let known = self.row.get(u64::from(id.0)).load(Ordering::Relaxed);
        Some(StateId(known as u32)).filter(|p| p.0 != u32::MAX)
    }
}

/// An order of nodes that does not depend on their numbers, and is quick to find out.
fn order(store: &SharedStore, a: StateId, b: StateId) -> std::cmp::Ordering {
    store.hash(a).cmp(&store.hash(b)).then_with(|| by_bytes(store, a, b))
}

/// The order of their bytes: the same processes come first in models of any size.
pub(super) fn by_bytes(store: &SharedStore, a: StateId, b: StateId) -> std::cmp::Ordering {
    let bytes = |id: StateId| {
        let mut bytes = Vec::new();
        store.read(id, &mut bytes);
        bytes
    };
    if a == b { std::cmp::Ordering::Equal } else { bytes(a).cmp(&bytes(b)) }
}
