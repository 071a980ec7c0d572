//! How threads share out a layer.
//!
//! Each has a stretch of its own, and takes what is left of the others' when it is done. Neighbours in a layer lead to the
//! same nodes: two threads that went through it side by side would fetch these from one another all the time.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::store::StateId;

/// Nodes that a thread takes from a layer at a time.
const PORTION: usize = 64;

/// Where a stretch goes on, on a cache line of its own.
#[repr(align(128))]
struct Stretch {
    next: AtomicUsize,
    end: usize,
}

/// A layer, shared out.
pub(super) struct Shares<'l> {
    pub layer: &'l [StateId],
    stretches: Vec<Stretch>,
}

impl<'l> Shares<'l> {
    /// A layer for so many threads.
    pub fn new(layer: &'l [StateId], threads: usize) -> Self {
        let cut = |thread: usize| layer.len() * thread / threads;
        let stretch = |thread| Stretch { next: AtomicUsize::new(cut(thread)), end: cut(thread + 1) };
        Shares { layer, stretches: (0..threads).map(stretch).collect() }
    }

    /// The next nodes for a thread.
    pub fn portion(&self, thread: usize) -> Option<&'l [StateId]> {
        let (before, from) = self.stretches.split_at(thread);
        from.iter().chain(before).find_map(|stretch| {
            let first = stretch.next.fetch_add(PORTION, Ordering::Relaxed);
            (first < stretch.end).then(|| &self.layer[first..stretch.end.min(first + PORTION)])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_begin_apart_and_leave_nothing() {
        let layer: Vec<StateId> = (0..1000).map(StateId).collect();
        let shares = Shares::new(&layer, 3);
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
