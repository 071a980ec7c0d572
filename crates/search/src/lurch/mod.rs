//! LURCH: partial random search with all properties watched at once (Owen and Menzies 2003; Owen, Menzies, Heimdahl and
//! Gao 2003).
//!
//! A path starts in an initial state and moves the machines at random until there is nothing to do, until it has come
//! to as many states as it may that it has visited before, or until it is too long. Paths are made one after another;
//! a path goes on past a violation, so that one search serves every property. Only hashes of states are kept, in a
//! table that does not grow past its limit. What a path visits again is decided by its own states, as in the paper; the
//! table tells how much of what is seen is still new. That share falls quickly, and where it has fallen there is
//! little left to find: the saturation curve.
//!
//! Path *i* of seed *s* is the same whatever came before it, so a path that shows a violation is made again to learn the
//! way.

mod hashes;
mod process;
mod relation;

use std::time::{Duration, Instant};

use crate::budget::{Budget, BudgetMeter, Observer, Progress, StopReason};
use crate::outcome::FoundKind;
use crate::walk::{Draws, Visited};

use hashes::Hashes;

pub use process::ProcessMachines;
pub use relation::RelationMachines;

/// How LURCH searches.
#[derive(Clone, Copy, Debug)]
pub struct LurchPlan {
    /// The seed of all paths.
    pub seed: u64,
    /// A path ends when it has come so often to a state that it has visited before.
    pub repeats: u32,
    /// Steps after which a path ends.
    pub depth: u32,
    /// Paths to make.
    pub paths: Option<u64>,
    /// Bytes for the hashes of states.
    pub memory: u64,
    /// Stop when less than this share of the steps between two points of the curve led to new states.
    pub saturation: Option<f64>,
}

impl Default for LurchPlan {
    fn default() -> Self {
        LurchPlan { seed: 1, repeats: 2, depth: 10_000, paths: None, memory: 64 << 20, saturation: None }
    }
}

/// A property that was violated.
#[derive(Clone, Debug)]
pub struct LurchFound<R> {
    /// Which.
    pub kind: FoundKind,
    /// The number of the path.
    pub path: u64,
    /// Steps of this path before it.
    pub step: u32,
    /// Steps of all paths before it.
    pub steps: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The way to it.
    pub run: R,
}

/// A point of the saturation curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saturation {
    /// Steps taken.
    pub steps: u64,
    /// Different states met.
    pub states: u64,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct LurchReport<R> {
    /// What stopped it: `Violation` when everything that is watched was violated.
    pub stop: StopReason,
    /// The first violation of each property, in the order found.
    pub found: Vec<LurchFound<R>>,
    /// Paths made.
    pub paths: u64,
    /// Steps taken.
    pub steps: u64,
    /// Length of the longest path.
    pub depth: u32,
    /// Different states met; a lower bound once the table is full.
    pub states: u64,
    /// The table was full, so that states met later count as known.
    pub full: bool,
    /// States met by steps taken, at step numbers that grow by a quarter.
    pub curve: Vec<Saturation>,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// Another state.
    On,
    /// Nothing can move, or nothing is left after a violation.
    End,
}

/// The machines of a model, as LURCH moves them.
pub trait Machines {
    /// The way along a path.
    type Run;

    /// How many properties are watched; nothing if that is not known before they are violated.
    fn watched(&self) -> Option<usize>;

    /// Goes to an initial state drawn at random; false if there is none. With `record`, the way is kept from here on.
    fn start(&mut self, draws: &mut Draws, record: bool) -> bool;

    /// Notes what is wrong with the state.
    fn look(&mut self, violated: &mut Vec<FoundKind>);

    /// A hash of the state.
    fn fingerprint(&mut self) -> u64;

    /// Moves at random; notes what is wrong with the step, or with there being none.
    fn step(&mut self, draws: &mut Draws, violated: &mut Vec<FoundKind>) -> Moved;

    /// Is the cycle from the state after so many steps to this one a violation?
    fn closes(&mut self, first: u32) -> bool;

    /// The way that was recorded, closed after so many steps if it is a cycle.
    fn run(&mut self, cycle_start: Option<u32>) -> Self::Run;
}

/// Searches until the budget is used up, the plan is done, or everything watched is violated.
pub fn lurch<M: Machines>(
    machines: &mut M,
    plan: &LurchPlan,
    budget: &Budget,
    observer: &mut impl Observer,
) -> LurchReport<M::Run> {
    let report = LurchReport {
        stop: StopReason::Complete,
        found: Vec::new(),
        paths: 0,
        steps: 0,
        depth: 0,
        states: 0,
        full: false,
        curve: Vec::new(),
    };
    let mut search = Search {
        machines,
        plan: *plan,
        began: Instant::now(),
        hashes: Hashes::new(plan.memory),
        visited: Visited::default(),
        violated: Vec::new(),
        sights: Vec::new(),
        next_point: 1,
        report,
    };
    search.report.stop = search.paths(&mut BudgetMeter::new(budget), observer);
    search.mark();
    search.report.full = search.hashes.is_full();
    search.report
}

