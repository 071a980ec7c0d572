//! Walks through state machines.

use lurcher_ir::Buchi;
use lurcher_search::{Choice, Chosen, Covers, Draws, FoundKind, Kind, Position, Until, Visited, WalkDomain, WalkPlan};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::space::follow;
use super::{HEURISTIC_MAX, OwnStep, StateMachine};

/// State machines have no statements to cover.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct NoCoverage;

impl Covers for NoCoverage {
    fn merge(&mut self, _: &Self) -> u64 {
        0
    }
}

/// The heuristic of the state machine itself.
#[derive(Clone, Copy, Debug)]
pub struct OwnHeuristic;

/// A state machine and an automaton whose accepted runs are violations; without one, bad states are.
#[derive(Debug)]
pub struct OwnDomain<'m, M> {
    machine: &'m M,
    automaton: Option<&'m Buchi>,
}

impl<'m, M: StateMachine> OwnDomain<'m, M> {
    pub(super) fn new(machine: &'m M, automaton: Option<&'m Buchi>) -> Self {
        OwnDomain { machine, automaton }
    }
}

/// Fixed cost of noting a state, in bytes to be hashed.
const NOTE_COST: u64 = 64;

impl<M: StateMachine> WalkDomain for OwnDomain<'_, M> {
    type Step = OwnStep;
    type Guide = OwnHeuristic;
    type Coverage = NoCoverage;
    type Position<'t>
        = OwnPosition<'t, M>
    where
        Self: 't;

    fn position(&self) -> OwnPosition<'_, M> {
        OwnPosition {
            machine: self.machine,
            automaton: self.automaton,
            initial: self.machine.initial(),
            state: None,
            location: 0,
            actions: Vec::new(),
            locations: Vec::new(),
            stays: false,
            next: None,
            bytes: Vec::new(),
            last_accepting: None,
            steps: 0,
            recording: false,
            path: Vec::new(),
            origin: None,
        }
    }

    fn coverage(&self) -> NoCoverage {
        NoCoverage
    }

    fn observation_cost(&self, plan: &WalkPlan, guided: bool) -> u64 {
        let plain = plan.kind == Kind::Walk && plan.until == Until::End && self.automaton.is_none() && !guided;
        let Some(initial) = self.machine.initial().into_iter().next().filter(|_| plain) else { return 0 };
        let mut bytes = Vec::new();
        self.machine.encode(&initial, &mut bytes);
        bytes.len() as u64 + NOTE_COST
    }
}

/// A place in a state machine, or in its product with an automaton.
pub struct OwnPosition<'m, M: StateMachine> {
    machine: &'m M,
    automaton: Option<&'m Buchi>,
    initial: Vec<M::State>,
    state: Option<M::State>,
    location: u32,
    /// The enabled actions and the automaton's next locations: each pair is a candidate.
    actions: Vec<M::Action>,
    locations: Vec<u32>,
    /// The only step is to stay.
    stays: bool,
    next: Option<M::State>,
    bytes: Vec<u8>,
    last_accepting: Option<u32>,
    steps: u32,
    recording: bool,
    /// The initial state and the steps, each with the automaton's location after it.
    path: Vec<(OwnStep, u32)>,
    /// Where the current walk of a chain began, and after how many steps.
    origin: Option<(M::State, u32)>,
}

impl<M: StateMachine> OwnPosition<'_, M> {
    fn state(&self) -> &M::State {
        self.state.as_ref().expect("the walk has started")
    }

    fn hash(machine: &M, state: &M::State, location: u32, bytes: &mut Vec<u8>) -> u64 {
        bytes.clear();
        machine.encode(state, bytes);
        bytes.extend_from_slice(&location.to_le_bytes());
        xxh3_64(bytes)
    }

    /// The step and the automaton's location of a candidate.
    fn candidate(&self, number: u32) -> (OwnStep, u32) {
        let locations = self.locations.len() as u32;
        let step = if self.stays { OwnStep::Stay } else { OwnStep::Action(number / locations) };
        (step, self.locations[(number % locations) as usize])
    }

    fn perform(&self, state: &mut M::State, step: OwnStep) {
        if let OwnStep::Action(action) = step {
            self.machine.apply(state, &self.actions[action as usize]);
        }
    }

    fn arrive(&mut self, step: OwnStep, location: u32) -> Chosen {
        self.location = location;
        self.steps += 1;
        if self.recording {
            self.path.push((step, location));
        }
        Chosen::Moved(1, None)
    }

    /// Draws candidates without replacement, all alike, until one may be taken.
    fn draw(&mut self, count: u32, choice: &mut Choice<'_>) -> Chosen {
        if choice.visited.is_none() {
            let number = choice.draws.below(count);
            return self.attempt(number, None).expect("a walk may take every step");
        }
        let mut numbers: Vec<u32> = (0..count).collect();
        while let Some(number) = choice.draws.take(&mut numbers) {
            if let Some(chosen) = self.attempt(number, choice.visited) {
                return chosen;
            }
        }
        Chosen::Exhausted
    }
}

