//! Limits on time and memory, and interruption: the one mechanism that ends a computation early.
//!
//! [`ResourceLimits`] are consulted in two ways:
//!
//! * a search, or whatever else has a partial result, asks [`ResourceLimits::reached`] now and then and stops;
//! * everything else (front-ends, translations, analyses, guides) calls [`checkpoint`] in every loop whose length the input
//!   decides. It unwinds to the enclosing [`ResourceLimits::bound`] when a limit is reached, so that functions which only
//!   ever fail for lack of time or memory need no error type. The panic hook is not called.
//!
//! `docs/decisions/limits.md` says why.

mod process;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

pub use process::{address_limit, available_memory, resident_memory};

/// The limit that ended a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitReached {
    /// The deadline passed.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The user interrupted the computation.
    Interrupted,
}

impl LimitReached {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            LimitReached::Time => "time",
            LimitReached::Memory => "memory",
            LimitReached::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LimitReached::Time => "the time limit was reached",
            LimitReached::Memory => "the memory limit was reached",
            LimitReached::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for LimitReached {}

/// Stops computations from another thread. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicU8>);

const MEMORY: u8 = 1;
const INTERRUPTED: u8 = 2;

impl StopSignal {
    /// Stops the computations at the request of the user. Returns whether that was requested before.
    pub fn interrupt(&self) -> bool {
        self.0.fetch_or(INTERRUPTED, Ordering::Relaxed) & INTERRUPTED != 0
    }

    /// Stops the computations because the process uses too much memory.
    pub fn out_of_memory(&self) {
        self.0.fetch_or(MEMORY, Ordering::Relaxed);
    }

    /// The process no longer uses too much memory: what used it has stopped.
    pub fn memory_is_free(&self) {
        self.0.fetch_and(!MEMORY, Ordering::Relaxed);
    }

    /// Why the computations are to stop, if they are. The user's request comes first.
    #[inline]
    pub fn raised(&self) -> Option<LimitReached> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            MEMORY => Some(LimitReached::Memory),
            _ => Some(LimitReached::Interrupted),
        }
    }
}

/// The least time for putting results together after a deadline.
const GRACE: Duration = Duration::from_millis(300);
/// The time for each of judging and reporting results after a signal.
const GRACE_AFTER_SIGNAL: Duration = Duration::from_millis(120);

/// What a computation may use.
#[derive(Clone, Debug, Default)]
pub struct ResourceLimits {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Time after the deadline in which results are put together: a third each for minimising and judging traces and for the
    /// report.
    pub grace: Duration,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Stops the computation from outside.
    pub stop: StopSignal,
}

impl ResourceLimits {
    /// Limits of a computation that has `time` from `started` on, and a little longer for its results.
    pub fn new(started: Instant, time: Option<Duration>, memory: Option<u64>, stop: StopSignal) -> Self {
        let grace = time.map_or(Duration::ZERO, |time| GRACE + time / 20);
        ResourceLimits { deadline: time.and_then(|time| started.checked_add(time)), grace, memory, stop }
    }

    /// The limit that is reached, if any.
    #[inline]
    pub fn reached(&self) -> Option<LimitReached> {
        self.stop.raised().or_else(|| self.is_late().then_some(LimitReached::Time))
    }

    /// Whether the deadline has passed.
    #[inline]
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The same limits with a deadline that is no later than this one.
    #[must_use]
    pub fn until(&self, latest: Instant) -> Self {
        ResourceLimits { deadline: Some(self.deadline.map_or(latest, |d| d.min(latest))), ..self.clone() }
    }

    /// The same limits for judging results. After a signal there is still some time for that.
    #[must_use]
    pub fn with_grace(&self) -> Self {
        self.extended(self.grace * 2 / 3)
    }

    /// The same limits for the report.
    #[must_use]
    pub fn for_report(&self) -> Self {
        self.extended(self.grace)
    }

