//! The neutral form of a trace.

use lurcher_system::{Interpreter, Move, State};

use crate::replay::{Replayed, Visit};

/// One step: a process and the number of the statement it executes. A rendezvous is two entries, the send first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The process.
    pub process: u16,
    /// The statement's [`lurcher_ir::Action::origin`].
    pub origin: u32,
}

/// A trace to be replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Steps of the system.
    pub entries: Vec<Entry>,
    /// For a lasso: the number of entries before the cycle.
    pub cycle_start: Option<usize>,
    /// It comes from a search with a claim, which does not look for invalid end states.
    pub with_claim: bool,
    /// That claim is the one that looks for cycles without progress.
    pub non_progress: bool,
    /// Runs of local statements stand under the first of them, as Spin merges them.
    pub merged: bool,
}

impl Trail {
    /// The same trace with its cycle gone through twice, the first time before the cycle starts.
    pub(crate) fn second_time_around(mut self) -> Option<Trail> {
        let start = self.cycle_start.filter(|&start| start < self.entries.len())?;
        self.cycle_start = Some(self.entries.len());
        self.entries.extend_from_within(start..);
        Some(self)
    }

    /// Writes a run that was executed down as entries.
    pub fn of_replayed(interpreter: &Interpreter<'_>, replayed: &Replayed) -> Trail {
        let mut trail = Trail::default();
        replayed.visit(interpreter, |Visit { index, step, before, .. }| {
            if replayed.cycle_start == Some(index) {
                trail.cycle_start = Some(trail.entries.len());
            }
            let both = entries(interpreter, before, &step.taken);
            trail.entries.extend(both.take(step.taken.length_with(step.violation.as_ref()) as usize));
        });
        if replayed.cycle_start == Some(replayed.steps.len()) {
            trail.cycle_start = Some(trail.entries.len());
        }
        trail
    }

    /// Writes moves down as entries, starting in the initial state. `cycle_start` counts moves.
    pub fn of_moves(interpreter: &Interpreter<'_>, moves: &[Move], cycle_start: Option<usize>) -> Trail {
        let mut trail = Trail::default();
        let Ok(mut state) = interpreter.initial() else { return trail };
        for (index, step) in moves.iter().enumerate() {
            if cycle_start == Some(index) {
                trail.cycle_start = Some(trail.entries.len());
            }
            let both: Vec<Entry> = entries(interpreter, &state, step).collect();
            let violation = interpreter.apply(&mut state, step);
            trail.entries.extend_from_slice(&both[..step.length_with(violation.as_ref()) as usize]);
        }
        if cycle_start == Some(moves.len()) {
            trail.cycle_start = Some(trail.entries.len());
        }
        trail
    }
}

/// The entries of one move.
pub(crate) fn entries(interpreter: &Interpreter<'_>, state: &State, step: &Move) -> impl Iterator<Item = Entry> {
    let (_, action) = interpreter.branch(state, step.process, step.branch);
    let first = Entry { process: step.process.0, origin: action.origin };
    let second = step.partner.map(|(p, b)| Entry { process: p.0, origin: interpreter.branch(state, p, b).1.origin });
    std::iter::once(first).chain(second)
}
