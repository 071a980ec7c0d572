//! What a search may use, what stops it, and who watches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// There was nothing left to look at.
    Complete,
    /// A violation was found and one was enough.
    Violation,
    /// The time was up.
    Time,
    /// The memory was used up.
    Memory,
    /// There was nothing left to look at above the depth limit, and something below it.
    Depth,
    /// There was nothing left to look at that lossy storage did not take for known.
    Storage,
    /// As many states as it was allowed were stored.
    States,
    /// As many walks as were asked for were made.
    Walks,
    /// Walks hardly saw new states any more.
    Saturation,
    /// A state had more successors than could be listed.
    Successors,
    /// The engine cannot look for a violation of such a property.
    Unsuited,
    /// The user asked it to stop.
    Interrupted,
}

impl StopReason {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Complete => "complete",
            StopReason::Violation => "violation",
            StopReason::Time => "time",
            StopReason::Memory => "memory",
            StopReason::Depth => "depth",
            StopReason::Storage => "storage",
            StopReason::States => "states",
            StopReason::Walks => "walks",
            StopReason::Saturation => "saturation",
            StopReason::Successors => "successors",
            StopReason::Unsuited => "unsuited",
            StopReason::Interrupted => "interrupted",
        }
    }
}

/// What a search may use.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Steps from the initial state.
    pub depth: Option<u32>,
    /// States to store; looked at now and then, so that a few more may be.
    pub states: Option<u64>,
    /// Values to try, in all, while the successors of states of a relation are listed.
    pub effort: Option<u64>,
    /// Set from outside to stop the search.
    pub interrupt: Arc<AtomicBool>,
    /// Go on past a violation.
    pub all_errors: bool,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// States stored.
    pub stored: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Depth of the stack, or of the current layer.
    pub depth: u64,
    /// Bytes in use.
    pub memory: u64,
    /// Walks made, where walks are made.
    pub walks: Option<u64>,
    /// The share of new states among those seen lately.
    pub new_share: Option<f64>,
    /// The best score that a guide gave.
    pub best: Option<u32>,
}

/// Watches a search. Called from the searching thread about every tenth of a second.
pub trait Observer: Send {
    /// The search has come this far.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

impl Observer for () {}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn progress(&mut self, progress: &Progress) {
        (**self).progress(progress);
    }
}

/// Counts the transitions of a search and looks at the clock now and then.
pub(crate) struct Watch<'b> {
    budget: &'b Budget,
    /// Transitions at which to look next.
    next: u64,
    reported: Instant,
}

/// Transitions between two looks.
const INTERVAL: u64 = 1024;
/// A search that may store so many states may take so many transitions for each: where states have many successors,
/// most of the work is there.
const TRANSITIONS_PER_STATE: u64 = 16;

impl<'b> Watch<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        Watch { budget, next: INTERVAL, reported: Instant::now() }
    }

    /// Call now and then with the number of transitions taken; says when the search must stop.
    pub fn tick(
        &mut self,
        transitions: u64,
        observer: &mut impl Observer,
        progress: impl FnOnce() -> Progress,
    ) -> Option<StopReason> {
        if transitions < self.next {
            return None;
        }
        self.next = transitions + INTERVAL;
        let progress = progress();
        if self.budget.interrupt.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        let used = |limit| progress.stored > limit || transitions > limit * TRANSITIONS_PER_STATE;
        if self.budget.states.is_some_and(used) {
            return Some(StopReason::States);
        }
        if self.budget.memory.is_some_and(|limit| progress.memory > limit) {
            return Some(StopReason::Memory);
        }
        let now = Instant::now();
        if self.budget.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(StopReason::Time);
        }
        if now.duration_since(self.reported) > Duration::from_millis(100) {
            self.reported = now;
            observer.progress(&progress);
        }
        None
    }
}
