//! A thread with a large stack: BDD operations recurse once per level, and large models have thousands of levels.

use std::sync::{Mutex, PoisonError};

use lurcher_resources::address_limit;

/// Stack sizes to try, in bytes. The first is enough for a hundred thousand levels.
const STACKS: [usize; 3] = [512 << 20, 64 << 20, 16 << 20];

/// The part of limited addresses that a stack may take.
const SHARE: u64 = 16;

/// Runs a search on a thread with a large stack, or on this thread if no other can be started.
///
/// # Panics
///
/// If the search panics.
pub fn with_deep_stack<T: Send>(search: impl FnOnce() -> T + Send) -> T {
    let search = Mutex::new(Some(lurcher_resources::inherited(search)));
    let run = || {
        let search = search.lock().unwrap_or_else(PoisonError::into_inner).take();
        search.expect("only the first thread that starts runs it")()
    };
    std::thread::scope(|scope| {
        let start = |size| std::thread::Builder::new().name("symbolic".to_owned()).stack_size(size);
        let largest = address_limit().map_or(u64::MAX, |bytes| bytes / SHARE);
        let mut fitting = STACKS.into_iter().filter(|&size| size as u64 <= largest);
        let started = fitting.find_map(|size| start(size).spawn_scoped(scope, run).ok());
        match started {
            Some(running) => running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => run(),
        }
    })
}
