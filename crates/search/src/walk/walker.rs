//! One walk after another through a model.
//!
//! The random walk of RANSPIN and the random trail of GRANGOLFER (Bui 2009, chapters 4 and 5), with Monte Carlo model
//! checking (Grosu and Smolka 2005) where a claim watches: the walk moves in the product of the model and the claim,
//! and a node that was visited before closes a cycle; when an accepting node lies on it, the claim accepts the lasso.
//! The position of the first visit counts, so that the cycle is as large as it can be.

use std::sync::Arc;

use lurcher_ir::LocationId;
use lurcher_system::{Machine, State};

use crate::coverage::Coverage;
use crate::guidance::Guidance;
use crate::outcome::{Found, FoundKind};
use crate::space::Step;

use super::choose::{Chosen, Scratch};
use super::draws::Draws;
use super::plan::{Kind, Until, WalkPlan};
use super::subject::{Attention, Subject};
use super::visited::{Visited, fingerprint};

/// What ended a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A violation.
    Violation,
    /// Its depth.
    Depth,
    /// It had nowhere to go.
    Leaf,
    /// It came back to states as often as it may.
    Repeats,
    /// It was told to stop, and does not count.
    Stopped,
    /// Its memory was used up.
    Memory,
    /// A state had more successors than could be listed.
    Successors,
}

/// What a unit of walks came to.
#[derive(Clone, Debug)]
pub struct Walked<F = Found, C = Coverage> {
    /// What ended the last walk.
    pub end: End,
    /// The violation; the path is there when it was asked for.
    pub found: Option<F>,
    /// Walks made.
    pub walks: u32,
    /// Steps taken.
    pub steps: u64,
    /// Branches tested, possible or not.
    pub tries: u64,
    /// Length of the longest walk.
    pub depth: u32,
    /// The best score that the guide gave to something seen.
    pub best: Option<u32>,
    /// Fingerprints of the states seen, as many as pass the filter.
    pub seen: Vec<u64>,
    /// What was executed; nothing where all of it was known.
    pub coverage: Option<C>,
    /// Branches tested before each step, when the path was asked for.
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
    /// Bytes for the states visited.
    pub memory: Option<u64>,
}

/// Walks through a model.
#[derive(Debug)]
pub struct Walker<'a, M, G> {
    pub(super) machine: &'a M,
    pub(super) subject: &'a Subject,
    pub(super) guide: Option<Arc<G>>,
    pub(super) plan: WalkPlan,
    pub(super) draws: Draws,
    pub(super) state: State,
    pub(super) claim: LocationId,
    /// The last step was the claim's alone.
    pub(super) stayed: bool,
    /// The claim can tell.
    pub(super) asks_progress: bool,
    pub(super) next: State,
    pub(super) visited: Visited,
    /// The fingerprint of the state that a trail has just come to.
    pub(super) arrived: Option<u64>,
    pub(super) scratch: Scratch,
    pub(super) coverage: Coverage,
    pub(super) tries: u64,
    initial: State,
    keep: Keep,
    path: Vec<Step>,
    /// Steps taken since the initial state, those before this walk included.
    position: u32,
    /// Steps of this walk.
    length: u32,
    repeats: u32,
    last_accepting: Option<u32>,
    attention: Attention,
    best: Option<u32>,
    seen: Vec<u64>,
    tries_by_step: Vec<u32>,
}

/// How often a walk asks whether it must stop.
const ASK: u64 = 256;

