//! Independent tasks on threads.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use lurcher_resources::StopSignal;

/// Runs tasks 0 to `count` - 1, `jobs` at a time. `done` receives the number and the result of each task in the order in
/// which tasks end. No task starts after `interrupt` is set or after an error of `done`.
pub(crate) fn run<T: Send, E>(
    count: usize,
    jobs: usize,
    interrupt: &StopSignal,
    task: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, count.max(1)) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while interrupt.raised().is_none() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, task(index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        receiver.into_iter().try_for_each(|(index, result)| done(index, result))
    })
}

/// The results of tasks 0 to `count` - 1 in order; `None` when `interrupt` is set before all tasks end.
pub(crate) fn in_order<T: Send>(
    count: usize,
    jobs: usize,
    interrupt: &StopSignal,
    task: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(&T),
) -> Option<Vec<T>> {
    let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
    let Ok(()) = run(count, jobs, interrupt, task, |index, result| {
        done(&result);
        results[index] = Some(result);
        Ok::<(), Infallible>(())
    });
    let all = results.into_iter().collect();
    if interrupt.raised().is_some() { None } else { all }
}

/// Applies `task` to every item on `jobs` threads; the results are in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], jobs: usize, task: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let never = StopSignal::default();
    in_order(items.len(), jobs, &never, |index| task(&items[index]), |_| {}).expect("nothing interrupts it")
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        assert_eq!(super::map(&items, 3, |n| n * 2), items.iter().map(|n| n * 2).collect::<Vec<_>>());
    }
}
