//! Walks that run inside a machine for many steps.
//!
//! A kernel makes walks without a heuristic and without a claim. They equal the walks of the walker of `lurcher_search`:
//! `walk/draws.rs` there fixes the random numbers of walk *i* of seed *s* and how they select moves. A kernel stores no
//! path; the walker can repeat the walk.

use crate::fault::Violation;
use crate::state::State;

/// A compiled model that makes walks.
pub trait WalkKernel: Sync {
    /// A walker for one thread, starting in the initial state of the model.
    fn walker<'k>(&'k self, initial: &State) -> Box<dyn KernelWalker + 'k>;
}

/// Makes walks, one unit after another.
pub trait KernelWalker {
    /// Makes the walks of a unit, until one finds a violation or `stop` returns true.
    fn run(&mut self, course: &Course, stop: &dyn Fn() -> bool) -> KernelWalk;

    /// The last state of the last walk.
    fn state(&self) -> &State;

    /// Executed actions: a nonzero byte for each, process type after process type. The caller clears it.
    fn executed(&mut self) -> &mut [u8];

    /// The fingerprints that the last unit recorded, in the order of its steps.
    fn seen(&self) -> &[u64];
}

/// The walks of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The seed of all walks.
    pub seed: u64,
    /// The number of the unit.
    pub index: u64,
    /// The most steps of a walk.
    pub depth: u32,
    /// The number of walks: the first starts in the initial state, each other in a random state of the one before.
    pub chain: u32,
    /// Select among all enabled moves, instead of the first enabled move of a random process.
    pub all_children: bool,
    /// A deadlock is a violation.
    pub deadlock: bool,
    /// Record the fingerprints of visited states with this many low zero bits.
    pub level: Option<u32>,
    /// The most bytes for recorded fingerprints.
    pub memory: Option<u64>,
}

/// Why a walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// A step violated an assertion or faulted.
    Violation(Violation),
    /// An invariant does not hold.
    Invariant,
    /// An invalid end state.
    Deadlock,
    /// A valid end state.
    Leaf,
    /// The depth limit.
    Depth,
    /// `stop` returned true.
    Stopped,
    /// The memory limit.
    Memory,
}

/// The result of the walks of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelWalk {
    /// Why the last walk ended.
    pub end: WalkEnd,
    /// Number of walks.
    pub walks: u32,
    /// Steps taken.
    pub steps: u64,
    /// Branches tested.
    pub tries: u64,
    /// The length of the longest walk as a trace: a rendezvous counts twice.
    pub length: u32,
}