    fn extended(&self, grace: Duration) -> Self {
        let later = ResourceLimits { deadline: self.deadline.map(|d| d + grace), ..self.clone() };
        if self.stop.raised().is_none() {
            return later;
        }
        ResourceLimits { stop: StopSignal::default(), ..later.until(Instant::now() + GRACE_AFTER_SIGNAL) }
    }

    /// Withdraws the signal that the process uses too much memory if it no longer does: what was to stop has stopped.
    fn recover_memory(&self) {
        let resident = || resident_memory().unwrap_or(u64::MAX);
        if self.stop.raised() == Some(LimitReached::Memory) && self.memory.is_none_or(|limit| resident() <= limit) {
            self.stop.memory_is_free();
        }
    }

    /// Runs work that calls [`checkpoint`] on this thread. Scopes nest; the innermost decides. Where the memory limit ends
    /// the work, and the process has room again afterwards, other work goes on.
    ///
    /// ```
    /// # use lurcher_resources::{LimitReached, ResourceLimits, checkpoint};
    /// let limits = ResourceLimits::default();
    /// limits.stop.interrupt();
    /// let endless = || loop { checkpoint() };
    /// assert_eq!(limits.bound(endless), Err::<(), _>(LimitReached::Interrupted));
    /// ```
    ///
    /// # Errors
    /// When a limit was reached: the work unwound, and left nothing but what it had shared before.
    pub fn bound<T>(&self, work: impl FnOnce() -> T) -> Result<T, LimitReached> {
        self.recover_memory();
        let scope = Scope::new(Some((self.clone(), true)));
        let result = catch_unwind(AssertUnwindSafe(work));
        drop(scope);
        self.recover_memory();
        result.map_err(|panic| match panic.downcast::<LimitReached>() {
            Ok(reached) => *reached,
            Err(panic) => resume_unwind(panic),
        })
    }

    /// The limits of the enclosing scope; none without one.
    pub fn current() -> Self {
        CURRENT.with_borrow(|current| current.as_ref().map(|(limits, _)| limits.clone()).unwrap_or_default())
    }

    /// Makes these the limits that [`reached`] answers for on this thread, until the scope is dropped. Nothing unwinds in
    /// it: for threads that keep what they have done.
    pub fn enter(&self) -> Scope {
        Scope::new(Some((self.clone(), false)))
    }
}

/// Work for another thread that is to wait for no longer than this one: it unwinds where this thread would, and whoever
/// joins that thread resumes unwinding.
pub fn inherited<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let limits = CURRENT.with_borrow(Clone::clone);
    move || {
        let _scope = Scope::new(limits);
        work()
    }
}

/// Limits of a thread; those of the enclosing scope return when it is dropped.
#[must_use = "the limits hold until the scope is dropped"]
pub struct Scope {
    outer: Option<Limits>,
    /// It belongs to its thread.
    here: PhantomData<*const ()>,
}

/// The limits of a scope, and whether work in it unwinds when they are reached.
type Limits = (ResourceLimits, bool);

