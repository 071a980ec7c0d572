//! A batch of units: planned, then run on threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Observer, Progress};
use crate::walk::{End, Keep, WalkDomain, Walked, Walker};

use super::Hunt;
use super::member::{FULL, Member, MemberStats};
use super::observation::Observation;

/// Units of the first batch. Each batch has twice as many as the one before, up to `MOST`.
const FIRST: usize = 16;
const MOST: usize = 1024;
/// The most with a single member, because then nothing is decided between batches.
const MOST_ALONE: usize = 1 << 14;
/// A batch ends when its walks are expected to take this many steps.
const STEPS: u64 = 4_000_000;
/// A thread checks the deadline between units after this many of the intervals at which a long walk checks it.
const INTERVALS: u64 = 16;

/// A unit that is planned.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Unit {
    pub member: u16,
    pub depth: u32,
    /// Walks in its chain.
    pub walks: u32,
    /// Its states are recorded.
    pub looks: bool,
}

/// Units that are planned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Batch {
    pub units: Vec<Unit>,
}

/// What the threads of a batch share.
struct Shared<D: WalkDomain> {
    /// The next unit to start.
    next: AtomicUsize,
    /// The first unit that found a violation: later ones need not finish.
    found: AtomicUsize,
    /// Steps of the units that are done, and their number.
    steps: AtomicU64,
    units: AtomicU64,
    /// Results of the units that are done, and the number of threads that are done.
    results: Mutex<(Vec<Done<D>>, usize)>,
    done: Condvar,
}

/// The result of a unit, if it is done.
type Done<D> = Option<Walked<<D as WalkDomain>::Step, <D as WalkDomain>::Coverage>>;

impl<D: WalkDomain> Hunt<D> {
    /// Plans the next units: each is for the member that is furthest behind its share.
    pub(super) fn plan_batch(&mut self) -> Vec<Unit> {
        let state = &mut self.state;
        let most = (FIRST << state.batches.min(16)).min(if self.members.len() > 1 { MOST } else { MOST_ALONE });
        state.batches += 1;
        let mut clocks: Vec<u64> = state.members.iter().map(|m| m.clock).collect();
        let mut numbers: Vec<u64> = state.members.iter().map(|m| m.units).collect();
        let observation = |(m, s): (&Member<_>, &MemberStats)| {
            Observation::new(self.domain.observation_cost(&m.plan, m.guide.is_some()), s.looked_steps)
        };
        let mut observations: Vec<Observation> = self.members.iter().zip(&state.members).map(observation).collect();
        // Walks may end long before their depth.
        let usual: Vec<Option<u64>> = state.members.iter().map(|m| m.steps.checked_div(m.units)).collect();
        let mut units = Vec::new();
        let mut steps = 0;
        while units.len() < most && (steps < STEPS || units.len() < self.members.len()) {
            let member = (0..clocks.len()).min_by_key(|&m| clocks[m]).expect("a portfolio has a member");
            let depth = self.members[member].depth(numbers[member]);
            let walks = self.members[member].plan.chain.max(1);
            let cost = u64::from(depth) * u64::from(walks);
            let expected = usual[member].map_or(cost, |usual| cost.min(2 * usual));
            let looks = observations[member].includes(numbers[member], expected);
            units.push(Unit { member: member as u16, depth, walks, looks });
            numbers[member] += 1;
            clocks[member] += cost * FULL / state.members[member].share.max(1);
            steps += expected;
        }
        units
    }

    /// Runs the units of a batch. Results may be missing behind the first violation, and where the budget is used up.
    pub(super) fn run(
        &self,
        units: &[Unit],
        level: u32,
        budget: &Budget,
        observer: &mut impl Observer,
    ) -> Vec<Done<D>> {
        let count = units.len();
        let shared: Shared<D> = Shared {
            next: AtomicUsize::new(0),
            found: AtomicUsize::new(usize::MAX),
            steps: AtomicU64::new(0),
            units: AtomicU64::new(0),
            results: Mutex::new(((0..count).map(|_| None).collect(), 0)),
            done: Condvar::new(),
        };
        let threads = self.plan.jobs.clamp(1, count.max(1));
        let keep = Keep { level, memory: budget.resources.memory.map(|m| m / 2 / threads as u64), ..Keep::default() };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| self.work(units, keep, budget, &shared));
            }
            self.watch(&shared, threads, observer);
        });
        shared.results.into_inner().expect("no worker panicked").0
    }

    fn work(&self, units: &[Unit], keep: Keep, budget: &Budget, shared: &Shared<D>) {
        let _scope = budget.resources.enter();
        let mut walker = Walker::new(self.domain.position());
        let mut mine = Vec::new();
        let mut taken = u64::MAX;
        loop {
            let interval = walker.check_interval() * INTERVALS;
            let unit = shared.next.fetch_add(1, Ordering::Relaxed);
            let late = || shared.found.load(Ordering::Relaxed) < unit || budget.resources.stop.raised().is_some();
            let stop = || late() || budget.resources.is_late();
            if unit >= units.len() || late() || (taken >= interval && stop()) {
                break;
            }
            taken %= interval;
            let number = self.state.next + unit as u64;
            let keep = Keep { blind: !units[unit].looks, ..keep };
            let walked = self.walk(&mut walker, number, &units[unit], keep, &stop);
            if walked.found.is_some() {
                shared.found.fetch_min(unit, Ordering::Relaxed);
            }
            taken += walked.steps;
            shared.steps.fetch_add(walked.steps, Ordering::Relaxed);
            shared.units.fetch_add(1, Ordering::Relaxed);
            let stopped = walked.end == End::Stopped;
            mine.push((unit, walked));
            if stopped {
                break;
            }
        }
        let mut results = shared.results.lock().expect("no worker panicked");
        for (unit, walked) in mine {
            results.0[unit] = Some(walked);
        }
        results.1 += 1;
        shared.done.notify_all();
    }

    /// Reports progress to the observer until all threads are done.
    fn watch(&self, shared: &Shared<D>, threads: usize, observer: &mut impl Observer) {
        let mut results = shared.results.lock().expect("no worker panicked");
        while results.1 < threads {
            let (guard, timeout) =
                shared.done.wait_timeout(results, Duration::from_millis(100)).expect("no worker panicked");
            results = guard;
            if timeout.timed_out() {
                drop(results);
                let done = shared.units.load(Ordering::Relaxed);
                observer.progress(&self.progress(done, shared.steps.load(Ordering::Relaxed)));
                results = shared.results.lock().expect("no worker panicked");
            }
        }
    }

    /// The progress of the hunt, with what the current batch has done.
    pub(super) fn progress(&self, units: u64, steps: u64) -> Progress {
        let state = &self.state;
        Progress {
            stored: state.seen.distinct(),
            transitions: state.steps + steps,
            depth: u64::from(state.depth),
            memory: state.seen.memory(),
            walks: Some(state.walks + units),
            new_share: (state.novelty[0] > 0).then(|| state.novelty[1] as f64 / state.novelty[0] as f64),
            best: state.members.iter().filter_map(|m| m.best).min(),
            frontier: None,
            trials: None,
        }
    }
}
