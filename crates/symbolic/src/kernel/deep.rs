//! Room for recursion.
//!
//! Operations on diagrams call themselves once for each level, and a diagram of a large model has thousands of levels.
//! The stack of a thread that somebody else started may be too small for that.

use std::sync::{Mutex, PoisonError};

/// Bytes of stack: enough for a hundred thousand levels, or for fewer where the addresses are limited. They are only
/// reserved until they are used.
const STACKS: [usize; 3] = [512 << 20, 64 << 20, 16 << 20];

/// Runs a search on a thread with a stack deep enough for diagrams of any number of levels; on this one where no other can
/// be started.
///
/// # Panics
///
/// If the search panics.
pub fn deep<T: Send>(search: impl FnOnce() -> T + Send) -> T {
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