impl Scope {
    fn new(limits: Option<Limits>) -> Scope {
        COUNTDOWN.set(0);
        Scope { outer: CURRENT.replace(limits), here: PhantomData }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        CURRENT.set(self.outer.take());
        COUNTDOWN.set(0);
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Limits>> = const { RefCell::new(None) };
    /// Units of work until the limits are consulted again.
    static COUNTDOWN: Cell<u32> = const { Cell::new(0) };
}

/// Units of work between two looks at the limits.
const INTERVAL: u32 = 256;

/// The limit of the enclosing scope that is reached, if any: for loops that can return what they have done.
pub fn reached() -> Option<LimitReached> {
    CURRENT.with_borrow(|current| current.as_ref().and_then(|(limits, _)| limits.reached()))
}

/// Consults the limits of the enclosing [`ResourceLimits::bound`], if there is one: to be called in every loop whose length
/// the input decides. Unwinds when one is reached. Cheap enough for an iteration that allocates.
#[inline]
pub fn checkpoint() {
    charge(1);
}

/// Like so many calls of [`checkpoint`]: before work on so many items that cannot consult the limits itself.
#[inline]
pub fn charge(units: usize) {
    let left = COUNTDOWN.get();
    match u32::try_from(units).ok().and_then(|units| left.checked_sub(units)) {
        Some(left) => COUNTDOWN.set(left),
        None => checkpoint_now(),
    }
}

/// Consults the limits at once: after work that has stopped at one without a word.
#[cold]
pub fn checkpoint_now() {
    COUNTDOWN.set(INTERVAL);
    let unwinds = CURRENT.with_borrow(|current| current.as_ref().is_some_and(|(_, unwinds)| *unwinds));
    // A destructor that runs while the thread unwinds must not unwind as well.
    if let Some(reached) = reached().filter(|_| unwinds && !std::thread::panicking()) {
        resume_unwind(Box::new(reached));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn late() -> ResourceLimits {
        ResourceLimits { deadline: Some(Instant::now()), ..ResourceLimits::default() }
    }

    fn endless() {
        loop {
            checkpoint();
        }
    }

    #[test]
    fn an_endless_loop_ends_at_its_deadline() {
        assert_eq!(late().bound(endless), Err(LimitReached::Time));
    }

    #[test]
    fn work_within_the_limits_gives_its_result() {
        assert_eq!(late().bound(|| 7), Ok(7));
        let limits = ResourceLimits::default();
        assert_eq!(limits.bound(|| (0..10_000).inspect(|_| checkpoint()).count()), Ok(10_000));
    }

    #[test]
    fn the_user_comes_before_memory() {
        let limits = ResourceLimits::default();
        assert_eq!(limits.reached(), None);
        limits.stop.out_of_memory();
        assert_eq!(limits.reached(), Some(LimitReached::Memory));
        assert!(!limits.stop.interrupt() && limits.stop.interrupt());
        assert_eq!(limits.reached(), Some(LimitReached::Interrupted));
    }

    #[test]
    fn work_goes_on_where_memory_is_free_again() {
        let limits = ResourceLimits { memory: Some(1 << 50), ..ResourceLimits::default() };
        let stop = limits.stop.clone();
        let ended = limits.bound(|| {
            stop.out_of_memory();
            endless()
        });
        assert_eq!(ended, Err::<(), _>(LimitReached::Memory));
        assert_eq!(limits.bound(|| (0..10_000).for_each(|_| checkpoint())), Ok(()));
        let full = ResourceLimits { memory: Some(0), ..limits };
        full.stop.out_of_memory();
        assert_eq!(full.bound(endless), Err(LimitReached::Memory));
        assert_eq!(full.bound(endless), Err(LimitReached::Memory));
    }

    #[test]
    fn an_inner_scope_ends_alone_and_the_outer_one_stays_bound() {
        let outer = ResourceLimits::default();
        let result = outer.bound(|| {
            assert_eq!(outer.until(Instant::now()).bound(endless), Err(LimitReached::Time));
            outer.stop.interrupt();
            endless();
        });
        assert_eq!(result, Err(LimitReached::Interrupted));
        // No scope is left: this ends.
        (0..10_000).for_each(|_| checkpoint());
    }

    #[test]
    fn threads_inherit_limits_and_unwind_to_whoever_joins_them() {
        let joined = late().bound(|| {
            let work = inherited(endless);
            std::thread::scope(|scope| scope.spawn(work).join()).unwrap_or_else(|panic| resume_unwind(panic));
        });
        assert_eq!(joined, Err(LimitReached::Time));
    }

    #[test]
    fn nothing_unwinds_in_an_entered_scope() {
        let scope = late().enter();
        (0..10_000).for_each(|_| checkpoint());
        assert_eq!(reached(), Some(LimitReached::Time));
        drop(scope);
        assert_eq!(reached(), None);
    }

    #[test]
    fn other_panics_pass() {
        let panic = catch_unwind(|| late().bound(|| resume_unwind(Box::new("broken"))).map(|(): ()| ()));
        assert_eq!(*panic.unwrap_err().downcast::<&str>().unwrap(), "broken");
    }
}
