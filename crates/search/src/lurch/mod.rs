//! LURCH: partial random search that checks all properties at once (Owen and Menzies 2003; Owen, Menzies, Heimdahl and
//! Gao 2003).
//!
//! A path starts in an initial state and takes random steps until no step is enabled, until it has revisited its own states
//! often enough, or until its depth limit. Paths are made one after another; a path continues after a violation, so one
//! search serves every property. Only hashes of states are kept, in a table with a memory limit. The table counts how many
//! of the visited states are new. The share of new states falls quickly, and little is left to find when it is small: the
//! saturation curve.
//!
//! Path *i* of seed *s* does not depend on earlier paths, so a path with a violation is repeated to record its steps.

mod hashes;

use std::time::{Duration, Instant};

use lurcher_resources::ResourceLimits;
use lurcher_system::Path;

use crate::budget::{Budget, BudgetMeter, Observer, Progress, StopReason};
use crate::outcome::{Found, FoundKind};
use crate::walk::{Choice, Chosen, Draws, Position, Visited};

use hashes::Hashes;

/// How LURCH searches.
#[derive(Clone, Copy, Debug)]
pub struct LurchPlan {
    /// The seed of all paths.
    pub seed: u64,
    /// Visits to states visited before after which a path ends.
    pub repeats: u32,
    /// The most steps of a path.
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

/// The first violation of a property.
#[derive(Clone, Debug)]
pub struct LurchFound<S> {
    /// The violation with its path.
    pub found: Found<S>,
    /// The number of the path among all paths.
    pub number: u64,
    /// Steps of this path before the violation.
    pub step: u32,
    /// Steps of all paths before the violation.
    pub steps: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// A point of the saturation curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saturation {
    /// Steps taken.
    pub steps: u64,
    /// Different states visited.
    pub states: u64,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct LurchReport<S> {
    /// Why it stopped: `Violation` if all properties are violated.
    pub stop: StopReason,
    /// The first violation of each property, in the order found.
    pub found: Vec<LurchFound<S>>,
    /// Paths made.
    pub paths: u64,
    /// Steps taken.
    pub steps: u64,
    /// Length of the longest path.
    pub depth: u32,
    /// Different states visited; a lower bound once the table is full.
    pub states: u64,
    /// The table was full, so later states count as known.
    pub full: bool,
    /// States visited by steps taken, at step numbers that grow by a quarter.
    pub curve: Vec<Saturation>,
}

/// Searches until the budget is used up, the plan is done, or all `properties` are violated, if their number is known.
pub fn lurch<P: Position>(
    position: &mut P,
    properties: Option<usize>,
    plan: &LurchPlan,
    budget: &Budget,
    observer: &mut impl Observer,
) -> LurchReport<P::Step> {
    let _scope = budget.resources.enter();
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
        position,
        properties,
        plan: *plan,
        began: Instant::now(),
        hashes: Hashes::new(plan.memory),
        visited: Visited::default(),
        violated: Vec::new(),
        violations: Vec::new(),
        next_point: 1,
        report,
    };
    search.report.stop = search.paths(&mut BudgetMeter::new(budget), observer);
    search.mark();
    search.report.full = search.hashes.is_full();
    search.report
}

struct Search<'s, P: Position> {
    position: &'s mut P,
    properties: Option<usize>,
    plan: LurchPlan,
    began: Instant,
    hashes: Hashes,
    /// The states of the path.
    visited: Visited,
    violated: Vec<FoundKind>,
    violations: Vec<NewViolation>,
    /// Steps at which the next point of the curve is due.
    next_point: u64,
    report: LurchReport<P::Step>,
}

