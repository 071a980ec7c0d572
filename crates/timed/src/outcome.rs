//! What a check found.

use std::time::Duration;

use lurcher_system::timed::Run;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// A property, an index into the model's properties, is false at a reachable instant.
    False(usize),
    /// A property has no value at a reachable instant.
    NoValue(usize),
    /// The entry assertion of a case has no value at a reachable instant. Cases are counted over all transitions.
    EntryNoValue(usize),
}

/// Why a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// Something was found.
    Found(Finding),
    /// Everything was examined, and nothing is wrong.
    Complete,
    /// Everything down to the depth was examined.
    Depth,
    /// A clause read events that states do not keep.
    Window,
    /// Parts were left out at random.
    Sampled,
    /// The limit on rounds was reached.
    Rounds,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub ended: Ended,
    /// The labels of the steps to what was found: names of cases, `idle` for one instant, `wait` for any number of them.
    pub path: Vec<String>,
    /// A run that shows what was found, with small constants.
    pub run: Option<Run>,
    /// Nodes of the tree that were tried; rounds of a fixpoint.
    pub nodes: u64,
    /// The largest number of polyhedra of a set of states.
    pub disjuncts: usize,
    /// How many of the last events of a kind states knew of.
    pub window: usize,
    /// How long it took.
    pub time: Duration,
}
