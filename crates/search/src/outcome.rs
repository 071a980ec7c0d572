//! The result of a search.

use lurcher_system::{Path, Violation};

use crate::budget::StopReason;
use crate::space::Step;

/// Counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States stored, outside atomic chains.
    pub stored: u64,
    /// Transitions that led to a stored state.
    pub matched: u64,
    /// Transitions executed.
    pub transitions: u64,
    /// Nodes whose successors were listed; one that is expanded again counts again.
    pub expanded: u64,
    /// Greatest depth reached, in steps.
    pub depth: u64,
    /// Bytes used by the store and the stack.
    pub memory: u64,
}

impl Stats {
    /// Adds the counts of another thread.
    pub(crate) fn merge(&mut self, other: &Stats) {
        self.stored += other.stored;
        self.matched += other.matched;
        self.transitions += other.transitions;
        self.expanded += other.expanded;
        self.depth = self.depth.max(other.depth);
        self.memory += other.memory;
    }
}

/// Kinds of violations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundKind {
    /// An invalid end state.
    Deadlock,
    /// A step violates an assertion or faults.
    Step(Violation),
    /// An invariant is false.
    Invariant,
    /// The claim reaches its end.
    ClaimEnd,
    /// An accepting or fair cycle.
    Cycle,
    /// The watched term of this number is false.
    Watched(u32),
}

/// A violation and the path to it.
#[derive(Clone, Debug)]
pub struct Found<S = Step> {
    /// Its kind.
    pub kind: FoundKind,
    /// The path from the initial state; for a cycle, a lasso.
    pub path: Path<S>,
    /// Number of violations of this kind and place.
    pub count: u64,
    /// The path is a shortest one.
    pub shortest: bool,
}

impl<S> Found<S> {
    /// A single violation, by a path that need not be a shortest one.
    pub fn new(kind: FoundKind, path: Path<S>) -> Self {
        Found { kind, path, count: 1, shortest: false }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome<S = Step> {
    /// Why it stopped.
    pub stop: StopReason,
    /// Violations, in the order found, one for each kind and place.
    pub found: Vec<Found<S>>,
    /// A violation was found, but a limit was reached before its path was known.
    pub pathless: bool,
    /// Counts.
    pub stats: Stats,
}

impl<S> Outcome<S> {
    /// The result of a search that has not found anything yet.
    pub fn new(stop: StopReason, stats: Stats) -> Self {
        Outcome { stop, found: Vec::new(), pathless: false, stats }
    }

    /// Whether everything was explored.
    pub fn is_complete(&self) -> bool {
        self.stop == StopReason::Complete
    }
}

/// Collects violations, one for each kind and place.
#[derive(Debug)]
pub(crate) struct Collector<S> {
    pub found: Vec<Found<S>>,
    /// See [`Outcome::pathless`].
    pub pathless: bool,
}

impl<S> Collector<S> {
    pub fn new() -> Self {
        Collector { found: Vec::new(), pathless: false }
    }

    /// Counts violations of a kind that was noted before; false if it was not.
    pub fn count(&mut self, kind: &FoundKind, times: u64) -> bool {
        let known = self.found.iter_mut().find(|f| f.kind == *kind);
        known.map(|found| found.count += times).is_some()
    }

    /// Notes a violation. `path` is only called for the first one of its kind and place.
    pub fn note(&mut self, kind: FoundKind, shortest: bool, path: impl FnOnce() -> Vec<S>) {
        if !self.count(&kind, 1) {
            self.found.push(Found { shortest, ..Found::new(kind, Path::finite(path())) });
        }
    }
}
