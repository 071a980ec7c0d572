//! Executing a trace.
//!
//! The entries of a trail name the steps, one or (for a rendezvous) two entries each. Spin, however, merges runs of
//! statements that cannot block into one step and writes only the first of them into its trail; and where a merged run
//! ends in a jump out of a loop, another jump may follow that leads where the first one led. So a merged trail has
//! several readings, and they are found by trying: behind each entry its process may have gone on by statements that
//! have no alternative and cannot block, as many as there are or none. What the next entry of the process names, and what
//! Spin usually merges (`merging`), say which is likely; that is tried first. Spin also resets variables that are not used any more, so a cycle may close only
//! the second time around.
//!
//! Three habits of Spin are allowed for: its breadth-first search writes one entry too many; with `-c0` it goes on behind
//! faults; and while it looks for a process that receives a rendezvous, it may meet a fault of that process.

use std::fmt;

use lurcher_system::{Interpreter, Move, State, Violation};

use crate::entry::{Entry, Trail};
use crate::readings::Readings;

/// A step that was executed.
#[derive(Clone, Debug)]
pub struct ReplayedStep {
    /// What was done.
    pub taken: Move,
    /// What it violated.
    pub violation: Option<Violation>,
}

/// A trace that was executed. Only the first and the last state are kept: those in between are made again when they
/// are looked at, because a long trace of a large model would not fit into memory otherwise.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The state it starts in.
    pub initial: State,
    /// Its steps.
    pub steps: Vec<ReplayedStep>,
    /// The state it ends in.
    pub last: State,
    /// For a lasso: the number of steps before the cycle.
    pub cycle_start: Option<usize>,
    /// What went wrong before the first step.
    pub start_violation: Option<Violation>,
}

/// A step with the states around it.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// The number of steps before it.
    pub index: usize,
    /// The step.
    pub step: &'a ReplayedStep,
    /// The state before it.
    pub before: &'a State,
    /// The state after it.
    pub after: &'a State,
}

impl Replayed {
    /// Goes through the trace again, step by step.
    pub fn visit(&self, interpreter: &Interpreter<'_>, mut f: impl FnMut(Visit<'_>)) {
        let mut before = self.initial.clone();
        let mut after = self.initial.clone();
        for (index, step) in self.steps.iter().enumerate() {
            execute(interpreter, &mut after, &before, &step.taken);
            f(Visit { index, step, before: &before, after: &after });
            before.copy_from(&after);
        }
    }

    /// Length as traces count it: a rendezvous is two.
    pub fn length(&self) -> u32 {
        self.steps.iter().map(|s| s.taken.length_with(s.violation.as_ref())).sum()
    }

    /// The moves.
    pub fn moves(&self) -> Vec<Move> {
        self.steps.iter().map(|s| s.taken).collect()
    }
}

/// Why a trace cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayError {
    /// The process of this entry (counted from one) does not exist.
    NoProcess(usize, Entry),
    /// The statement of this entry (counted from one) cannot be executed by its process there.
    NotPossible(usize, Entry),
}

impl ReplayError {
    /// Index of the entry, counted from zero.
    pub(crate) fn position(&self) -> usize {
        let (ReplayError::NoProcess(at, _) | ReplayError::NotPossible(at, _)) = self;
        at - 1
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NoProcess(at, entry) => write!(f, "step {at}: there is no process {}", entry.process),
            ReplayError::NotPossible(at, entry) => {
                write!(f, "step {at}: process {} cannot execute statement {} there", entry.process, entry.origin)
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// Executes a trace from the initial state.
pub fn replay(interpreter: &Interpreter<'_>, trail: &Trail) -> Result<Replayed, ReplayError> {
    readings(interpreter, trail).next().expect("there is a reading or an error")
}

/// The ways in which a trace can be read, or why there is none.
pub fn readings<'i, 'm>(
    interpreter: &'i Interpreter<'m>,
    trail: &Trail,
) -> impl Iterator<Item = Result<Replayed, ReplayError>> + use<'i, 'm> {
    let twice = trail.clone().second_time_around();
    Readings::of(interpreter, trail.clone()).chain(twice.into_iter().flat_map(|t| Readings::of(interpreter, t)))
}

/// Makes `after` the state behind a move; after a fatal violation there is none, and the state stays as it is.
pub(crate) fn execute(
    interpreter: &Interpreter<'_>,
    after: &mut State,
    before: &State,
    taken: &Move,
) -> Option<Violation> {
    let violation = interpreter.apply(after, taken);
    if violation.as_ref().is_some_and(Violation::is_fatal) {
        after.copy_from(before);
    }
    violation
}
