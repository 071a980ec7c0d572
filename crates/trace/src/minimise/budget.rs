//! What minimising may use, and who watches.
//!
//! Work is counted, not timed, so that the result is the same on every machine. The unit of the budget is one state
//! expanded with few successors. Inside, everything is counted in sixteenths of that, because executing one step of a
//! candidate costs far less than listing and taking all steps of a state.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What minimising may use.
#[derive(Clone, Debug)]
pub struct MinimiseBudget {
    /// States to expand, or as much work of other kinds.
    pub expansions: u64,
    /// Set from outside to stop it; the best trace so far is the result.
    pub interrupt: Arc<AtomicBool>,
    /// An emergency brake: stops it like an interrupt. What is found then depends on the machine.
    pub deadline: Option<Instant>,
    /// Bytes of memory that a single search may use.
    pub memory: u64,
}

impl Default for MinimiseBudget {
    fn default() -> Self {
        MinimiseBudget { expansions: 200_000, interrupt: Arc::default(), deadline: None, memory: 1 << 30 }
    }
}

/// Watches minimising.
pub trait MinimiseObserver {
    /// The trace has become shorter: its length, and the expansions used so far.
    fn shortened(&mut self, length: u32, expansions: u64) {
        let _ = (length, expansions);
    }
}

impl MinimiseObserver for () {}

/// Sixteenths of an expansion.
const PER_EXPANSION: u64 = 16;
/// Between two looks at the clock.
const INTERVAL: u64 = 1 << 14;

/// Counts the work done.
pub(crate) struct Meter<'b> {
    pub budget: &'b MinimiseBudget,
    spent: u64,
    /// No work beyond this point, for now.
    until: u64,
    next_look: u64,
    stopped: bool,
}

impl<'b> Meter<'b> {
    pub fn new(budget: &'b MinimiseBudget) -> Self {
        let until = budget.expansions.saturating_mul(PER_EXPANSION);
        let mut meter = Meter { budget, spent: 0, until, next_look: 0, stopped: false };
        meter.look();
        meter
    }

    fn look(&mut self) {
        self.next_look = self.spent + INTERVAL;
        let late = self.budget.deadline.is_some_and(|d| Instant::now() >= d);
        self.stopped |= late || self.budget.interrupt.load(Ordering::Relaxed);
    }

    /// Executing one step of a candidate, or finding that it cannot be executed.
    pub fn step(&mut self) {
        self.steps(1);
    }

    /// The same, so many times. What is known about a run without executing it once more costs as much as if it had been,
    /// so that the budget means the same however clever the code is.
    pub fn steps(&mut self, count: usize) {
        self.spent += count as u64;
    }

    /// Expanding a node of so many bytes with so many successors.
    pub fn expansion(&mut self, successors: usize, bytes: usize) {
        let each = 4 + bytes as u64 / 128;
        self.spent += PER_EXPANSION.max(each * successors as u64);
    }

    /// Is there anything left to use?
    pub fn may_go_on(&mut self) -> bool {
        if self.spent >= self.next_look {
            self.look();
        }
        !self.stopped && self.spent < self.until
    }

    /// Was it stopped from outside?
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Expansions used so far.
    pub fn expansions(&self) -> u64 {
        self.spent.div_ceil(PER_EXPANSION)
    }

    /// Allows some work only a part of what is left.
    pub fn with_share<R>(&mut self, part: u64, of: u64, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.until;
        self.until = self.spent + outer.saturating_sub(self.spent) / of * part;
        let result = work(self);
        self.until = outer;
        result
    }
}
