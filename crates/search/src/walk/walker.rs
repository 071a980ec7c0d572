//! One walk after another through a system.
//!
//! The random walk of RANSPIN and the random trail of GRANGOLFER (Bui 2009, chapters 4 and 5), with Monte Carlo model
//! checking (Grosu and Smolka 2005) where cycles can be violations: a state that was visited before closes a cycle. The
//! position of the first visit counts, so that the cycle is as long as it can be.

use std::sync::Arc;
use std::time::Instant;

use lurcher_system::Path;

use crate::budget::ClockInterval;
use crate::coverage::Coverage;
use crate::outcome::{Found, FoundKind};
use crate::space::Step;

use super::draws::Draws;
use super::plan::{Kind, Until, WalkPlan};
use super::position::{Chosen, Position};
use super::visited::Visited;

/// What ended a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A violation.
    Violation,
    /// The depth limit.
    Depth,
    /// A state without successors that the walk may take.
    Leaf,
    /// The limit on revisited states.
    Repeats,
    /// The budget or another thread; the walk does not count.
    Stopped,
    /// The memory limit.
    Memory,
    /// A state with too many successors to list.
    Successors,
}

/// The result of a unit of walks.
#[derive(Clone, Debug)]
pub struct Walked<S = Step, C = Coverage> {
    /// What ended the last walk.
    pub end: End,
    /// The violation; with its path if [`Keep::path`] asks for it.
    pub found: Option<Found<S>>,
    /// Walks made.
    pub walks: u32,
    /// Steps taken.
    pub steps: u64,
    /// Candidates tested, enabled or not.
    pub tries: u64,
    /// Length of the longest walk.
    pub depth: u32,
    /// The best score that the guide gave to anything seen.
    pub best: Option<u32>,
    /// Sorted fingerprints of the states seen, as many as pass the filter.
    pub seen: Vec<u64>,
    /// What was executed; nothing if all of it was known.
    pub coverage: Option<C>,
    /// Candidates tested before each step, if [`Keep::path`] is set.
    pub tries_by_step: Vec<u32>,
}

/// What a walk keeps beside its result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keep {
    /// The path to the violation.
    pub path: bool,
    /// Only fingerprints with this many low zero bits.
    pub level: u32,
    /// No fingerprints at all; none are computed that the walk itself does not need.
    pub blind: bool,
    /// Bytes for the visited states.
    pub memory: Option<u64>,
}

/// Makes walks through a system on one thread.
#[derive(Debug)]
pub struct Walker<P: Position> {
    pub(super) position: P,
    pub(super) guide: Option<Arc<P::Guide>>,
    pub(super) plan: WalkPlan,
    pub(super) draws: Draws,
    pub(super) visited: Visited,
    pub(super) tries: u64,
    /// The best score so far.
    pub(super) best: Option<u32>,
    /// Buffers of `all_children`.
    pub(super) candidates: Vec<u32>,
    pub(super) weights: Vec<u32>,
    keep: Keep,
    /// Steps between two looks at the clock.
    clock: ClockInterval,
    /// Length of the current walk in a trace.
    length: u32,
    repeats: u32,
    seen: Vec<u64>,
    violations: Vec<FoundKind>,
    tries_by_step: Vec<u32>,
}

impl<P: Position> Walker<P> {
    /// A walker that moves this position.
    pub fn new(position: P) -> Self {
        Walker {
            position,
            guide: None,
            plan: WalkPlan::default(),
            draws: Draws::of(0, 0),
            visited: Visited::default(),
            tries: 0,
            best: None,
            candidates: Vec::new(),
            weights: Vec::new(),
            keep: Keep::default(),
            clock: ClockInterval::new(Instant::now()),
            length: 0,
            repeats: 0,
            seen: Vec::new(),
            violations: Vec::new(),
            tries_by_step: Vec::new(),
        }
    }

    /// Makes the walks of a unit, given by seed and number, until one finds a violation or `stop` returns true.
    pub fn run(
        &mut self,
        plan: WalkPlan,
        guide: Option<Arc<P::Guide>>,
        (seed, index): (u64, u64),
        keep: Keep,
        stop: impl Fn() -> bool,
    ) -> Walked<P::Step, P::Coverage> {
        (self.plan, self.guide, self.keep) = (plan, guide, keep);
        self.draws = Draws::of(seed, index);
        self.position.record(keep.path || plan.chain > 1);
        self.seen.clear();
        self.tries_by_step.clear();
        (self.tries, self.best) = (0, None);
        let (mut steps, mut walks, mut depth, mut first) = (0, 0, 0, 0);
        let (end, found) = match self.position.start(&mut self.draws) {
            None if stop() => (End::Stopped, None),
            None => (End::Successors, None),
            Some(false) => (End::Leaf, None),
            Some(true) => loop {
                self.begin();
                let (end, found) = self.walk(&stop);
                walks += 1;
                steps += u64::from(self.position.steps() - first);
                depth = depth.max(self.length);
                if found.is_some() || walks >= self.plan.chain.max(1) || matches!(end, End::Stopped | End::Memory) {
                    break (end, found);
                }
                first += self.draws.below(self.position.steps() - first + 1);
                self.position.rewind(first);
                self.tries_by_step.truncate(first as usize);
            },
        };
        self.seen.sort_unstable();
        self.seen.dedup();
        Walked {
            end,
            found,
            walks: walks.max(1),
            steps,
            tries: self.tries,
            depth,
            best: self.best,
            seen: std::mem::take(&mut self.seen),
            coverage: Some(self.position.take_coverage()),
            tries_by_step: std::mem::take(&mut self.tries_by_step),
        }
    }

