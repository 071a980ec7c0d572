//! Limits of a translation.
//!
//! An automaton can be exponentially larger than its formula, so a translation fails with an error if a count exceeds its
//! limit. The counts are deterministic.

use std::fmt;

use lurcher_resources::charge;

/// Bounds of one translation. The defaults admit hand-written formulas and stop others after about five seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most states of any intermediate automaton.
    pub states: usize,
    /// The most edges of any intermediate automaton.
    pub edges: usize,
    /// The most comparisons of edges, which bounds the time.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { states: 10_000, edges: 200_000, steps: 800_000_000 }
    }
}

/// The limit that a translation exceeded.
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
    /// The exceeded limit.
    pub resource: Resource,
    /// Its value.
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
        charge(steps.div_ceil(64));
        self.steps += steps as u64;
        check(self.steps, self.limits.steps, Resource::Steps)
    }

    pub(crate) fn states(&self, states: usize) -> Result<(), TooLarge> {
        check(states as u64, self.limits.states as u64, Resource::States)
    }

    pub(crate) fn edges(&self, edges: usize) -> Result<(), TooLarge> {
        check(edges as u64, self.limits.edges as u64, Resource::Edges)
    }

    /// Adds an item to a list of minimal ones, unless another dominates it, and drops those that it dominates.
    pub(crate) fn insert_minimal<T>(
        &mut self,
        items: &mut Vec<T>,
        new: T,
        dominates: impl Fn(&T, &T) -> bool,
    ) -> Result<(), TooLarge> {
        self.step(items.len() + 1)?;
        if !items.iter().any(|old| dominates(old, &new)) {
            items.retain(|old| !dominates(&new, old));
            items.push(new);
        }
        self.edges(items.len())
    }
}

fn check(used: u64, limit: u64, resource: Resource) -> Result<(), TooLarge> {
    if used > limit { Err(TooLarge { resource, limit }) } else { Ok(()) }
}
