//! A few threads working through a list.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Applies `work` to every item on `jobs` threads; results come in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                while let Some((position, item)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| items.get(n).map(|item| (n, item)))
                {
                    let result = work(item);
                    results.lock().expect("no worker panicked").push((position, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panicked");
    results.sort_by_key(|(position, _)| *position);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        assert_eq!(super::map(&items, 3, |n| n * 2), items.iter().map(|n| n * 2).collect::<Vec<_>>());
    }
}
