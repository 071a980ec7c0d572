//! What the threads of a search share beside its nodes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::budget::{Observer, Progress, StopReason, Watch};

/// Counts of all threads, and whether they are to stop.
#[derive(Default)]
pub(super) struct Team {
    stored: AtomicU64,
    transitions: AtomicU64,
    stopped: AtomicBool,
    reason: Mutex<Option<StopReason>>,
}

impl Team {
    /// Adds what a thread has done.
    pub fn add(&self, stored: u64, transitions: u64) {
        self.stored.fetch_add(stored, Ordering::Relaxed);
        self.transitions.fetch_add(transitions, Ordering::Relaxed);
    }

    /// Asks all threads to stop; the first reason counts.
    pub fn stop(&self, reason: StopReason) {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.stopped.store(true, Ordering::Release);
    }

    /// Are all threads to stop?
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Why they are.
    pub fn reason(&self) -> Option<StopReason> {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the clock now and then, and tells the observer.
    pub fn tick(&self, watch: &mut Watch<'_>, observer: &mut impl Observer, depth: u64, memory: u64) {
        let (stored, transitions) = (self.stored.load(Ordering::Relaxed), self.transitions.load(Ordering::Relaxed));
        let progress = || Progress { stored, transitions, depth, memory, ..Progress::default() };
        if let Some(reason) = watch.tick(transitions, observer, progress) {
            self.stop(reason);
        }
    }
}

/// Stops the others when a thread panics, so that nobody waits for it.
pub(super) struct Alarm<'t>(pub &'t Team);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(StopReason::Interrupted);
        }
    }
}
