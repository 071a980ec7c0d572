//! The counts of all threads of a search, and their common stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::budget::{Budget, BudgetMeter, Observer, Progress, StopReason};

/// Counts of all threads, and why they are to stop.
#[derive(Default)]
pub(super) struct SearchControl {
    stored: AtomicU64,
    transitions: AtomicU64,
    stopped: AtomicBool,
    reason: Mutex<Option<StopReason>>,
}

impl SearchControl {
    /// Adds counts of a thread.
    pub fn add(&self, stored: u64, transitions: u64) {
        self.stored.fetch_add(stored, Ordering::Relaxed);
        self.transitions.fetch_add(transitions, Ordering::Relaxed);
    }

    /// Asks all threads to stop. The first reason is kept.
    pub fn stop(&self, reason: StopReason) {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.stopped.store(true, Ordering::Release);
    }

    /// Whether all threads are to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Why all threads are to stop.
    pub fn reason(&self) -> Option<StopReason> {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all threads together have used up the states of a budget.
    pub fn exceeds(&self, budget: &Budget) -> bool {
        budget.states_exceeded(self.stored.load(Ordering::Relaxed), self.transitions.load(Ordering::Relaxed))
    }

    /// Checks the budget now and then, and reports to the observer.
    pub fn tick(&self, meter: &mut BudgetMeter<'_>, observer: &mut impl Observer, depth: u64, memory: u64) {
        let (stored, transitions) = (self.stored.load(Ordering::Relaxed), self.transitions.load(Ordering::Relaxed));
        let progress = || Progress { stored, transitions, depth, memory, ..Progress::default() };
        if let Some(reason) = meter.tick(transitions, observer, progress) {
            self.stop(reason);
        }
    }
}

/// Stops all threads if one panics, so that none waits for it.
pub(super) struct StopOnPanic<'c>(pub &'c SearchControl);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(StopReason::Interrupted);
        }
    }
}