impl<'a, M: Machine, G: Guidance> Walker<'a, M, G> {
    /// A walker that starts in a state, which is the model's initial one.
    pub fn new(machine: &'a M, subject: &'a Subject, initial: &State) -> Self {
        Walker {
            machine,
            subject,
            guide: None,
            plan: WalkPlan::default(),
            draws: Draws::of(0, 0),
            state: initial.clone(),
            claim: subject.start(machine.model()),
            stayed: false,
            asks_progress: subject.claim.is_some_and(|c| c.asks_progress(machine.model())),
            next: initial.clone(),
            visited: Visited::default(),
            arrived: None,
            scratch: Scratch::default(),
            coverage: Coverage::new(machine.model()),
            tries: 0,
            initial: initial.clone(),
            keep: Keep::default(),
            path: Vec::new(),
            position: 0,
            length: 0,
            repeats: 0,
            last_accepting: None,
            attention: Attention::default(),
            best: None,
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
    ) -> Walked {
        (self.plan, self.guide, self.keep) = (plan, guide, keep);
        self.draws = Draws::of(seed, index);
        self.state.copy_from(&self.initial);
        self.claim = self.subject.start(self.machine.model());
        self.stayed = false;
        self.path.clear();
        self.seen.clear();
        self.tries_by_step.clear();
        (self.position, self.tries, self.best) = (0, 0, None);
        let (mut steps, mut walks, mut depth) = (0, 0, 0);
        let mut start = (self.state.clone(), self.claim, 0);
        let (end, found) = loop {
            self.begin();
            let (end, found) = self.walk(&stop);
            walks += 1;
            steps += u64::from(self.position - start.2);
            depth = depth.max(self.length);
            if found.is_some() || walks >= self.plan.chain.max(1) || matches!(end, End::Stopped | End::Memory) {
                break (end, found);
            }
            self.go_back(&mut start);
        };
        self.seen.sort_unstable();
        self.seen.dedup();
        let coverage = std::mem::replace(&mut self.coverage, Coverage::new(self.machine.model()));
        Walked {
            end,
            found,
            walks,
            steps,
            tries: self.tries,
            depth,
            best: self.best,
            seen: std::mem::take(&mut self.seen),
            coverage: Some(coverage),
            tries_by_step: std::mem::take(&mut self.tries_by_step),
        }
    }

    fn begin(&mut self) {
        self.visited.clear();
        self.attention.clear();
        (self.length, self.repeats, self.last_accepting, self.arrived) = (0, 0, None, None);
    }

    /// Goes back to a random state of the walk that has just ended; `start` is where that one began.
    fn go_back(&mut self, start: &mut (State, LocationId, u32)) {
        let (state, claim, first) = start;
        let back = self.draws.below(self.position - *first + 1);
        let mut stayed = *first > 0 && self.path[*first as usize - 1].system.is_none();
        for step in &self.path[*first as usize..(*first + back) as usize] {
            *claim = self.follow(state, *claim, stayed, step);
            stayed = step.system.is_none();
        }
        self.stayed = stayed;
        *first += back;
        self.path.truncate(*first as usize);
        self.tries_by_step.truncate(*first as usize);
        self.position = *first;
        self.state.copy_from(state);
        self.claim = *claim;
    }

    /// Takes a step of the path again; gives the claim's location behind it.
    fn follow(&self, state: &mut State, claim: LocationId, stayed: bool, step: &Step) -> LocationId {
        let timeout = step.system.is_none_or(|m| m.timeout);
        let choices = self.subject.choices(self.machine, state, claim, timeout, stayed);
        let next = match (step.claim, choices) {
            (Some(choice), Ok(Some(choices))) => choices[usize::from(choice)].target,
            _ => claim,
        };
        if let Some(taken) = &step.system {
            self.machine.apply(state, taken);
        }
        next
    }

    fn walk(&mut self, stop: &impl Fn() -> bool) -> (End, Option<Found>) {
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
            let mut chosen = self.choose();
            if matches!(chosen, Chosen::Stopped) {
                if let Some(kind) = self.subject.stuck(self.machine, &self.state) {
                    return (End::Violation, Some(self.found(kind, None)));
                }
                if self.subject.claim.is_none() {
                    return (End::Leaf, None);
                }
                chosen = self.stutter();
            }
            if self.keep.path {
                self.tries_by_step.push((self.tries - before) as u32);
            }
            match chosen {
                Chosen::Moved(None) => {}
                Chosen::Moved(Some(kind)) | Chosen::Found(kind) => {
                    return (End::Violation, Some(self.found(kind, None)));
                }
                Chosen::Closed(step, first) => {
                    self.path.push(step);
                    return (End::Violation, Some(self.found(FoundKind::Cycle, Some(first))));
                }
                Chosen::Stopped | Chosen::Exhausted => return (End::Leaf, None),
            }
        }
    }

    /// Looks at the state that the walk has come to.
    fn look(&mut self) -> Option<(End, Option<Found>)> {
        if let Some(kind) = self.subject.broken(self.machine, &self.state) {
            return Some((End::Violation, Some(self.found(kind, None))));
        }
        let watched = self.subject.claim.is_some();
        let remembers = watched || self.plan.kind == Kind::Trail || self.plan.until != Until::End;
        if self.keep.blind && !remembers {
            return None;
        }
        let known = self.arrived.take();
        let fingerprint =
            known.unwrap_or_else(|| fingerprint(&self.state, self.claim, self.asks_progress && self.stayed));
        if !self.keep.blind && self.state.exclusive.is_none() && fingerprint.trailing_zeros() >= self.keep.level {
            self.seen.push(fingerprint);
        }
        if watched {
            if self.subject.fair {
                self.attention.rest(self.machine, &self.state, self.position);
            }
            if self.subject.accepts(self.machine, &self.state, self.claim) {
                self.last_accepting = Some(self.position);
            }
        }
        if remembers {
            let first = self.visited.note(fingerprint, self.position)?;
            if self.is_accepting_since(first) {
                return Some((End::Violation, Some(self.found(FoundKind::Cycle, Some(first)))));
            }
            self.repeats += 1;
            if matches!(self.plan.until, Until::Repeats(most) if self.repeats >= most) {
                return Some((End::Repeats, None));
            }
        }
        None
    }

    /// Is the run from a position on a cycle that counts, when it is closed here?
    fn is_accepting_since(&self, first: u32) -> bool {
        let fair = || !self.subject.fair || self.attention.all_since(first);
        self.last_accepting.is_some_and(|at| at >= first) && fair()
    }

    /// Would this step close an accepting cycle?
    pub(super) fn closes(&self, first: u32, step: &Step) -> bool {
        if !self.subject.fair {
            return self.is_accepting_since(first);
        }
        let mut attention = self.attention.clone();
        if let Some(taken) = &step.system {
            attention.serve(taken, self.position);
        }
        self.last_accepting.is_some_and(|at| at >= first) && attention.all_since(first)
    }

    /// Notes a step that was taken.
    pub(super) fn arrive(&mut self, step: &Step, claim: LocationId) {
        if let Some(taken) = &step.system {
            self.attention.serve(taken, self.position);
        }
        self.claim = claim;
        self.stayed = step.system.is_none();
        self.position += 1;
        self.length += step.length().max(1);
        if self.keep.path || self.plan.chain > 1 {
            self.path.push(*step);
        }
    }

    /// Notes a score that the guide gave.
    pub(super) fn note_score(&mut self, score: u32) {
        self.best = Some(self.best.map_or(score, |b| b.min(score)));
    }

    fn found(&mut self, kind: FoundKind, cycle_start: Option<u32>) -> Found {
        Found {
            kind,
            path: std::mem::take(&mut self.path),
            cycle_start: cycle_start.map(|p| p as usize),
            count: 1,
            shortest: false,
        }
    }

    fn memory(&self) -> u64 {
        let path = self.path.capacity() * std::mem::size_of::<Step>();
        self.visited.memory() + (path + self.seen.capacity() * 8) as u64
    }
}
