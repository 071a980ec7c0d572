//! Shorter traces that show the same violation.
//!
//! A random walk finds a violation after thousands of steps. Minimising shortens its path in these ways:
//!
//! * for every system whose states can be listed ([`PathSystem`], `shortcuts`): loop removal, breadth-first search for a
//!   shorter path from the initial states, and shortcuts between states of the path. Relations use these through the
//!   stepper ([`minimise_states`]).
//! * for process models ([`minimise`], `process`), whose steps differ in length: the same ideas as shortest paths, and delta
//!   debugging on the schedule of the processes, fresh random walks, A\*, and a search for the shortest lasso.
//!
//! A search that finishes below the length of the path proves it shortest. The result depends on the path and the budget
//! only, not on time or threads.

mod budget;
mod process;
mod relation;
mod shortcuts;

use lurcher_system::Path;

pub use budget::MinimiseBudget;
pub use process::minimise;
pub use relation::{StateGoal, minimise_states};
pub use shortcuts::{PathSystem, minimise_path};

/// The result of minimising.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimised<S> {
    /// The minimised path.
    pub path: Path<S>,
    /// Steps of the given path.
    pub found_length: u32,
    /// Steps of this path.
    pub length: u32,
    /// Proven: no shorter path shows this kind of violation without showing another one before it. For a lasso of a process
    /// model this is proven only without claim and fairness; for one of states it concerns the prefix alone.
    pub optimal: bool,
    /// Work done, in expanded states.
    pub expansions: u64,
    /// Minimising was not interrupted: the result is the same on every machine.
    pub finished: bool,
}
