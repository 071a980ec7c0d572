//! Independent pieces of work on threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Does `count` pieces, `jobs` at a time, and gives their results in order; `done` hears of each, in the order in which
/// they end. Nothing when `interrupt` is set before all are done.
pub(crate) fn in_order<T: Send>(
    count: usize,
    jobs: usize,
    interrupt: &AtomicBool,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(&T),
) -> Option<Vec<T>> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, count.max(1)) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while !interrupt.load(Ordering::Relaxed) {
                    let piece = next.fetch_add(1, Ordering::Relaxed);
                    if piece >= count || sender.send((piece, work(piece))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (piece, result) in receiver {
            done(&result);
            results[piece] = Some(result);
        }
    });
    if interrupt.load(Ordering::Relaxed) {
        return None;
    }
    results.into_iter().collect()
}
