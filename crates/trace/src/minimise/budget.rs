//! The budget of minimising.
//!
//! Work is counted, not timed, so that the result is the same on every machine. The unit is the expansion of a state with
//! few successors. [`Meter`] counts in sixteenths of it, because executing one step of a candidate costs far less.

use lurcher_resources::ResourceLimits;

/// Limits of minimising.
#[derive(Clone, Debug)]
pub struct MinimiseBudget {
    /// States to expand, or equivalent work.
    pub expansions: u64,
    /// Stop minimising; the best path so far is the result, and depends on the machine. The memory is that of a single
    /// search.
    pub resources: ResourceLimits,
}

impl Default for MinimiseBudget {
    fn default() -> Self {
        let resources = ResourceLimits { memory: Some(1 << 30), ..ResourceLimits::default() };
        MinimiseBudget { expansions: 200_000, resources }
    }
}

impl MinimiseBudget {
    /// Bytes of memory that a single search may use.
    pub(super) fn memory(&self) -> u64 {
        self.resources.memory.unwrap_or(u64::MAX)
    }
}

/// Work units of one expansion.
pub(super) const PER_EXPANSION: u64 = 16;
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
        self.stopped |= self.budget.resources.reached().is_some();
    }

    /// Charges executed steps of candidates, failed attempts included. A cached result costs as much as the execution it
    /// replaces, so that the budget does not depend on the implementation.
    pub fn steps(&mut self, count: usize) {
        self.spent += count as u64;
    }

    /// Charges one step; false if minimising is stopped from outside, so that candidates of any length end. The share of
    /// the budget does not matter: a candidate is executed whole.
    #[must_use]
    pub fn step(&mut self) -> bool {
        self.steps(1);
        if self.spent >= self.next_check {
            self.check();
        }
        !self.stopped
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
