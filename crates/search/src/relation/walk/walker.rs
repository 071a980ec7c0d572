//! One walk after another through a relation.
//!
//! What `crate::walk::Walker` does for processes: a visited state closes a cycle, and where the terms of fairness are
//! true along it the lasso is a fair run.

use std::sync::Arc;

use lurcher_system::relation::Stepper;
use xxhash_rust::xxh3::xxh3_64;

use crate::outcome::FoundKind;
use crate::walk::{Draws, End, Keep, Kind, Until, Visited, WalkPlan, Walked};

use super::choose::{Chosen, Listed};
use super::fairness::Fairness;
use super::{RelationCoverage, RelationFound, RelationGuidance, RelationTerrain};
use lurcher_system::Path;

/// The fingerprint of a packed state.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// Walks through a relation.
#[derive(Debug)]
pub struct RelationWalker<'t, G> {
    pub(super) terrain: &'t RelationTerrain<G>,
    pub(super) stepper: Stepper,
    pub(super) fairness: Option<Fairness>,
    pub(super) guide: Option<Arc<G>>,
    pub(super) plan: WalkPlan,
    pub(super) draws: Draws,
    pub(super) state: Vec<i64>,
    pub(super) next: Vec<i64>,
    pub(super) bytes: Vec<u8>,
    pub(super) visited: Visited,
    pub(super) listed: Listed,
    pub(super) tries: u64,
    pub(super) best: Option<u32>,
    invariants: lurcher_system::relation::Formulas,
    coverage: RelationCoverage,
    keep: Keep,
    /// Packed moments: the states left so far, each with the inputs of the step out of it.
    path: Vec<u8>,
    /// Steps taken since the initial state, those before this walk included.
    position: u32,
    /// Steps of this walk.
    length: u32,
    repeats: u32,
    seen: Vec<u64>,
    tries_by_step: Vec<u32>,
}

/// How often a walk asks whether it must stop.
const ASK: u64 = 64;

impl<'t, G: RelationGuidance + Send> RelationWalker<'t, G> {
    /// A walker on its terrain.
    pub fn new(terrain: &'t RelationTerrain<G>) -> Self {
        RelationWalker {
            terrain,
            stepper: terrain.stepper.clone(),
            fairness: terrain.fairness.clone(),
            guide: None,
            plan: WalkPlan::default(),
            draws: Draws::of(0, 0),
            state: vec![0; terrain.variables],
            next: vec![0; terrain.variables],
            bytes: Vec::new(),
            visited: Visited::default(),
            listed: Listed::default(),
            tries: 0,
            best: None,
            invariants: terrain.invariants.clone(),
            coverage: terrain.coverage.clone(),
            keep: Keep::default(),
            path: Vec::new(),
            position: 0,
            length: 0,
            repeats: 0,
            seen: Vec::new(),
            tries_by_step: Vec::new(),
        }
    }

