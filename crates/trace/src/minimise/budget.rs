//! The budget of minimising.
//!
//! Work is counted, not timed, so that the result is the same on every machine. The unit is the expansion of a state with
//! few successors. [`Meter`] counts in sixteenths of it, because executing one step of a candidate costs far less.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Limits of minimising.
#[derive(Clone, Debug)]
pub struct MinimiseBudget {
    /// States to expand, or equivalent work.
    pub expansions: u64,
    /// Set from outside to stop minimising; the best path so far is the result.
    pub interrupt: Arc<AtomicBool>,
    /// Stops minimising like an interrupt; the result then depends on the machine.
    pub deadline: Option<Instant>,
    /// Bytes of memory that a single search may use.
    pub memory: u64,
}

impl Default for MinimiseBudget {
    fn default() -> Self {
        MinimiseBudget { expansions: 200_000, interrupt: Arc::default(), deadline: None, memory: 1 << 30 }
    }
}

/// Work units of one expansion.
const PER_EXPANSION: u64 = 16;
/// Work units between two checks of the clock.
const INTERVAL: u64 = 1 << 14;

/// Counts the work done.
pub(super) struct Meter<'b> {
    pub budget: &'b MinimiseBudget,
    spent: u64,
    /// The current limit on `spent`.
    until: u64,
    next_check: u64,
    stopped: bool,
}

impl<'b> Meter<'b> {
    pub fn new(budget: &'b MinimiseBudget) -> Self {
        let until = budget.expansions.saturating_mul(PER_EXPANSION);
        let mut meter = Meter { budget, spent: 0, until, next_check: 0, stopped: false };
        meter.check();
        meter
    }

    fn check(&mut self) {
        self.next_check = self.spent + INTERVAL;
        let late = self.budget.deadline.is_some_and(|d| Instant::now() >= d);
        self.stopped |= late || self.budget.interrupt.load(Ordering::Relaxed);
    }

    /// Charges executed steps of candidates, failed attempts included. A cached result costs as much as the execution it
    /// replaces, so that the budget does not depend on the implementation.
    pub fn steps(&mut self, count: usize) {
        self.spent += count as u64;
    }

    /// Charges one step.
    pub fn step(&mut self) {
        self.steps(1);
    }

    /// Charges the expansion of a node of so many bytes with so many successors.
    pub fn expansion(&mut self, successors: usize, bytes: usize) {
        let each = 4 + bytes as u64 / 128;
        self.spent += PER_EXPANSION.max(each * successors as u64);
    }

    /// Whether the current share of the budget is not used up, and nothing stops minimising from outside.
    pub fn may_go_on(&mut self) -> bool {
        if self.spent >= self.next_check {
            self.check();
        }
        !self.stopped && self.spent < self.until
    }

    /// Whether minimising was stopped from outside.
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Expansions used so far.
    pub fn expansions(&self) -> u64 {
        self.spent.div_ceil(PER_EXPANSION)
    }

    /// Runs `work` with `part` / `of` of the remaining budget.
    pub fn with_share<R>(&mut self, part: u64, of: u64, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.until;
        self.until = self.spent + outer.saturating_sub(self.spent) / of * part;
        let result = work(self);
        self.until = outer;
        result
    }
}
