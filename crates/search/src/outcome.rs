//! What a search found.

use lurcher_system::Violation;

use crate::budget::StopReason;
use crate::space::Step;

/// Counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States stored: those where no atomic chain is under way.
    pub stored: u64,
    /// Transitions that led to a state stored before.
    pub matched: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Greatest depth reached, in steps.
    pub depth: u64,
    /// Bytes used by the store and the stack.
    pub memory: u64,
}

/// What kind of violation was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundKind {
    /// No process can move, and not all may rest where they are.
    Deadlock,
    /// A step violated an assertion or met a fault.
    Step(Violation),
    /// An invariant does not hold.
    Invariant,
    /// The claim came to its end.
    ClaimEnd,
    /// A cycle that the claim accepts, or a fair one.
    Cycle,
    /// The watched term of this number is false.
    Watched(u32),
}

/// A violation and the way to it.
#[derive(Clone, Debug)]
pub struct Found<S = Step> {
    /// What it is.
    pub kind: FoundKind,
    /// The steps from the initial state; for a cycle, the prefix and once around.
    pub path: Vec<S>,
    /// For a cycle: the number of steps before it begins.
    pub cycle_start: Option<usize>,
    /// How often a violation of this kind was met at this place.
    pub count: u64,
    /// The path is the shortest possible.
    pub shortest: bool,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome<S = Step> {
    /// What stopped it.
    pub stop: StopReason,
    /// Violations, in the order found, one for each kind and place.
    pub found: Vec<Found<S>>,
    /// Counts.
    pub stats: Stats,
}

impl<S> Outcome<S> {
    /// Was everything looked at?
    pub fn is_complete(&self) -> bool {
        self.stop == StopReason::Complete
    }
}

/// Collects violations, one for each kind and place.
#[derive(Debug)]
pub(crate) struct Collector<S> {
    pub found: Vec<Found<S>>,
}

impl<S> Collector<S> {
    pub fn new() -> Self {
        Collector { found: Vec::new() }
    }

    /// Notes a violation; `path` is asked for only when it is the first of its kind and place.
    pub fn note(&mut self, kind: FoundKind, shortest: bool, path: impl FnOnce() -> Vec<S>) {
        match self.found.iter_mut().find(|f| f.kind == kind) {
            Some(known) => known.count += 1,
            None => self.found.push(Found { kind, path: path(), cycle_start: None, count: 1, shortest }),
        }
    }
}
