//! The budget of a search, its stop reasons and its observers.

use std::time::{Duration, Instant};

use lurcher_resources::{LimitReached, ResourceLimits};

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
    /// No finite prefix of a run violates the property; cycles were not looked for.
    Prefixes,
    /// Everything was explored that the bounded open list did not drop.
    Frontier,
    /// The requested number of walks was made.
    Walks,
    /// The requested number of trials was made.
    Trials,
    /// Walks hardly reached new states any more.
    Saturation,
    /// A state had more successors than the effort limit allows to list.
    Successors,
    /// A clause reads more past events than states remember.
    Window,
    /// A number became too large.
    Numbers,
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
            StopReason::Prefixes => "prefixes",
            StopReason::Frontier => "frontier",
            StopReason::Walks => "walks",
            StopReason::Trials => "trials",
            StopReason::Saturation => "saturation",
            StopReason::Successors => "successors",
            StopReason::Window => "window",
            StopReason::Numbers => "numbers",
            StopReason::Unsuited => "unsuited",
            StopReason::Interrupted => "interrupted",
        }
    }
}

impl From<LimitReached> for StopReason {
    fn from(reached: LimitReached) -> Self {
        match reached {
            LimitReached::Time => StopReason::Time,
            LimitReached::Memory => StopReason::Memory,
            LimitReached::Interrupted => StopReason::Interrupted,
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
    /// Time and memory, and the signal that stops the search from outside.
    pub resources: ResourceLimits,
    /// Steps from the initial state.
    pub depth: Option<u32>,
    /// States to store. Checked now and then, so a search may store a few more.
    pub states: Option<u64>,
    /// Values to try, in all, while the successors of states of a relation are listed.
    pub effort: Option<u64>,
    /// Continue after a violation.
    pub all_errors: bool,
}

impl Budget {
    /// The same budget with a deadline that is no later than this one.
    #[must_use]
    pub fn until(&self, latest: Instant) -> Self {
        Budget { resources: self.resources.until(latest), ..self.clone() }
    }

    /// The same budget with other limits on memory.
    #[must_use]
    pub fn with_memory(&self, memory: Option<u64>) -> Self {
        Budget { resources: ResourceLimits { memory, ..self.resources.clone() }, ..self.clone() }
    }

    /// Whether a search that stored so many states by so many transitions has used up its states.
    pub fn states_exceeded(&self, stored: u64, transitions: u64) -> bool {
        self.states.is_some_and(|limit| stored > limit || transitions > limit.saturating_mul(TRANSITIONS_PER_STATE))
    }

    /// Why the search must stop at once: an interrupt, its deadline or the memory of the process.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.resources.reached().map(StopReason::from)
    }
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
    /// Trials begun, if the search makes trials.
    pub trials: Option<u64>,
    /// The share of new states among recently visited ones.
    pub new_share: Option<f64>,
    /// The best heuristic value so far.
    pub best: Option<u32>,
    /// Nodes that are generated and not expanded yet, if the search keeps a list of them.
    pub frontier: Option<u64>,
}

/// A phase of a check. It lasts until the next one begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phase<'p> {
    /// The engine at work; empty for the one of the phase before.
    pub engine: &'p str,
    /// The name of the property.
    pub property: &'p str,
    /// What it does.
    pub activity: &'p str,
}

/// Observes a check.
pub trait Observer: Send {
    /// Reports progress. Called by the searching thread about ten times a second.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// Reports that a phase begins or goes on. Called where phases change, which is rarely.
    fn phase(&mut self, phase: &Phase<'_>) {
        let _ = phase;
    }

    /// Tells the verdict on a property, as soon as it is known and its trace was replayed.
    fn decided(&mut self, property: &str, verdict: &'static str) {
        let _ = (property, verdict);
    }

    /// Names properties that will not be checked, and the reason, before the search begins.
    fn refused(&mut self, properties: &[&str], why: &str) {
        let _ = (properties, why);
    }
}

impl Observer for () {}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn progress(&mut self, progress: &Progress) {
        (**self).progress(progress);
    }

    fn phase(&mut self, phase: &Phase<'_>) {
        (**self).phase(phase);
    }

    fn decided(&mut self, property: &str, verdict: &'static str) {
        (**self).decided(property, verdict);
    }

    fn refused(&mut self, properties: &[&str], why: &str) {
        (**self).refused(properties, why);
    }
}

/// Checks a budget, and reports progress: counts once per `INTERVAL` transitions, or as many as states are allowed, so that a
/// search ends at the same one on every machine, and the clock more often where transitions take long.
pub struct BudgetMeter<'b> {
    budget: &'b Budget,
    /// Transitions between two checks of counts; transitions at the next one, and at the next check of anything.
    count_interval: u64,
    next_count: u64,
    next: u64,
    clock: ClockInterval,
    reported: Instant,
}

/// How much work is done between two looks at the clock: as much as takes about 10 ms.
#[derive(Debug)]
pub(crate) struct ClockInterval {
    units: u64,
    looked: Instant,
}

impl ClockInterval {
    /// Begins with one unit.
    pub fn new(now: Instant) -> Self {
        ClockInterval { units: 1, looked: now }
    }

    /// The units of work until the next look.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// Notes a look at the clock, and returns the units of work until the next one, at most so many.
    pub fn look(&mut self, now: Instant, most: u64) -> u64 {
        self.units = match now.duration_since(self.looked) {
            short if short < LOOK_INTERVAL => (self.units * 2).min(most),
            long if long > 2 * LOOK_INTERVAL => (self.units / 4).max(1),
            _ => self.units,
        };
        self.looked = now;
        self.units
    }
}

/// The most transitions between two checks of counts.
const INTERVAL: u64 = 1024;
/// Time between two looks at the clock, about.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);
/// A limit on states is also a limit on transitions, this many per state: states with many successors cost more.
const TRANSITIONS_PER_STATE: u64 = 16;
/// Time between two reports to the observer.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

impl<'b> BudgetMeter<'b> {
    /// A meter that has measured nothing yet.
    pub fn new(budget: &'b Budget) -> Self {
        let now = Instant::now();
        let count_interval = budget.states.map_or(INTERVAL, |states| states.clamp(1, INTERVAL));
        BudgetMeter {
            budget,
            count_interval,
            next_count: count_interval,
            next: 1,
            clock: ClockInterval::new(now),
            reported: now,
        }
    }

    /// Why the search must stop at once.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.budget.stop_reason()
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
        let counts = transitions >= self.next_count;
        if counts {
            self.next_count = transitions + self.count_interval;
        }
        if let Some(raised) = self.budget.resources.stop.raised() {
            return Some(raised.into());
        }
        if counts && self.budget.states_exceeded(progress.stored, transitions) {
            return Some(StopReason::States);
        }
        if counts && self.budget.resources.memory.is_some_and(|limit| progress.memory > limit) {
            return Some(StopReason::Memory);
        }
        let now = Instant::now();
        self.next = self.next_count.min(transitions + self.clock.look(now, INTERVAL));
        if self.budget.resources.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(StopReason::Time);
        }
        if now.duration_since(self.reported) > REPORT_INTERVAL {
            self.reported = now;
            observer.progress(progress);
        }
        None
    }
}
