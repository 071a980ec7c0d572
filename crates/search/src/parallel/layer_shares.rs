//! How threads share the nodes of a layer.
//!
//! Each thread has a range of its own, and takes nodes from the ranges of others when its own is empty. Neighbours in a layer
//! have common successors: threads that interleaved in a layer would contend for them.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::store::StateId;

/// Nodes that a thread takes at a time.
const PORTION: usize = 64;

/// The rest of a range, on its own cache line.
#[repr(align(128))]
struct Share {
    next: AtomicUsize,
    end: usize,
}

/// A layer with a share for each thread.
pub(super) struct LayerShares<'l> {
    pub layer: &'l [StateId],
    shares: Vec<Share>,
}

impl<'l> LayerShares<'l> {
    pub fn new(layer: &'l [StateId], threads: usize) -> Self {
        let start = |thread: usize| layer.len() * thread / threads;
        let share = |thread| Share { next: AtomicUsize::new(start(thread)), end: start(thread + 1) };
        LayerShares { layer, shares: (0..threads).map(share).collect() }
    }

    /// The next nodes for a thread.
    pub fn portion(&self, thread: usize) -> Option<&'l [StateId]> {
        let (before, from) = self.shares.split_at(thread);
        from.iter().chain(before).find_map(|share| {
            let first = share.next.fetch_add(PORTION, Ordering::Relaxed);
            (first < share.end).then(|| &self.layer[first..share.end.min(first + PORTION)])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_begin_apart_and_take_all_nodes() {
        let layer: Vec<StateId> = (0..1000).map(StateId).collect();
        let shares = LayerShares::new(&layer, 3);
        let firsts: Vec<u32> = (0..3).map(|thread| shares.portion(thread).unwrap()[0].0).collect();
        assert_eq!(firsts, [0, 333, 666]);
        let mut rest: Vec<u32> = std::iter::from_fn(|| shares.portion(1)).flatten().map(|id| id.0).collect();
        assert_eq!(rest[0], 333 + PORTION as u32);
        rest.extend(firsts.iter().flat_map(|&first| first..first + PORTION as u32));
        rest.sort_unstable();
        assert_eq!(rest, (0..1000).collect::<Vec<u32>>());
        assert!((0..3).all(|thread| shares.portion(thread).is_none()));
    }
}
