//! A place in a relation.

use std::ops::ControlFlow;

use lurcher_system::relation::{Formulas, Stepper};
use xxhash_rust::xxh3::xxh3_64;

use crate::outcome::FoundKind;

use super::super::draws::Draws;
use super::super::position::{Choice, Chosen, Position};
use super::super::visited::{FingerprintMap, Visited};
use super::fairness::Fairness;
use super::{RelationCoverage, RelationDomain, RelationGuidance};

/// A place in a relation. A path is the states left so far, each with the inputs of the step out of it, and the last state.
#[derive(Debug)]
pub struct RelationPosition<'t, G> {
    domain: &'t RelationDomain<G>,
    stepper: Stepper,
    invariants: Formulas,
    fairness: Option<Fairness>,
    coverage: RelationCoverage,
    /// The current state; with the inputs of the step out of it once that is chosen.
    state: Vec<i64>,
    next: Vec<i64>,
    bytes: Vec<u8>,
    /// `bytes` is the current state, packed.
    packed: bool,
    listed: Listed,
    steps: u32,
    recording: bool,
    /// Packed states with inputs.
    path: Vec<u8>,
}

/// The distinct successors of a state.
#[derive(Debug, Default)]
struct Listed {
    known: FingerprintMap<()>,
    transitions: Vec<u32>,
    /// Packed states before the step, with inputs, and after it.
    before: Vec<u8>,
    after: Vec<u8>,
}

impl<'t, G: RelationGuidance + Send> RelationPosition<'t, G> {
    /// A position of a domain.
    pub fn new(domain: &'t RelationDomain<G>) -> Self {
        RelationPosition {
            domain,
            stepper: domain.stepper.clone(),
            invariants: domain.invariants.clone(),
            fairness: domain.fairness.clone(),
            coverage: domain.coverage.clone(),
            state: vec![0; domain.variables],
            next: vec![0; domain.variables],
            bytes: Vec::new(),
            packed: false,
            listed: Listed::default(),
            steps: 0,
            recording: false,
            path: Vec::new(),
        }
    }

    /// Takes the step from `state`, which has its inputs now, to `next`.
    fn arrive(&mut self, transition: usize) -> Chosen {
        self.coverage.take(transition);
        if let Some(fairness) = &mut self.fairness {
            fairness.leave(&self.state, self.steps);
        }
        if self.recording {
            self.domain.moments.pack(&self.state, &mut self.bytes);
            self.path.extend_from_slice(&self.bytes);
        }
        std::mem::swap(&mut self.state, &mut self.next);
        (self.packed, self.steps) = (false, self.steps + 1);
        Chosen::Moved(1, None)
    }

    /// Packs the current state.
    fn pack(&mut self) {
        if !self.packed {
            self.domain.packing.pack(&self.state, &mut self.bytes);
            self.packed = true;
        }
    }

    fn unpacked(&self, moment: &[u8]) -> Vec<i64> {
        let mut valuation = vec![0; self.domain.variables];
        self.domain.moments.unpack(moment, &mut valuation);
        valuation
    }
}

