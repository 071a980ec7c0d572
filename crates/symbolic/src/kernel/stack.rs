//! A thread with a large stack: BDD operations recurse once per level, and large models have thousands of levels.

use std::sync::{Mutex, PoisonError};

/// Stack sizes to try, in bytes. The first is enough for a hundred thousand levels; limited address spaces refuse it.
const STACKS: [usize; 3] = [512 << 20, 64 << 20, 16 << 20];

/// Runs a search on a thread with a large stack, or on this thread if no other can be started.
///
/// # Panics
///
/// If the search panics.
pub fn with_deep_stack<T: Send>(search: impl FnOnce() -> T + Send) -> T {
    let search = Mutex::new(Some(search));
    let run = || {
        let search = search.lock().unwrap_or_else(PoisonError::into_inner).take();
        search.expect("only the first thread that starts runs it")()
    };
    std::thread::scope(|scope| {
        let start = |size| std::thread::Builder::new().name("symbolic".to_owned()).stack_size(size);
        let started = STACKS.into_iter().find_map(|size| start(size).spawn_scoped(scope, run).ok());
        match started {
            Some(running) => running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => run(),
        }
    })
}
