//! Atomics and locks of the store: those of the standard library, or loom's under its tests.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64};

#[cfg(loom)]
pub(super) use loom::sync::Mutex;
#[cfg(not(loom))]
pub(super) use std::sync::Mutex;

pub(crate) use std::sync::atomic::Ordering;

/// Waits in round `round` of a spin loop.
pub(super) fn back_off(round: u32) {
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