    /// The same as native code, where the position has it; `known` is what earlier batches have executed.
    pub(crate) fn run_fastest(
        &mut self,
        plan: WalkPlan,
        guide: Option<Arc<P::Guide>>,
        unit: (u64, u64),
        keep: Keep,
        known: &P::Coverage,
        stop: &dyn Fn() -> bool,
    ) -> Walked<P::Step, P::Coverage> {
        let native = match guide {
            None => self.position.run_natively(&plan, unit, keep, known, stop),
            Some(_) => None,
        };
        native.unwrap_or_else(|| self.run(plan, guide, unit, keep, stop))
    }

    /// Steps between two checks of the memory, and the most between two looks at the clock.
    pub(crate) fn check_interval(&self) -> u64 {
        self.position.check_interval()
    }

    fn begin(&mut self) {
        self.visited.clear();
        self.position.begin();
        (self.length, self.repeats) = (0, 0);
    }

    fn walk(&mut self, stop: &impl Fn() -> bool) -> (End, Option<Found<P::Step>>) {
        let mut until_check = self.check_interval();
        let mut until_look = self.clock.units();
        loop {
            if let Some(ended) = self.examine() {
                return ended;
            }
            if self.length >= self.plan.depth {
                return (End::Depth, None);
            }
            until_look -= 1;
            if until_look == 0 {
                until_look = self.clock.look(Instant::now(), self.check_interval());
                if stop() {
                    return (End::Stopped, None);
                }
            }
            until_check -= 1;
            if until_check == 0 {
                until_check = self.check_interval();
                if self.keep.memory.is_some_and(|limit| self.memory() > limit) {
                    return (End::Memory, None);
                }
            }
            let before = self.tries;
            let mut chosen = self.choose();
            if matches!(chosen, Chosen::Stopped) {
                if let Some(kind) = self.position.deadlock() {
                    return self.violation(kind, None);
                }
                chosen = self.with_choice(|position, choice| position.stutter(choice));
            }
            if self.keep.path {
                self.tries_by_step.push((self.tries - before) as u32);
            }
            match chosen {
                Chosen::Moved(length, violation) => {
                    self.length += length.max(1);
                    if let Some(kind) = violation {
                        return self.violation(kind, None);
                    }
                }
                Chosen::Found(kind) => return self.violation(kind, None),
                Chosen::Closed(first) => return self.violation(FoundKind::Cycle, Some(first)),
                Chosen::Stopped | Chosen::Exhausted => return (End::Leaf, None),
                Chosen::Halted if stop() => return (End::Stopped, None),
                Chosen::Halted => return (End::Successors, None),
            }
        }
    }

    /// Examines the current state.
    fn examine(&mut self) -> Option<(End, Option<Found<P::Step>>)> {
        self.position.violations(&mut self.violations);
        if !self.violations.is_empty() {
            let kind = self.violations.swap_remove(0);
            self.violations.clear();
            return Some(self.violation(kind, None));
        }
        self.position.visit();
        let cycles = self.position.tracks_cycles();
        let notes_visits = cycles || self.plan.kind == Kind::Trail || self.plan.until != Until::End;
        if self.keep.blind && !notes_visits {
            return None;
        }
        let fingerprint = self.position.fingerprint();
        if !self.keep.blind && self.position.is_settled() && fingerprint.trailing_zeros() >= self.keep.level {
            self.seen.push(fingerprint);
        }
        if cycles {
            self.position.note_labels();
        }
        if notes_visits {
            let first = self.visited.note(fingerprint, self.position.steps())?;
            if self.position.closes_since(first) {
                return Some(self.violation(FoundKind::Cycle, Some(first)));
            }
            self.repeats += 1;
            if matches!(self.plan.until, Until::Repeats(most) if self.repeats >= most) {
                return Some((End::Repeats, None));
            }
        }
        None
    }

    fn violation(&mut self, kind: FoundKind, cycle_start: Option<u32>) -> (End, Option<Found<P::Step>>) {
        let steps = if self.keep.path { self.position.path(cycle_start.is_some()) } else { Vec::new() };
        let cycle_start = cycle_start.map(|p| p as usize);
        (End::Violation, Some(Found::new(kind, Path { steps, cycle_start })))
    }

    fn memory(&self) -> u64 {
        self.visited.memory() + self.position.memory() + (self.seen.capacity() * 8) as u64
    }
}
