//! The budget of a search, its stop reasons and its observers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::store::StoreFull;

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// Everything was explored.
    Complete,
    /// A violation was found and one was enough.
    Violation,
    /// The deadline passed.
    Time,
    /// The memory limit was reached.
    Memory,
    /// Everything above the depth limit was explored, and the limit hides something.
    Depth,
    /// Everything was explored that lossy storage did not take for visited.
    Storage,
    /// The limit on stored states was reached.
    States,
    /// The requested number of walks was made.
    Walks,
    /// Walks hardly reached new states any more.
    Saturation,
    /// A state had more successors than the effort limit allows to list.
    Successors,
    /// The engine does not support the property.
    Unsuited,
    /// The user interrupted the search.
    Interrupted,
}

impl StopReason {
    /// Its name in reports.
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

impl From<StoreFull> for StopReason {
    fn from(StoreFull: StoreFull) -> Self {
        StopReason::Memory
    }
}

/// The limits of a search.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Steps from the initial state.
    pub depth: Option<u32>,
    /// States to store. Checked now and then, so a search may store a few more.
    pub states: Option<u64>,
    /// Values to try, in all, while the successors of states of a relation are listed.
    pub effort: Option<u64>,
    /// Set from outside to stop the search.
    pub interrupt: Arc<AtomicBool>,
    /// Continue after a violation.
    pub all_errors: bool,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// States stored.
    pub stored: u64,
    /// Transitions executed.
    pub transitions: u64,
    /// Depth of the stack, or of the current layer.
    pub depth: u64,
    /// Bytes in use.
    pub memory: u64,
    /// Walks made, if the search makes walks.
    pub walks: Option<u64>,
    /// The share of new states among recently visited ones.
    pub new_share: Option<f64>,
    /// The best heuristic value so far.
    pub best: Option<u32>,
}

/// Observes a search. Called by the searching thread about ten times a second.
pub trait Observer: Send {
    /// Reports progress.
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

/// Checks a budget, and reports progress, once per `INTERVAL` transitions.
pub struct BudgetMeter<'b> {
    budget: &'b Budget,
    /// Transitions at the next check.
    next: u64,
    reported: Instant,
}

/// Transitions between two checks.
const INTERVAL: u64 = 1024;
/// A limit on states is also a limit on transitions, this many per state: states with many successors cost more.
const TRANSITIONS_PER_STATE: u64 = 16;
/// Time between two reports to the observer.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

impl<'b> BudgetMeter<'b> {
    /// A meter that has measured nothing yet.
    pub fn new(budget: &'b Budget) -> Self {
        BudgetMeter { budget, next: INTERVAL, reported: Instant::now() }
    }

    /// Whether the next check is due after this many transitions.
    #[inline]
    pub fn is_due(&self, transitions: u64) -> bool {
        transitions >= self.next
    }

    /// Checks the budget if that is due. Returns the reason to stop, if any.
    pub fn tick(
        &mut self,
        transitions: u64,
        observer: &mut impl Observer,
        progress: impl FnOnce() -> Progress,
    ) -> Option<StopReason> {
        if self.is_due(transitions) { self.check(transitions, &progress(), observer) } else { None }
    }

    /// Checks the budget. Returns the reason to stop, if any.
    pub fn check(&mut self, transitions: u64, progress: &Progress, observer: &mut impl Observer) -> Option<StopReason> {
        self.next = transitions + INTERVAL;
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
        if now.duration_since(self.reported) > REPORT_INTERVAL {
            self.reported = now;
            observer.progress(progress);
        }
        None
    }
}
