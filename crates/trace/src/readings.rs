//! Enumerates the readings of a trail: a depth-first search for runs whose moves the entries name.

use std::collections::HashSet;

use lurcher_ir::{ActionKind, ProcessType};
use lurcher_system::{Interpreter, Move, Path, ProcessId, State, Violation};

use crate::merging;
use crate::replay::{ReplayError, Replayed, ReplayedStep, execute};
use crate::trail::{Entry, Trail, entries};

/// The most backtracking steps.
const MAX_BACKTRACKS: usize = 20_000;

/// How the run can continue.
#[derive(Clone, Copy)]
enum Continuation {
    /// A move that this many entries name.
    Named(Move, usize),
    /// A move that Spin merged into the one before.
    Merged(Move),
    /// The entry is a jump that an earlier merged move has made already.
    Jump,
}

/// A point on the search stack.
struct ChoicePoint {
    /// Entries used up.
    at: usize,
    /// Moves executed.
    steps: usize,
    /// Moves merged into the last entry.
    merged: usize,
    /// Continuations still to be tried, the last one first.
    open: Vec<Continuation>,
    /// The state, if there is more than one continuation.
    state: Option<State>,
}

/// What determines the continuations of a run: entries used up, the state, and the state at the start of its cycle.
type Seen = (usize, Vec<u8>, Option<ProcessId>, Option<Vec<u8>>);

/// Iterator over the readings of a trail, the most likely first.
pub(crate) struct Readings<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    trail: Trail,
    run: Replayed,
    stack: Vec<ChoicePoint>,
    /// The state in which the cycle starts.
    cycle_state: Option<Vec<u8>>,
    seen: HashSet<Seen>,
    backtracks: usize,
    /// The error to report if there is no reading: the one that most entries lead to.
    error: Option<ReplayError>,
    /// The current run is a reading.
    complete: bool,
    /// There was a reading.
    any: bool,
}

impl<'i, 'm> Readings<'i, 'm> {
    pub(crate) fn of(interpreter: &'i Interpreter<'m>, trail: Trail) -> Self {
        let (initial, start_violation) = match interpreter.initial() {
            Ok(state) => (state, None),
            Err(violation) => (State::empty(interpreter.layout()), Some(violation)),
        };
        let stopped = start_violation.is_some();
        let last = initial.clone();
        let mut readings = Readings {
            interpreter,
            trail,
            run: Replayed { initial, path: Path::default(), last, start_violation },
            stack: Vec::new(),
            cycle_state: None,
            seen: HashSet::new(),
            backtracks: 0,
            error: None,
            complete: stopped,
            any: false,
        };
        if !stopped {
            readings.push(0, None, 0);
        }
        readings
    }

    fn entries(&self) -> &[Entry] {
        &self.trail.path.steps
    }