    /// Makes the walks of a unit, until one finds something or `stop` says so.
    pub fn run(
        &mut self,
        plan: WalkPlan,
        guide: Option<Arc<G>>,
        (seed, index): (u64, u64),
        keep: Keep,
        stop: impl Fn() -> bool,
    ) -> Walked<RelationFound, RelationCoverage> {
        (self.plan, self.guide, self.keep) = (plan, guide, keep);
        self.draws = Draws::of(seed, index);
        self.path.clear();
        self.seen.clear();
        self.tries_by_step.clear();
        (self.position, self.tries, self.best) = (0, 0, None);
        let (mut steps, mut walks, mut depth, mut first) = (0, 0, 0, 0);
        let (end, found) = match self.start() {
            Some(end) => (end, None),
            None => loop {
                self.begin();
                let (end, found) = self.walk(&stop);
                walks += 1;
                steps += u64::from(self.position - first);
                depth = depth.max(self.length);
                if found.is_some() || walks >= self.plan.chain.max(1) || matches!(end, End::Stopped | End::Memory) {
                    break (end, found);
                }
                first = self.go_back(first);
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
            coverage: Some(std::mem::replace(&mut self.coverage, self.terrain.coverage.clone())),
            tries_by_step: std::mem::take(&mut self.tries_by_step),
        }
    }

    /// Draws an initial state; says what ends the walk where there is none.
    fn start(&mut self) -> Option<End> {
        let RelationWalker { stepper, state, draws, .. } = self;
        match stepper.sample_initial(|n| draws.below(n), |_| true) {
            Ok(Some(initial)) => state.copy_from_slice(initial),
            Ok(None) => return Some(End::Leaf),
            Err(_) => return Some(End::Successors),
        }
        None
    }

    fn begin(&mut self) {
        self.visited.clear();
        if let Some(fairness) = &mut self.fairness {
            fairness.clear();
        }
        (self.length, self.repeats) = (0, 0);
    }

    /// Goes back to a random state of the walk that has just ended and began at a position; gives the new position.
    fn go_back(&mut self, first: u32) -> u32 {
        let back = first + self.draws.below(self.position - first + 1);
        let moment = self.terrain.moments.len();
        if back < self.position {
            let at = back as usize * moment;
            self.terrain.moments.unpack(&self.path[at..at + moment], &mut self.state);
        }
        self.path.truncate(back as usize * moment);
        self.tries_by_step.truncate(back as usize);
        self.position = back;
        back
    }

    fn walk(&mut self, stop: &impl Fn() -> bool) -> (End, Option<RelationFound>) {
        let mut countdown = ASK;
        loop {
            if let Some(ended) = self.look() {
                return ended;
            }
            if self.length >= self.plan.depth {
                return (End::Depth, None);
            }
            countdown -= 1;
            if countdown == 0 {
                countdown = ASK;
                if stop() {
                    return (End::Stopped, None);
                }
                if self.keep.memory.is_some_and(|limit| self.memory() > limit) {
                    return (End::Memory, None);
                }
            }
            let before = self.tries;
            let chosen = self.choose();
            if self.keep.path {
                self.tries_by_step.push((self.tries - before) as u32);
            }
            match chosen {
                Chosen::Moved => {}
                Chosen::Closed(first) => return (End::Violation, Some(self.found(FoundKind::Cycle, Some(first)))),
                Chosen::Stopped if self.terrain.deadlock => {
                    return (End::Violation, Some(self.found(FoundKind::Deadlock, None)));
                }
                Chosen::Stopped | Chosen::Exhausted => return (End::Leaf, None),
                Chosen::Halted => return (End::Successors, None),
            }
        }
    }

    /// Looks at the state that the walk has come to.
    fn look(&mut self) -> Option<(End, Option<RelationFound>)> {
        self.invariants.evaluate(&self.state);
        let broken = (0..self.invariants.len()).find(|&i| !self.invariants.is_true(i));
        if let Some(index) = broken {
            return Some((End::Violation, Some(self.found(FoundKind::Watched(index as u32), None))));
        }
        self.terrain.packing.pack(&self.state, &mut self.bytes);
        self.coverage.meet(&self.terrain.packing, &self.bytes);
        let fingerprint = fingerprint(&self.bytes);
        if !self.keep.blind && fingerprint.trailing_zeros() >= self.keep.level {
            self.seen.push(fingerprint);
        }
        if self.fairness.is_some() || self.plan.kind == Kind::Trail || self.plan.until != Until::End {
            let first = self.visited.note(fingerprint, self.position)?;
            if self.fairness.as_ref().is_some_and(|f| f.is_fair_since(first)) {
                return Some((End::Violation, Some(self.found(FoundKind::Cycle, Some(first)))));
            }
            self.repeats += 1;
            if matches!(self.plan.until, Until::Repeats(most) if self.repeats >= most) {
                return Some((End::Repeats, None));
            }
        }
        None
    }

    /// Notes the step from `state`, which has its inputs now, to `next`, and takes it.
    pub(super) fn arrive(&mut self, transition: usize) {
        self.coverage.take(transition);
        if let Some(fairness) = &mut self.fairness {
            fairness.leave(&self.state, self.position);
        }
        if self.keep.path || self.plan.chain > 1 {
            self.terrain.moments.pack(&self.state, &mut self.bytes);
            self.path.extend_from_slice(&self.bytes);
        }
        std::mem::swap(&mut self.state, &mut self.next);
        self.position += 1;
        self.length += 1;
    }

    fn found(&mut self, kind: FoundKind, cycle_start: Option<u32>) -> RelationFound {
        let mut states = Vec::new();
        if self.keep.path {
            for moment in self.path.chunks_exact(self.terrain.moments.len().max(1)) {
                let mut valuation = vec![0; self.terrain.variables];
                self.terrain.moments.unpack(moment, &mut valuation);
                states.push(valuation);
            }
            if cycle_start.is_none() {
                states.push(self.state.clone());
            }
        }
        let cycle_start = cycle_start.map(|p| p as usize);
        RelationFound { kind, run: Path { steps: states, cycle_start } }
    }

    fn memory(&self) -> u64 {
        self.visited.memory() + (self.path.capacity() + self.seen.capacity() * 8) as u64
    }
}
