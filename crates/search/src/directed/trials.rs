//! Independent trials of a randomised search.
//!
//! Trial *i* of seed *s* draws from the numbers (*s*, *i*), like walk *i* of a hunt, and has a budget of its own. Threads take
//! trials in turn; the trial with the smallest number that decides the property gives the result, and only it and those before
//! it count. So the result does not depend on the number of threads (Rungta and Mercer 2007, section 3).

use std::collections::BTreeMap;
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
            next: AtomicU64::new(0),
            end: self.count.unwrap_or(u64::MAX),
            decided: AtomicU64::new(u64::MAX),
            tally: Mutex::new(Tally::new()),
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
    next: AtomicU64,
    end: u64,
    /// The smallest number of a trial that decided the property.
    decided: AtomicU64,
    tally: Mutex<Tally<S>>,
}

impl<S: Send> Shared<S> {
    fn work<W>(
        &self,
        worker: &mut W,
        budget: &Budget,
        observer: &mut dyn Observer,
        run: &impl Fn(&mut W, Trial<'_>) -> Outcome<S>,
    ) {
        while lock(&self.tally).stop.is_none() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.end.min(self.decided.load(Ordering::Acquire)) {
                return;
            }
            let is_abandoned = || self.decided.load(Ordering::Relaxed) < number;
            let outcome = run(worker, (number, budget, &is_abandoned, &mut *observer));
            if is_abandoned() {
                return;
            }
            let mut tally = lock(&self.tally);
            tally.stored += outcome.stats.stored;
            let is_over = self.all.is_some_and(|most| tally.stored > most);
            let stop = match outcome.stop {
                StopReason::Violation | StopReason::Complete => {
                    self.decided.fetch_min(number, Ordering::AcqRel);
                    None
                }
                StopReason::States if self.is_cut_for_all => Some(StopReason::States),
                StopReason::States | StopReason::Memory | StopReason::Depth | StopReason::Frontier => None,
                stop => Some(stop),
            };
            // A trial of a few states ends before it looks at the clock.
            let stop = is_over.then_some(StopReason::States).or(stop).or_else(|| budget.stop_reason());
            tally.stop = tally.stop.or(stop);
            tally.add(number, outcome);
        }
    }

    fn result(self) -> (Outcome<S>, TrialCounts) {
        let decided = self.decided.into_inner();
        let tally = into_inner(self.tally);
        let Tally { mut counts, stop, first, decider, .. } = tally.closed(decided);
        let (sums, cut) = (counts.stats, counts.cut_by_states);
        counts.trials.decided_by = Some(decided).filter(|&number| number != u64::MAX);
        // A trial that the limit on all of them ended might have decided the property.
        if self.is_cut_for_all && cut {
            return (Outcome::new(StopReason::States, sums), counts.trials);
        }
        // A trial that is the only one says itself what ended it.
        let only = first.filter(|_| self.end == 1);
        match decider {
            Some((_, outcome)) => (Outcome { stats: sums, ..outcome }, counts.trials),
            None => (Outcome::new(stop.or(only).unwrap_or(StopReason::Trials), sums), counts.trials),
        }
    }
}

/// The trials that have ended. Their counts are added up in the order of their numbers, so that millions of trials take no memory.
struct Tally<S> {
    /// What stopped all trials.
    stop: Option<StopReason>,
    /// States that trials stored.
    stored: u64,
    /// Trials before this number are counted.
    counted: u64,
    counts: Counts,
    /// Trials that ended before one with a smaller number did.
    waiting: BTreeMap<u64, (Stats, StopReason)>,
    /// What ended the first trial.
    first: Option<StopReason>,
    /// The trial with the smallest number that decided the property.
    decider: Option<(u64, Outcome<S>)>,
}

/// The counts of trials.
#[derive(Default)]
struct Counts {
    stats: Stats,
    trials: TrialCounts,
    /// One of them ended at a limit on states.
    cut_by_states: bool,
}

