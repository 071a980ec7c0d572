//! Atomics and locks of the store: those of the standard library, or loom's where its tests drive them.

#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64};

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64};

#[cfg(not(loom))]
pub(super) use std::sync::Mutex;

#[cfg(loom)]
pub(super) use loom::sync::Mutex;

pub(crate) use std::sync::atomic::Ordering;

/// Lets another thread go on while this one waits for it.
pub(super) fn pause(round: u32) {
    #[cfg(loom)]
    loom::thread::yield_now();
    #[cfg(not(loom))]
    if round < 64 {
        std::hint::spin_loop()
    } else {
        std::thread::yield_now()
    }
    let _ = round;
}