impl<G: RelationGuidance + Send> Position for RelationPosition<'_, G> {
    type Step = Vec<i64>;
    type Guide = G;
    type Coverage = RelationCoverage;

    fn start(&mut self, draws: &mut Draws) -> Option<bool> {
        self.path.clear();
        (self.packed, self.steps) = (false, 0);
        match self.stepper.sample_initial(|n| draws.below(n), |_| true) {
            Ok(Some(initial)) => self.state.copy_from_slice(initial),
            Ok(None) => return Some(false),
            Err(_) => return None,
        }
        Some(true)
    }

    fn begin(&mut self) {
        if let Some(fairness) = &mut self.fairness {
            fairness.clear();
        }
    }

    fn record(&mut self, record: bool) {
        self.recording = record;
    }

    fn steps(&self) -> u32 {
        self.steps
    }

    fn rewind(&mut self, steps: u32) {
        let length = self.domain.moments.len();
        let at = steps as usize * length;
        if steps < self.steps {
            self.domain.moments.unpack(&self.path[at..at + length], &mut self.state);
        }
        self.path.truncate(at);
        (self.packed, self.steps) = (false, steps);
    }

    fn path(&mut self, closed: bool) -> Vec<Vec<i64>> {
        let length = self.domain.moments.len();
        let moment = |step: usize| self.unpacked(&self.path[step * length..(step + 1) * length]);
        let mut path: Vec<Vec<i64>> = (0..self.steps as usize).map(moment).collect();
        if !closed {
            path.push(self.state.clone());
        }
        path
    }

    fn memory(&self) -> u64 {
        self.path.capacity() as u64
    }

    fn check_interval(&self) -> u64 {
        64
    }

    fn violations(&mut self, found: &mut Vec<FoundKind>) {
        self.invariants.evaluate(&self.state);
        let broken = (0..self.invariants.len()).filter(|&i| !self.invariants.is_true(i));
        found.extend(broken.map(|i| FoundKind::Watched(i as u32)));
    }

    fn deadlock(&mut self) -> Option<FoundKind> {
        self.domain.deadlock.then_some(FoundKind::Deadlock)
    }

    fn visit(&mut self) {
        self.pack();
        self.coverage.meet(&self.domain.packing, &self.bytes);
    }

    fn fingerprint(&mut self) -> u64 {
        self.pack();
        xxh3_64(&self.bytes)
    }

    fn tracks_cycles(&self) -> bool {
        self.fairness.is_some()
    }

    fn closes_since(&self, first: u32) -> bool {
        self.fairness.as_ref().is_some_and(|f| f.is_fair_since(first))
    }

    fn sample(&mut self, choice: &mut Choice<'_>) -> Chosen {
        let (mut tried, mut closed) = (0, None);
        self.packed = false;
        let RelationPosition { domain, stepper, state, next, bytes, fairness, .. } = self;
        let draws = &mut *choice.draws;
        let sampled = stepper.sample_successor(
            state,
            |n| draws.below(n),
            |step| {
                tried += 1;
                let Some(visited) = choice.visited else { return true };
                domain.packing.pack(step.next, bytes);
                let Some(first) = visited.first(xxh3_64(bytes)) else { return true };
                let closes = fairness.as_mut().is_some_and(|f| f.closes(step.now, first));
                closed = closes.then_some(first);
                closes
            },
        );
        let taken = match sampled {
            Ok(Some(step)) => {
                state.copy_from_slice(step.now);
                next.copy_from_slice(step.next);
                Some(step.transition)
            }
            Ok(None) => None,
            Err(_) => return Chosen::Halted,
        };
        *choice.tries += tried;
        match taken {
            Some(transition) => {
                let moved = self.arrive(transition);
                closed.map_or(moved, Chosen::Closed)
            }
            None if tried == 0 => Chosen::Stopped,
            None => Chosen::Exhausted,
        }
    }

    fn list(&mut self, tries: &mut u64) -> Result<u32, Chosen> {
        self.packed = false;
        let RelationPosition { domain, stepper, state, bytes, listed, fairness, .. } = self;
        listed.known.clear();
        listed.transitions.clear();
        listed.before.clear();
        listed.after.clear();
        let done = stepper.successors(state, |step| {
            // Where fairness reads inputs, the same state by other inputs is another step.
            domain.moments.pack(step.now, bytes);
            let by = if fairness.is_some() { xxh3_64(bytes).rotate_left(1) } else { 0 };
            let before = listed.before.len();
            listed.before.extend_from_slice(bytes);
            domain.packing.pack(step.next, bytes);
            if listed.known.insert(xxh3_64(bytes) ^ by, ()).is_some() {
                listed.before.truncate(before);
                return ControlFlow::Continue(());
            }
            listed.after.extend_from_slice(bytes);
            listed.transitions.push(step.transition as u32);
            ControlFlow::Continue(())
        });
        let count = listed.transitions.len();
        *tries += count as u64;
        match done {
            Err(_) => Err(Chosen::Halted),
            Ok(()) if count == 0 => Err(Chosen::Stopped),
            Ok(()) => Ok(count as u32),
        }
    }

    fn score(&mut self, guide: &G, candidate: u32) -> u32 {
        let length = self.domain.packing.len();
        let at = candidate as usize * length;
        self.domain.packing.unpack(&self.listed.after[at..at + length], &mut self.next);
        guide.score(&self.next)
    }

    fn attempt(&mut self, candidate: u32, visited: Option<&Visited>) -> Option<Chosen> {
        let domain = self.domain;
        let at = |bytes: usize| candidate as usize * bytes..(candidate as usize + 1) * bytes;
        let after = &self.listed.after[at(domain.packing.len())];
        domain.moments.unpack(&self.listed.before[at(domain.moments.len())], &mut self.state);
        domain.packing.unpack(after, &mut self.next);
        let mut closed = None;
        if let Some(first) = visited.and_then(|v| v.first(xxh3_64(after))) {
            let closes = self.fairness.as_mut().is_some_and(|f| f.closes(&self.state, first));
            closed = closes.then_some(first);
            closed?;
        }
        let moved = self.arrive(self.listed.transitions[candidate as usize] as usize);
        Some(closed.map_or(moved, Chosen::Closed))
    }

    fn max_score(guide: &G) -> u32 {
        guide.max()
    }

    fn take_coverage(&mut self) -> RelationCoverage {
        std::mem::replace(&mut self.coverage, self.domain.coverage.clone())
    }
}