struct Search<'s, M: Machines> {
    machines: &'s mut M,
    plan: LurchPlan,
    began: Instant,
    hashes: Hashes,
    /// The states of the path.
    visited: Visited,
    violated: Vec<FoundKind>,
    sights: Vec<Sight>,
    /// Steps at which the next point of the curve is due.
    next_point: u64,
    report: LurchReport<M::Run>,
}

impl<M: Machines> Search<'_, M> {
    fn paths(&mut self, watch: &mut BudgetMeter<'_>, observer: &mut impl Observer) -> StopReason {
        loop {
            if self.plan.paths.is_some_and(|most| self.report.paths >= most) {
                return StopReason::Walks;
            }
            let ended = self.path(watch, observer);
            self.learn_ways();
            if let Some(stop) = ended {
                return stop;
            }
            self.report.paths += 1;
            if self.machines.watched().is_some_and(|count| self.report.found.len() >= count) {
                return StopReason::Violation;
            }
        }
    }

    /// Makes a path; says when the search must stop.
    fn path(&mut self, watch: &mut BudgetMeter<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        let mut draws = Draws::of(self.plan.seed, self.report.paths);
        if !self.machines.start(&mut draws, false) {
            return Some(StopReason::Complete);
        }
        self.visited.clear();
        let (mut step, mut repeats) = (0, 0);
        loop {
            self.machines.look(&mut self.violated);
            self.note(step, None);
            let hash = self.machines.fingerprint();
            self.report.states += u64::from(self.hashes.insert(hash));
            if let Some(first) = self.visited.note(hash, step) {
                if self.machines.closes(first) {
                    self.violated.push(FoundKind::Cycle);
                    self.note(step, Some(first));
                }
                repeats += 1;
                if repeats >= self.plan.repeats {
                    return None;
                }
            }
            if step >= self.plan.depth {
                return None;
            }
            let moved = self.machines.step(&mut draws, &mut self.violated);
            // What is wrong with a step lies behind it, a state that nothing leaves is where the path is.
            let stuck = moved == Moved::End && self.violated == [FoundKind::Deadlock];
            self.note(step + u32::from(!stuck), None);
            if moved == Moved::End {
                return None;
            }
            step += 1;
            self.report.steps += 1;
            self.report.depth = self.report.depth.max(step);
            if let Some(stop) = self.pause(watch, observer) {
                return Some(stop);
            }
        }
    }

    /// Looks at the clock and at the curve.
    fn pause(&mut self, watch: &mut BudgetMeter<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        let report = &self.report;
        let progress = || Progress {
            stored: report.states,
            transitions: report.steps,
            depth: u64::from(report.depth),
            memory: self.hashes.memory() + self.visited.memory(),
            walks: Some(report.paths),
            ..Progress::default()
        };
        if let Some(stop) = watch.tick(report.steps, observer, progress) {
            return Some(stop);
        }
        if report.steps < self.next_point {
            return None;
        }
        let before = self.report.curve.last().copied().unwrap_or(Saturation { steps: 0, states: 0 });
        self.mark();
        self.next_point += (self.next_point / 4).max(1);
        let now = self.report.curve.last().copied().unwrap_or(before);
        let new = (now.states - before.states) as f64;
        let share = new / (now.steps - before.steps).max(1) as f64;
        let saturated = self.plan.saturation.is_some_and(|least| share < least);
        (saturated && now.steps - before.steps >= WINDOW).then_some(StopReason::Saturation)
    }

    fn mark(&mut self) {
        let point = Saturation { steps: self.report.steps, states: self.report.states };
        if self.report.curve.last() != Some(&point) {
            self.report.curve.push(point);
        }
    }

    /// Notes what was violated after so many steps of this path, unless it was violated before.
    fn note(&mut self, step: u32, cycle_start: Option<u32>) {
        for kind in self.violated.drain(..) {
            let known = self.report.found.iter().map(|f| &f.kind).chain(self.sights.iter().map(|s| &s.kind));
            if known.into_iter().all(|k| *k != kind) {
                let (steps, elapsed) = (self.report.steps, self.began.elapsed());
                self.sights.push(Sight { kind, step, steps, elapsed, cycle_start });
            }
        }
    }

    /// Makes the path again for each thing that it has shown.
    fn learn_ways(&mut self) {
        let path = self.report.paths;
        for sight in std::mem::take(&mut self.sights) {
            let Sight { kind, step, steps, elapsed, cycle_start } = sight;
            let mut draws = Draws::of(self.plan.seed, path);
            self.machines.start(&mut draws, true);
            for _ in 0..step {
                self.machines.step(&mut draws, &mut self.violated);
            }
            self.violated.clear();
            let run = self.machines.run(cycle_start);
            self.report.found.push(LurchFound { kind, path, step, steps, elapsed, run });
        }
    }
}

/// Something that the path under way has shown.
struct Sight {
    kind: FoundKind,
    step: u32,
    steps: u64,
    elapsed: Duration,
    cycle_start: Option<u32>,
}

/// Steps that a share of new states is taken over, at least.
const WINDOW: u64 = 1000;