impl<M: StateMachine> Position for OwnPosition<'_, M> {
    type Step = OwnStep;
    type Guide = OwnHeuristic;
    type Coverage = NoCoverage;

    fn start(&mut self, draws: &mut Draws) -> Option<bool> {
        self.path.clear();
        (self.steps, self.location) = (0, 0);
        if self.initial.is_empty() {
            return Some(false);
        }
        let index = draws.below(self.initial.len() as u32);
        self.state = Some(self.initial[index as usize].clone());
        if self.recording {
            self.path.push((OwnStep::Initial(index), 0));
            self.origin = self.state.clone().map(|state| (state, 0));
        }
        Some(true)
    }

    fn begin(&mut self) {
        self.last_accepting = None;
    }

    fn record(&mut self, record: bool) {
        self.recording = record;
    }

    fn steps(&self) -> u32 {
        self.steps
    }

    fn rewind(&mut self, steps: u32) {
        let (mut state, first) = self.origin.take().expect("the path is recorded");
        for &(step, _) in &self.path[first as usize + 1..=steps as usize] {
            if let OwnStep::Action(action) = step {
                self.actions.clear();
                self.machine.actions(&state, &mut self.actions);
                self.machine.apply(&mut state, &self.actions[action as usize]);
            }
        }
        self.path.truncate(steps as usize + 1);
        self.location = self.path[steps as usize].1;
        self.steps = steps;
        self.state = Some(state.clone());
        self.origin = Some((state, steps));
    }

    fn path(&mut self, _: bool) -> Vec<OwnStep> {
        self.path.iter().map(|(step, _)| *step).collect()
    }

    fn memory(&self) -> u64 {
        (self.path.capacity() * std::mem::size_of::<(OwnStep, u32)>()) as u64
    }

    fn violations(&mut self, found: &mut Vec<FoundKind>) {
        if self.automaton.is_none() && !self.machine.invariant(self.state()) {
            found.push(FoundKind::Invariant);
        }
    }

    fn deadlock(&mut self) -> Option<FoundKind> {
        let dead = self.automaton.is_none() && !self.machine.is_end(self.state());
        dead.then_some(FoundKind::Deadlock)
    }

    fn fingerprint(&mut self) -> u64 {
        let mut bytes = std::mem::take(&mut self.bytes);
        let hash = Self::hash(self.machine, self.state(), self.location, &mut bytes);
        self.bytes = bytes;
        hash
    }

    fn tracks_cycles(&self) -> bool {
        self.automaton.is_some()
    }

    fn note_labels(&mut self) {
        if self.automaton.is_some_and(|a| a.states[self.location as usize].accepting) {
            self.last_accepting = Some(self.steps);
        }
    }

    fn closes_since(&self, first: u32) -> bool {
        self.last_accepting.is_some_and(|at| at >= first)
    }

    fn sample(&mut self, choice: &mut Choice<'_>) -> Chosen {
        match self.list(choice.tries) {
            Ok(count) => self.draw(count, choice),
            Err(chosen) => chosen,
        }
    }

    fn list(&mut self, tries: &mut u64) -> Result<u32, Chosen> {
        let state = self.state.as_ref().expect("the walk has started");
        self.actions.clear();
        self.machine.actions(state, &mut self.actions);
        *tries += self.actions.len() as u64;
        self.stays = false;
        if self.actions.is_empty() {
            return Err(Chosen::Stopped);
        }
        follow(self.machine, self.automaton, self.location, state, &mut self.locations);
        match self.actions.len() * self.locations.len() {
            // The automaton rejects whatever follows.
            0 => Err(Chosen::Exhausted),
            count => Ok(count as u32),
        }
    }

    fn score(&mut self, _: &OwnHeuristic, candidate: u32) -> u32 {
        let (step, _) = self.candidate(candidate);
        let mut next = self.state().clone();
        self.perform(&mut next, step);
        self.machine.heuristic(&next).unwrap_or(HEURISTIC_MAX).min(HEURISTIC_MAX)
    }

    fn attempt(&mut self, candidate: u32, visited: Option<&Visited>) -> Option<Chosen> {
        let (step, location) = self.candidate(candidate);
        let Some(visited) = visited else {
            let mut state = self.state.take().expect("the walk has started");
            self.perform(&mut state, step);
            self.state = Some(state);
            return Some(self.arrive(step, location));
        };
        let mut next = self.next.take().unwrap_or_else(|| self.state().clone());
        next.clone_from(self.state());
        self.perform(&mut next, step);
        let arrived = Self::hash(self.machine, &next, location, &mut self.bytes);
        if let Some(first) = visited.first(arrived) {
            self.next = Some(next);
            if !self.closes_since(first) {
                return None;
            }
            if self.recording {
                self.path.push((step, location));
            }
            return Some(Chosen::Closed(first));
        }
        self.next = self.state.replace(next);
        Some(self.arrive(step, location))
    }

    /// An infinite run stays in a state without actions.
    fn stutter(&mut self, choice: &mut Choice<'_>) -> Chosen {
        if self.automaton.is_none() {
            return Chosen::Exhausted;
        }
        self.stays = true;
        let state = self.state.as_ref().expect("the walk has started");
        follow(self.machine, self.automaton, self.location, state, &mut self.locations);
        match self.locations.len() as u32 {
            0 => Chosen::Exhausted,
            count => self.draw(count, choice),
        }
    }

    fn max_score(_: &OwnHeuristic) -> u32 {
        HEURISTIC_MAX
    }

    fn take_coverage(&mut self) -> NoCoverage {
        NoCoverage
    }
}
