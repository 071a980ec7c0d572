//! Reachability: the reachable states, and traces to a target.

mod breadth_first;
mod chaining;

use lurcher_search::Observer;
use lurcher_system::Path;

use crate::encode::Encoding;
use crate::kernel::{Bdd, BddResult};

/// How to search for a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Breadth-first search from the initial states. Finds a shortest trace.
    Forward,
    /// Chaining: each partition is applied to the states reached so far. Much faster if many partitions touch few
    /// variables each; the trace need not be shortest.
    #[default]
    Chaining,
}

/// The result of a search for a target.
#[derive(Clone)]
pub struct Reached {
    /// A run to a target state, if one is reachable.
    pub trace: Option<Path<Vec<i64>>>,
    /// Whether the trace is shortest.
    pub shortest: bool,
    /// All reachable states, if the search was exhaustive.
    pub reachable: Option<Bdd>,
    /// Layers or rounds of the search.
    pub rounds: u64,
}

impl Encoding<'_> {
    /// Searches for a run to a target state.
    pub fn reach(&self, target: &Bdd, strategy: Strategy, observer: &mut dyn Observer) -> BddResult<Reached> {
        match strategy {
            Strategy::Forward => self.forward(target, observer),
            Strategy::Chaining => self.chained(target, observer),
        }
    }

    /// States without a successor, reachable or not.
    pub fn deadlocks(&self) -> BddResult<Bdd> {
        self.kernel().minus(self.all_states(), &self.preimage(self.all_states())?)
    }
}
