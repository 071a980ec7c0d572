//! Room for recursion.
//!
//! Operations on diagrams call themselves once for each level, and a diagram of a large model has thousands of levels.
//! The stack of a thread that somebody else started may be too small for that.

/// Bytes of stack: enough for a hundred thousand levels. They are only reserved until they are used.
const STACK: usize = 512 << 20;

/// Runs a search on a thread with a stack deep enough for diagrams of any number of levels.
///
/// # Panics
///
/// If the search panics, or if no thread can be started.
pub fn deep<T: Send>(search: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("symbolic".to_owned()).stack_size(STACK);
        let running = thread.spawn_scoped(scope, search).expect("a thread can be started");
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
