//! Independent trials of a randomised search.
//!
//! Trial *i* of seed *s* draws from the numbers (*s*, *i*), like walk *i* of a hunt, and has a budget of its own. Threads take
//! trials in turn; the trial with the smallest number that decides the property gives the result, and only it and those before
//! it count. So the result does not depend on the number of threads (Rungta and Mercer 2007, section 3).

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::budget::{Budget, Observer, Phase, Progress, StopReason};
use crate::outcome::{Outcome, Stats};

/// How trials are made.
#[derive(Clone, Copy, Debug)]
pub struct Trials {
    /// How many; no end without a number.
    pub count: Option<u64>,
    /// The most states that a trial stores.
    pub states: u64,
}

/// How trials went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrialCounts {
    /// Trials that count: up to the one that decided the property, or all.
    pub made: u64,
    /// The number of the trial that decided the property.
    pub decided_by: Option<u64>,
    /// Trials that ended at their own limit on states.
    pub cut: u64,
}

/// A trial: its number, its budget, whether it is abandoned, and who is told of its progress.
pub type Trial<'t> = (u64, &'t Budget, &'t (dyn Fn() -> bool + Sync), &'t mut dyn Observer);

impl Trials {
    /// Makes trials with `run` on a thread for each of the workers.
    pub fn run<W: Send, S: Send>(
        &self,
        workers: &mut [W],
        budget: &Budget,
        observer: &mut dyn Observer,
        run: impl Fn(&mut W, Trial<'_>) -> Outcome<S> + Sync,
    ) -> (Outcome<S>, TrialCounts) {
        let memory = budget.resources.memory.map(|bytes| bytes / workers.len().max(1) as u64);
        let states = budget.states.map_or(self.states, |all| all.min(self.states));
        let own = Budget { states: Some(states), ..budget.with_memory(memory) };
        let shared = Shared {
            all: budget.states,
            is_cut_for_all: states < self.states,
            stored: AtomicU64::new(0),
            next: AtomicU64::new(0),
            end: self.count.unwrap_or(u64::MAX),
            decided: AtomicU64::new(u64::MAX),
            ended: Mutex::new(Vec::new()),
            stop: Mutex::new(None),
        };
        let (first, others) = workers.split_first_mut().expect("a worker");
        std::thread::scope(|scope| {
            for worker in others {
                let (own, shared, run) = (&own, &shared, &run);
                scope.spawn(move || shared.work(worker, own, &mut (), run));
            }
            shared.work(first, &own, &mut Counting { observer, shared: &shared.next }, &run);
        });
        shared.result()
    }
}

/// Adds the number of trials to the progress of one.
struct Counting<'o> {
    observer: &'o mut dyn Observer,
    shared: &'o AtomicU64,
}

impl Observer for Counting<'_> {
    fn progress(&mut self, progress: &Progress) {
        let trials = Some(self.shared.load(Ordering::Relaxed));
        self.observer.progress(&Progress { trials, ..*progress });
    }

    fn phase(&mut self, phase: &Phase<'_>) {
        self.observer.phase(phase);
    }
}

struct Shared<S> {
    /// The most states of all trials together.
    all: Option<u64>,
    /// That limit is below the limit of a single trial.
    is_cut_for_all: bool,
    /// States that trials stored.
    stored: AtomicU64,
    next: AtomicU64,
    end: u64,
    /// The smallest number of a trial that decided the property.
    decided: AtomicU64,
    ended: Mutex<Vec<(u64, Outcome<S>)>>,
    /// What stopped all trials.
    stop: Mutex<Option<StopReason>>,
}

impl<S: Send> Shared<S> {
    fn work<W>(
        &self,
        worker: &mut W,
        budget: &Budget,
        observer: &mut dyn Observer,
        run: &impl Fn(&mut W, Trial<'_>) -> Outcome<S>,
    ) {
        while lock(&self.stop).is_none() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.end.min(self.decided.load(Ordering::Acquire)) {
                return;
            }
            let is_abandoned = || self.decided.load(Ordering::Relaxed) < number;
            let outcome = run(worker, (number, budget, &is_abandoned, &mut *observer));
            if is_abandoned() {
                return;
            }
            let stored = self.stored.fetch_add(outcome.stats.stored, Ordering::Relaxed) + outcome.stats.stored;
            if self.all.is_some_and(|most| stored > most) {
                lock(&self.stop).get_or_insert(StopReason::States);
            }
            match outcome.stop {
                StopReason::Violation | StopReason::Complete => _ = self.decided.fetch_min(number, Ordering::AcqRel),
                StopReason::States if self.is_cut_for_all => _ = lock(&self.stop).get_or_insert(StopReason::States),
                StopReason::States | StopReason::Memory | StopReason::Depth | StopReason::Frontier => {}
                stop => _ = lock(&self.stop).get_or_insert(stop),
            }
            lock(&self.ended).push((number, outcome));
        }
    }

    fn result(self) -> (Outcome<S>, TrialCounts) {
        let decided = self.decided.into_inner();
        let mut ended = into_inner(self.ended);
        ended.retain(|(number, _)| *number <= decided);
        ended.sort_by_key(|(number, _)| *number);
        let mut stats = Stats::default();
        let mut counts = TrialCounts { decided_by: Some(decided).filter(|&d| d != u64::MAX), ..Default::default() };
        let mut last = None;
        // A trial that is the only one says itself what ended it.
        let only = ended.first().filter(|_| self.end == 1).map(|(_, outcome)| outcome.stop);
        let mut is_undecided = false;
        for (number, outcome) in ended {
            counts.made += 1;
            is_undecided |= self.is_cut_for_all && outcome.stop == StopReason::States;
            counts.cut += u64::from(matches!(outcome.stop, StopReason::States | StopReason::Memory));
            let memory = stats.memory.max(outcome.stats.memory);
            stats.merge(&outcome.stats);
            stats.memory = memory;
            last = Some(outcome).filter(|_| number == decided);
        }
        // A trial that the limit on all of them ended might have decided the property.
        if is_undecided {
            return (Outcome::new(StopReason::States, stats), counts);
        }
        let stop = into_inner(self.stop).unwrap_or(only.unwrap_or(StopReason::Trials));
        match last {
            Some(outcome) => (Outcome { stats, ..outcome }, counts),
            None => (Outcome::new(stop, stats), counts),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}