impl<P: Position> Search<'_, P> {
    fn paths(&mut self, meter: &mut BudgetMeter<'_>, observer: &mut impl Observer) -> StopReason {
        loop {
            if self.plan.paths.is_some_and(|most| self.report.paths >= most) {
                return StopReason::Walks;
            }
            let ended = self.path(meter, observer);
            self.record_paths();
            // A path may end before its first step.
            if let Some(stop) = ended.or_else(|| self.check(meter, observer)) {
                return stop;
            }
            self.report.paths += 1;
            if self.properties.is_some_and(|count| self.report.found.len() >= count) {
                return StopReason::Violation;
            }
        }
    }

    /// Goes to an initial state; false if there is none, nothing if it takes too long to find one.
    fn start(&mut self, draws: &mut Draws, record: bool) -> Option<bool> {
        self.position.record(record);
        let started = self.position.start(draws);
        self.position.begin();
        started
    }

    /// Takes a random step and notes its violation, or the deadlock; false if the path ends.
    fn step(&mut self, draws: &mut Draws) -> bool {
        match self.position.sample(&mut Choice { draws, visited: None, tries: &mut 0 }) {
            Chosen::Moved(_, None) => true,
            Chosen::Moved(_, Some(kind)) => {
                let fatal = matches!(&kind, FoundKind::Step(violation) if violation.is_fatal());
                self.violated.push(kind);
                !fatal
            }
            Chosen::Stopped => {
                self.violated.extend(self.position.deadlock());
                false
            }
            Chosen::Found(_) | Chosen::Closed(_) | Chosen::Exhausted | Chosen::Halted => false,
        }
    }

    /// Makes a path; returns why the search must stop, if it must.
    fn path(&mut self, meter: &mut BudgetMeter<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        let mut draws = Draws::of(self.plan.seed, self.report.paths);
        match self.start(&mut draws, false) {
            Some(true) => {}
            Some(false) => return Some(StopReason::Complete),
            None => return Some(meter.stop_reason().unwrap_or(StopReason::Successors)),
        }
        self.visited.clear();
        let (mut step, mut repeats) = (0, 0);
        loop {
            self.position.violations(&mut self.violated);
            self.note(step, None);
            let hash = self.position.fingerprint();
            self.report.states += u64::from(self.hashes.insert(hash));
            if let Some(first) = self.visited.note(hash, step) {
                if self.position.closes_since(first) {
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
            let moved = self.step(&mut draws);
            // The violation of a step lies behind it; a deadlock is in the current state.
            let stuck = !moved && self.violated == [FoundKind::Deadlock];
            self.note(step + u32::from(!stuck), None);
            if !moved {
                return None;
            }
            step += 1;
            self.report.steps += 1;
            self.report.depth = self.report.depth.max(step);
            if let Some(stop) = self.check(meter, observer) {
                return Some(stop);
            }
        }
    }

    /// Checks the budget and the saturation.
    fn check(&mut self, meter: &mut BudgetMeter<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        let report = &self.report;
        let progress = || Progress {
            stored: report.states,
            transitions: report.steps,
            depth: u64::from(report.depth),
            memory: self.hashes.memory() + self.visited.memory(),
            walks: Some(report.paths),
            ..Progress::default()
        };
        // Paths without a step count as well.
        if let Some(stop) = meter.tick(report.steps + report.paths, observer, progress) {
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

    /// Notes the violations after this many steps of the current path, unless they are known.
    fn note(&mut self, step: u32, cycle_start: Option<u32>) {
        for kind in self.violated.drain(..) {
            let known = self.report.found.iter().map(|f| &f.found.kind).chain(self.violations.iter().map(|v| &v.kind));
            if known.into_iter().all(|k| *k != kind) {
                let (steps, elapsed) = (self.report.steps, self.began.elapsed());
                self.violations.push(NewViolation { kind, step, steps, elapsed, cycle_start });
            }
        }
    }

    /// Repeats the current path for each of its violations, to record the steps.
    fn record_paths(&mut self) {
        let number = self.report.paths;
        let resources = ResourceLimits::current().with_grace();
        let _scope = resources.enter();
        for violation in std::mem::take(&mut self.violations) {
            let NewViolation { kind, step, steps, elapsed, cycle_start } = violation;
            let mut draws = Draws::of(self.plan.seed, number);
            self.start(&mut draws, true);
            for _ in 0..step {
                self.step(&mut draws);
            }
            self.violated.clear();
            // Steps that were not found again in time are no path.
            if resources.reached().is_some() {
                break;
            }
            let path = self.position.path(cycle_start.is_some());
            let found = Found::new(kind, Path { steps: path, cycle_start: cycle_start.map(|p| p as usize) });
            self.report.found.push(LurchFound { found, number, step, steps, elapsed });
        }
    }
}

/// A violation on the current path.
struct NewViolation {
    kind: FoundKind,
    step: u32,
    steps: u64,
    elapsed: Duration,
    cycle_start: Option<u32>,
}

/// The fewest steps for a share of new states.
const WINDOW: u64 = 1000;
