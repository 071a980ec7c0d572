//! Reachability: which states are reached, is one of a target reached, and how.

mod breadth_first;
mod chaining;
mod step_invariant;

use lurcher_ir::relation::TermId;
use lurcher_search::Observer;

use crate::encode::Encoding;
use crate::kernel::{Bdd, Stoppable};
use crate::trace::Trace;

/// How to look for a state of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Breadth-first from the initial states: a shortest trace.
    Forward,
    /// Breadth-first from the target: a shortest trace.
    Backward,
    /// All that is reached, with one step after the other applied to what is reached so far; if the target is met, a
    /// trace by breadth-first search backwards inside that. Far faster where many steps touch few variables each; the
    /// trace need not be a shortest one.
    #[default]
    Chaining,
}

/// Whether a target is reached.
#[derive(Clone)]
pub struct Reached {
    /// A run to a state of the target; nothing if there is none.
    pub trace: Option<Trace>,
    /// Is the trace as short as possible?
    pub shortest: bool,
    /// All reachable states, where the search has seen all of them.
    pub reachable: Option<Bdd>,
    /// Layers or rounds of the search.
    pub rounds: u64,
}

impl Encoding<'_> {
    /// Looks for a run to a state of a target.
    pub fn reach(&self, target: &Bdd, strategy: Strategy, observer: &mut dyn Observer) -> Stoppable<Reached> {
        match strategy {
            Strategy::Forward => self.forward(target, observer),
            Strategy::Backward => self.backward(target, observer),
            Strategy::Chaining => self.chained(target, observer),
        }
    }

    /// Looks for a reachable state where a term about states is false.
    pub fn violates(&self, invariant: TermId, strategy: Strategy, observer: &mut dyn Observer) -> Stoppable<Reached> {
        let bad = self.kernel().minus(self.all_states(), &self.truth(invariant)?)?;
        self.reach(&bad, strategy, observer)
    }

    /// States without a successor, reachable or not.
    pub fn deadlocks(&self) -> Stoppable<Bdd> {
        self.kernel().minus(self.all_states(), &self.preimage(self.all_states())?)
    }
}