impl Counts {
    fn add(&mut self, stats: &Stats, stop: StopReason) {
        self.trials.made += 1;
        self.trials.cut += u64::from(matches!(stop, StopReason::States | StopReason::Memory));
        self.cut_by_states |= stop == StopReason::States;
        let memory = self.stats.memory.max(stats.memory);
        self.stats.merge(stats);
        self.stats.memory = memory;
    }
}

impl<S> Tally<S> {
    fn new() -> Self {
        let (counts, waiting) = (Counts::default(), BTreeMap::new());
        Tally { stop: None, stored: 0, counted: 0, counts, waiting, first: None, decider: None }
    }

    fn add(&mut self, number: u64, outcome: Outcome<S>) {
        self.waiting.insert(number, (outcome.stats, outcome.stop));
        if number == 0 {
            self.first = Some(outcome.stop);
        }
        let decides = matches!(outcome.stop, StopReason::Violation | StopReason::Complete);
        if decides && self.decider.as_ref().is_none_or(|(first, _)| number < *first) {
            self.decider = Some((number, outcome));
        }
        let last = self.decider.as_ref().map_or(u64::MAX, |(number, _)| *number);
        while self.counted <= last
            && let Some((stats, stop)) = self.waiting.remove(&self.counted)
        {
            self.counts.add(&stats, stop);
            self.counted += 1;
        }
    }

    /// With all trials up to the one that decided the property.
    fn closed(mut self, decided: u64) -> Self {
        for (_, (stats, stop)) in std::mem::take(&mut self.waiting).into_iter().filter(|(number, _)| *number <= decided)
        {
            self.counts.add(&stats, stop);
        }
        self
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn ended(stop: StopReason) -> Outcome<()> {
        Outcome::new(stop, Stats { stored: 1, expanded: 1, memory: 10, ..Stats::default() })
    }

    /// Trials too short to look at the clock end when the time is over, and are not kept.
    #[test]
    fn the_clock_ends_trials_of_one_state() {
        let mut budget = Budget::default();
        budget.resources.deadline = Some(Instant::now() + Duration::from_millis(50));
        let trials = Trials { count: None, states: 1 };
        let (outcome, counts) = trials.run(&mut [(), ()], &budget, &mut (), |(), _| ended(StopReason::States));
        assert_eq!(outcome.stop, StopReason::Time);
        assert!(counts.made > 100 && counts.cut == counts.made, "{counts:?}");
        assert_eq!((outcome.stats.stored, outcome.stats.memory), (counts.made, 10));
    }

    #[test]
    fn counts_wait_for_trials_with_smaller_numbers() {
        let mut tally = Tally::new();
        for number in [1, 2, 5, 4] {
            tally.add(number, ended(StopReason::States));
        }
        assert_eq!((tally.counts.trials.made, tally.waiting.len()), (0, 4));
        tally.add(0, ended(StopReason::Frontier));
        assert_eq!((tally.counts.trials.made, tally.waiting.len(), tally.first), (3, 2, Some(StopReason::Frontier)));
        tally.add(3, ended(StopReason::Violation));
        assert_eq!(tally.decider.as_ref().map(|(number, _)| *number), Some(3));
        assert_eq!(tally.closed(3).counts.trials.made, 4);
    }

    #[test]
    fn the_trial_with_the_smallest_number_decides_and_later_ones_do_not_count() {
        let run = |_: &mut (), (number, ..): Trial<'_>| {
            ended(if number == 4 { StopReason::Violation } else { StopReason::States })
        };
        let trials = Trials { count: Some(100), states: 1 };
        let (outcome, counts) = trials.run(&mut [(), (), ()], &Budget::default(), &mut (), run);
        assert_eq!(outcome.stop, StopReason::Violation);
        assert_eq!(counts, TrialCounts { made: 5, decided_by: Some(4), cut: 4 });
    }
}
