//! Executing a trail with the interpreter.
//!
//! The entries of a trail name the moves: one entry each, two for a rendezvous. Spin merges sequences of statements that
//! cannot block into one step and writes only the first of them into its trail. Where a merged sequence ends in a jump
//! out of a loop, the trail may also contain a jump that the merged step has made already. So a merged trail has several
//! readings. The `readings` module enumerates them: after each entry its process may have executed further statements
//! that have no alternative and cannot block. The most likely reading comes first; the next entry of the process and
//! Spin's own merging rules (`merging`) decide which one that is. Spin also resets dead variables, so the cycle of a
//! lasso may close only when it is executed a second time.
//!
//! Replay accepts three more properties of Spin's trails: its breadth-first search writes one entry too many; with `-c0` it
//! continues after faults; and while it looks for a rendezvous partner, it may run into a fault of that process.

use std::fmt;

use lurcher_resources::checkpoint;
use lurcher_system::{Interpreter, Move, Path, State, Violation};

use crate::readings::Readings;
use crate::trail::{Entry, Trail};

/// A move that was executed.
#[derive(Clone, Debug)]
pub struct ReplayedStep {
    /// The move.
    pub taken: Move,
    /// The violation it caused.
    pub violation: Option<Violation>,
}

/// A trace that was executed. Only the first and the last state are kept: [`Replayed::visit`] recomputes the others,
/// because all states of a long trace of a large model would not fit into memory.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The initial state.
    pub initial: State,
    /// The moves with their violations.
    pub path: Path<ReplayedStep>,
    /// The last state.
    pub last: State,
    /// A violation in the initialisation, before the first step.
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
    /// Executes the trace again and calls `f` with every step.
    pub fn visit(&self, interpreter: &Interpreter<'_>, mut f: impl FnMut(Visit<'_>)) {
        let mut before = self.initial.clone();
        let mut after = self.initial.clone();
        for (index, step) in self.path.steps.iter().enumerate() {
            execute(interpreter, &mut after, &before, &step.taken);
            f(Visit { index, step, before: &before, after: &after });
            before.copy_from(&after);
        }
    }

    /// Length as traces count it: a rendezvous is two.
    pub fn length(&self) -> u32 {
        (0..self.path.steps.len()).map(|index| self.length_of(index)).sum()
    }

    /// The length of a step. A rendezvous is one where the trace ends with a violation in its send.
    pub(crate) fn length_of(&self, index: usize) -> u32 {
        let (step, last) = (&self.path.steps[index], index + 1 == self.path.steps.len());
        if last { step.taken.length_with(step.violation.as_ref()) } else { step.taken.length() }
    }

    /// The moves.
    pub fn moves(&self) -> Path<Move> {
        Path { steps: self.path.steps.iter().map(|s| s.taken).collect(), cycle_start: self.path.cycle_start }
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

/// Executes a trail from the initial state, in its most likely reading.
pub fn replay(interpreter: &Interpreter<'_>, trail: &Trail) -> Result<Replayed, ReplayError> {
    readings(interpreter, trail).next().expect("there is a reading or an error")
}

/// All readings of a trail, the most likely first; an error if there is none.
pub fn readings<'i, 'm>(
    interpreter: &'i Interpreter<'m>,
    trail: &Trail,
) -> impl Iterator<Item = Result<Replayed, ReplayError>> + use<'i, 'm> {
    let unrolled = trail.clone().unrolled();
    Readings::of(interpreter, trail.clone()).chain(unrolled.into_iter().flat_map(|t| Readings::of(interpreter, t)))
}

/// Applies a move to `after`, a copy of `before`. A fatal violation has no successor state and leaves `after` unchanged.
/// Every execution of a trace goes through here, so limits bind all of them.
pub(crate) fn execute(
    interpreter: &Interpreter<'_>,
    after: &mut State,
    before: &State,
    taken: &Move,
) -> Option<Violation> {
    checkpoint();
    let violation = interpreter.apply(after, taken);
    if violation.as_ref().is_some_and(Violation::is_fatal) {
        after.copy_from(before);
    }
    violation
}
