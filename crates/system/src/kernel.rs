//! Walks that stay inside a machine for many steps.
//!
//! A kernel makes the walks that need nothing but the model: no guide, no claim, any step. They are the walks that the
//! walker of `lurcher_search` makes: the random numbers of walk *i* of seed *s* and the rule that turns them into choices
//! are the contract of its `walk/draws.rs`. A kernel keeps no path; to see it, make the same walk again there.

use crate::fault::Violation;
use crate::state::State;

/// Makes those who walk.
pub trait WalkKernel: Sync {
    /// Somebody to walk, on one thread, from a state, which is the model's initial one.
    fn walker<'k>(&'k self, initial: &State) -> Box<dyn KernelWalker + 'k>;
}

/// Makes one walk after another.
pub trait KernelWalker {
    /// Makes the walks of a unit, until one finds something or `stop` says so.
    fn run(&mut self, course: &Course, stop: &dyn Fn() -> bool) -> KernelWalk;

    /// The state that the last walk has come to.
    fn state(&self) -> &State;

    /// What the walks have executed: a byte for each action, process type after process type, 0 where it was not. It is
    /// for the caller to clear.
    fn executed(&mut self) -> &mut [u8];

    /// The fingerprints that the last unit noted, in the order of its steps.
    fn seen(&self) -> &[u64];
}

/// Which walks to make: those of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The seed of all walks.
    pub seed: u64,
    /// The number of the unit.
    pub index: u64,
    /// Steps after which a walk ends.
    pub depth: u32,
    /// Walks in the unit: the first starts in the initial state, each other one at a random state of the one before.
    pub chain: u32,
    /// A step is one of all possible ones, not the first that a random process can take.
    pub all_children: bool,
    /// A deadlock is a violation, and ends the unit.
    pub deadlock: bool,
    /// Note the fingerprints of the states seen that have so many low zero bits.
    pub level: Option<u32>,
    /// Bytes for what it notes.
    pub memory: Option<u64>,
}

/// What ended a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// A step violated an assertion or met a fault.
    Violation(Violation),
    /// An invariant does not hold.
    Invariant,
    /// No process can move, and not all may rest where they are.
    Deadlock,
    /// No process can move, and all may rest.
    Leaf,
    /// Its depth.
    Depth,
    /// It was told to stop.
    Stopped,
    /// Its memory was used up.
    Memory,
}

/// What the walks of a unit came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelWalk {
    /// What ended the last one.
    pub end: WalkEnd,
    /// Walks made.
    pub walks: u32,
    /// Steps taken.
    pub steps: u64,
    /// Branches tested, possible or not.
    pub tries: u64,
    /// Length of the longest as a trace: a rendezvous counts twice.
    pub length: u32,
}
