//! How much a translation may cost.
//!
//! An automaton can be exponentially larger than its formula, so a translation counts what it builds and gives up with
//! an error when a count passes its limit. The counts are deterministic: a formula that is too large is too large on
//! every machine.

use std::fmt;

/// Bounds on one translation. The defaults are meant to let through every formula a person would write, and stop the
/// others after some five seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most states any automaton on the way may have.
    pub states: usize,
    /// The most edges any automaton on the way may have.
    pub edges: usize,
    /// The most comparisons of edges while building; this bounds the time.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { states: 10_000, edges: 200_000, steps: 800_000_000 }
    }
}

impl Limits {
    /// The same with another bound on states.
    pub fn with_states(self, states: usize) -> Self {
        Limits { states, ..self }
    }

    /// The same with another bound on edges.
    pub fn with_edges(self, edges: usize) -> Self {
        Limits { edges, ..self }
    }

    /// The same with another bound on steps.
    pub fn with_steps(self, steps: u64) -> Self {
        Limits { steps, ..self }
    }
}

/// What a translation ran out of; the names are those of the fields of [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Resource {
    /// [`Limits::states`].
    States,
    /// [`Limits::edges`].
    Edges,
    /// [`Limits::steps`].
    Steps,
}

/// The formula needs an automaton larger than the limits allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge {
    /// What ran out.
    pub resource: Resource,
    /// The limit that was reached.
    pub limit: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resource = match self.resource {
            Resource::States => "states",
            Resource::Edges => "edges",
            Resource::Steps => "construction steps",
        };
        write!(f, "the automaton of the formula needs more than {} {resource}", self.limit)
    }
}

impl std::error::Error for TooLarge {}

/// Counts against [`Limits`].
pub(crate) struct Meter {
    limits: Limits,
    steps: u64,
}

impl Meter {
    pub(crate) fn new(limits: Limits) -> Self {
        Meter { limits, steps: 0 }
    }

    pub(crate) fn step(&mut self, steps: usize) -> Result<(), TooLarge> {
        self.steps += steps as u64;
        check(self.steps, self.limits.steps, Resource::Steps)
    }

    pub(crate) fn states(&self, states: usize) -> Result<(), TooLarge> {
        check(states as u64, self.limits.states as u64, Resource::States)
    }

    pub(crate) fn edges(&self, edges: usize) -> Result<(), TooLarge> {
        check(edges as u64, self.limits.edges as u64, Resource::Edges)
    }
}

fn check(used: u64, limit: u64, resource: Resource) -> Result<(), TooLarge> {
    if used > limit { Err(TooLarge { resource, limit }) } else { Ok(()) }
}
