//! Trails: traces by process and statement numbers, the form in which they are stored and exchanged.

use lurcher_resources::checkpoint;
use lurcher_system::{Interpreter, Move, Path, State};

/// One step: a process and the statement it executes. A rendezvous is two entries, the send first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The process number.
    pub process: u16,
    /// The statement's [`lurcher_ir::Action::origin`].
    pub origin: u32,
}

/// A trace to be replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The entries; `cycle_start` counts entries.
    pub path: Path<Entry>,
    /// The trail comes from a search with a claim, which ignores invalid end states.
    pub with_claim: bool,
    /// The claim is Spin's own non-progress claim.
    pub non_progress: bool,
    /// Statement merging was on: only the first statement of a merged sequence has an entry.
    pub merged: bool,
}

impl Trail {
    /// The trail of a path of moves from the initial state.
    pub fn of_path(interpreter: &Interpreter<'_>, path: &Path<Move>) -> Trail {
        let mut steps = Vec::new();
        if let Ok(mut state) = interpreter.initial() {
            for (index, step) in path.steps.iter().enumerate() {
                checkpoint();
                let named = entries(interpreter, &state, step);
                let violation = interpreter.apply(&mut state, step);
                // A path that goes on past a violation in the send of a rendezvous contains the receive.
                let violation = violation.filter(|_| index + 1 == path.steps.len());
                steps.extend(named.take(step.length_with(violation.as_ref()) as usize));
            }
        }
        let cycle_start = path.cycle_start.map(|_| path.prefix_length() as usize);
        Trail { path: Path { steps, cycle_start }, ..Trail::default() }
    }

    /// The same lasso with its cycle unrolled once into the prefix.
    pub(crate) fn unrolled(mut self) -> Option<Trail> {
        let path = &mut self.path;
        let start = path.cycle_start.filter(|&start| start < path.steps.len())?;
        path.cycle_start = Some(path.steps.len());
        path.steps.extend_from_within(start..);
        Some(self)
    }
}

/// The entries of one move.
pub(crate) fn entries(
    interpreter: &Interpreter<'_>,
    state: &State,
    step: &Move,
) -> impl Iterator<Item = Entry> + use<> {
    let entry = |(process, branch)| {
        let (_, action) = interpreter.branch(state, process, branch);
        Entry { process: process.0, origin: action.origin }
    };
    std::iter::once(entry((step.process, step.branch))).chain(step.partner.map(entry))
}