    fn process_type(&self, id: ProcessId) -> &'m ProcessType {
        self.interpreter.model().process_type(self.run.last.process_type(id))
    }

    /// Pushes the choice point after `at` entries, the last of them of process `mover`.
    fn push(&mut self, at: usize, mover: Option<ProcessId>, merged: usize) {
        let count = self.entries().len();
        let steps = &self.run.path.steps;
        if steps.last().is_some_and(|s| s.violation.as_ref().is_some_and(Violation::is_fatal)) {
            self.complete = true;
            return;
        }
        let mut moves = Vec::new();
        self.interpreter.moves(&self.run.last, &mut moves);
        let further = mover.filter(|_| self.trail.merged).and_then(|p| self.merged_move(p, merged, &moves));
        let mut open = self.named(at, &moves);
        if self.is_jump(at) {
            open.push(Continuation::Jump);
        }
        if let Some(further) = further {
            let state = &self.run.last;
            if !self.seen.insert((at, state.bytes().to_vec(), state.exclusive, self.cycle_state.clone())) {
                return;
            }
            let place = if self.is_likely(at, further) { 0 } else { open.len() };
            open.insert(place, Continuation::Merged(further));
        }
        self.complete = at == count;
        if open.is_empty() && at < count {
            // A breadth-first search writes one entry too many.
            self.complete = at > 0 && at + 1 == count && self.trail.path.cycle_start.is_none();
            self.fail(at);
        }
        open.reverse();
        let state = (open.len() > 1).then(|| self.run.last.clone());
        self.stack.push(ChoicePoint { at, steps: self.run.path.steps.len(), merged, open, state });
    }

    /// The moves that the next entries name.
    fn named(&self, at: usize, moves: &[Move]) -> Vec<Continuation> {
        let rest = &self.entries()[at..];
        let fitting = |rest: &[Entry], m: &Move| {
            let named: Vec<Entry> = entries(self.interpreter, &self.run.last, m).collect();
            // A trace may end with the first half of a rendezvous.
            let fits = rest.starts_with(&named) || rest == &named[..1];
            fits.then_some(named.len().min(rest.len()))
        };
        let named: Vec<_> = moves.iter().filter_map(|m| Some(Continuation::Named(*m, fitting(rest, m)?))).collect();
        if !named.is_empty() || rest.len() != 2 {
            return named;
        }
        // There is no receiver, but a process that tried to receive ran into a fault.
        let faults = |m: &&Move| fitting(&rest[1..], m).is_some() && self.is_fatal(m);
        moves.iter().find(faults).map(|m| Continuation::Named(*m, 2)).into_iter().collect()
    }

    fn is_fatal(&self, step: &Move) -> bool {
        let mut state = self.run.last.clone();
        self.interpreter.apply(&mut state, step).is_some_and(|v| v.is_fatal())
    }

    /// Whether the next entry is a jump to the location at which its process is already.
    fn is_jump(&self, at: usize) -> bool {
        let state = &self.run.last;
        let Some(entry) = self.entries().get(at).filter(|_| self.trail.merged) else { return false };
        if entry.process >= state.process_count() {
            return false;
        }
        let id = ProcessId(entry.process);
        let process_type = self.process_type(id);
        let jumps =
            process_type.actions.iter().filter(|a| a.origin == entry.origin && matches!(a.kind, ActionKind::Skip));
        jumps.flat_map(|a| &process_type.location(a.home).branches).any(|b| b.target == state.location(id))
    }

    /// The statement that Spin may have merged into the last step of a process: one without alternative that cannot
    /// block. A merged sequence contains no loop.
    fn merged_move(&self, id: ProcessId, merged: usize, moves: &[Move]) -> Option<Move> {
        let next = *moves.iter().find(|m| m.process == id)?;
        let process_type = self.process_type(id);
        if merged >= process_type.locations.len() {
            return None;
        }
        let [branch] = process_type.location(self.run.last.location(id)).branches.as_slice() else { return None };
        merging::never_blocks(process_type.action(branch.action)).then_some(next)
    }

    /// Whether Spin usually merges this move, and the trail does not name it next.
    fn is_likely(&self, at: usize, merged: Move) -> bool {
        let state = &self.run.last;
        let (_, action) = self.interpreter.branch(state, merged.process, merged.branch);
        let entry = self.entries()[at..].iter().find(|e| e.process == merged.process.0);
        let named = entry.is_some_and(|e| e.origin == action.origin);
        !named && merging::is_usual(state, merged.process, self.process_type(merged.process), action)
    }

    fn take(&mut self, taken: Move) {
        let before = self.run.last.clone();
        let violation = execute(self.interpreter, &mut self.run.last, &before, &taken);
        self.run.path.steps.push(ReplayedStep { taken, violation });
    }

    fn fail(&mut self, at: usize) {
        let entry = self.entries()[at];
        let exists = entry.process < self.run.last.process_count();
        let error = if exists { ReplayError::NotPossible } else { ReplayError::NoProcess };
        if self.error.as_ref().is_none_or(|e| e.position() <= at) {
            self.error = Some(error(at + 1, entry));
        }
    }

    /// Takes the next open continuation; false when there is none left.
    fn advance(&mut self) -> bool {
        let Some(point) = self.stack.last_mut() else { return false };
        let Some(next) = point.open.pop() else {
            self.stack.pop();
            return true;
        };
        let (at, steps, merged) = (point.at, point.steps, point.merged);
        if steps < self.run.path.steps.len() {
            self.backtracks += 1;
            self.run.path.steps.truncate(steps);
            self.run.last.copy_from(point.state.as_ref().expect("kept where there is a choice"));
        }
        let cycle_start = self.trail.path.cycle_start;
        if cycle_start.is_some_and(|c| at <= c) {
            self.run.path.cycle_start = None;
            self.cycle_state = None;
        }
        if cycle_start == Some(at) && !matches!(next, Continuation::Merged(_)) {
            self.run.path.cycle_start = Some(steps);
            self.cycle_state = Some(self.run.last.bytes().to_vec());
        }
        match next {
            Continuation::Named(step, used) => {
                self.take(step);
                let mover = step.partner.map_or(step.process, |(p, _)| p);
                self.push(at + used, Some(mover), 0);
            }
            Continuation::Merged(step) => {
                self.take(step);
                self.push(at, Some(step.process), merged + 1);
            }
            Continuation::Jump => self.push(at + 1, Some(ProcessId(self.entries()[at].process)), 0),
        }
        true
    }
}

impl Iterator for Readings<'_, '_> {
    type Item = Result<Replayed, ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if std::mem::take(&mut self.complete) {
                self.any = true;
                let mut reading = self.run.clone();
                if self.trail.path.cycle_start == Some(self.entries().len()) {
                    reading.path.cycle_start = Some(reading.path.steps.len());
                }
                return Some(Ok(reading));
            }
            if self.backtracks > MAX_BACKTRACKS || !self.advance() {
                let error = self.error.take();
                return if self.any { None } else { error.map(Err) };
            }
        }
    }
}
