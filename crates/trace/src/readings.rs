//! Every way to read a trail: a depth-first search for runs whose steps the entries name.

use std::collections::HashSet;

use lurcher_ir::ActionKind;
use lurcher_system::{Interpreter, Move, ProcessId, State, Violation};

use crate::entry::{Entry, Trail, entries};
use crate::merging;
use crate::replay::{ReplayError, Replayed, ReplayedStep, execute};

/// How often the search may turn back.
const MOST_RETURNS: usize = 20_000;

/// A way to go on.
#[derive(Clone, Copy)]
enum Way {
    /// A move that so many entries name.
    Named(Move, usize),
    /// A move that Spin merged into the one before.
    Merged(Move),
    /// The entry is a jump that the run did without.
    Jump,
}

/// A point of the run, and the ways from it that were not tried.
struct Point {
    /// Entries used up.
    at: usize,
    /// Steps executed.
    steps: usize,
    /// How many of them were merged into the last entry.
    merged: usize,
    /// The last in the list comes first.
    ways: Vec<Way>,
    /// The state there, where the search may have to come back.
    state: Option<State>,
}

/// What decides how a run can go on: entries used up, the state, and where its cycle started.
type Seen = (usize, Vec<u8>, Option<ProcessId>, Option<Vec<u8>>);

/// The readings of a trail, in order of likelihood.
pub(crate) struct Readings<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    trail: Trail,
    run: Replayed,
    points: Vec<Point>,
    /// The state in which the cycle starts.
    cycle_state: Option<Vec<u8>>,
    seen: HashSet<Seen>,
    returns: usize,
    /// The failure to be reported, unless there is a reading.
    error: Option<ReplayError>,
    /// The run so far is a reading.
    complete: bool,
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
        let run = Replayed { initial, steps: Vec::new(), last, cycle_start: None, start_violation };
        let mut readings = Readings {
            interpreter,
            trail,
            run,
            points: Vec::new(),
            cycle_state: None,
            seen: HashSet::new(),
            returns: 0,
            error: None,
            complete: stopped,
            any: false,
        };
        if !stopped {
            readings.arrive(0, None, 0);
        }
        readings
    }

    /// Lists what can come next, after an entry of `mover` and the steps merged into it.
    fn arrive(&mut self, at: usize, mover: Option<ProcessId>, merged: usize) {
        let count = self.trail.entries.len();
        let fatal = |s: &ReplayedStep| s.violation.as_ref().is_some_and(Violation::is_fatal);
        if self.run.steps.last().is_some_and(fatal) {
            self.complete = true;
            return;
        }
        let mut moves = Vec::new();
        self.interpreter.moves(&self.run.last, &mut moves);
        let further = mover.filter(|_| self.trail.merged).and_then(|p| self.merged_move(p, merged, &moves));
        let mut ways = self.named(at, &moves);
        if self.is_jump(at) {
            ways.push(Way::Jump);
        }
        if let Some(further) = further {
            if !self.seen.insert(self.seen_from(at)) {
                return;
            }
            let place = if self.is_likely(at, further) { 0 } else { ways.len() };
            ways.insert(place, Way::Merged(further));
        }
        self.complete = at == count;
        if ways.is_empty() && at < count {
            // A breadth-first search writes one entry too many.
            self.complete = at > 0 && at + 1 == count && self.trail.cycle_start.is_none();
            self.fail(at);
        }
        ways.reverse();
        let state = (ways.len() > 1).then(|| self.run.last.clone());
        self.points.push(Point { at, steps: self.run.steps.len(), merged, ways, state });
    }

    fn seen_from(&self, at: usize) -> Seen {
        let state = &self.run.last;
        (at, state.bytes().to_vec(), state.exclusive, self.cycle_state.clone())
    }

    /// The moves that the next entries name.
    fn named(&self, at: usize, moves: &[Move]) -> Vec<Way> {
        let rest = &self.trail.entries[at..];
        let state = &self.run.last;
        let fitting = |rest: &[Entry], m: &Move| {
            let named: Vec<Entry> = entries(self.interpreter, state, m).collect();
            // A trace may end with the first half of a rendezvous.
            let fits = rest.starts_with(&named) || rest == &named[..1];
            fits.then_some(named.len().min(rest.len()))
        };
        let ways: Vec<Way> = moves.iter().filter_map(|m| Some(Way::Named(*m, fitting(rest, m)?))).collect();
        if !ways.is_empty() || rest.len() != 2 {
            return ways;
        }
        // Nobody receives, but somebody who tried met a fault.
        let faults = |m: &&Move| fitting(&rest[1..], m).is_some() && self.is_fatal(m);
        moves.iter().find(faults).map(|m| Way::Named(*m, 2)).into_iter().collect()
    }

    fn is_fatal(&self, step: &Move) -> bool {
        let mut state = self.run.last.clone();
        self.interpreter.apply(&mut state, step).is_some_and(|v| v.is_fatal())
    }

    /// Is the next entry a jump to where its process has come without it?
    fn is_jump(&self, at: usize) -> bool {
        let state = &self.run.last;
        let Some(entry) = self.trail.entries.get(at).filter(|_| self.trail.merged) else { return false };
        if entry.process >= state.process_count() {
            return false;
        }
        let id = ProcessId(entry.process);
        let process_type = self.interpreter.model().process_type(state.process_type(id));
        let jumps =
            process_type.actions.iter().filter(|a| a.origin == entry.origin && matches!(a.kind, ActionKind::Skip));
        jumps.flat_map(|a| &process_type.location(a.home).branches).any(|b| b.target == state.location(id))
    }

    /// What Spin may have merged into the last step of a process: a statement without alternative that cannot block.
    /// A merged run does not go round in circles.
    fn merged_move(&self, id: ProcessId, merged: usize, moves: &[Move]) -> Option<Move> {
        let next = *moves.iter().find(|m| m.process == id)?;
        let state = &self.run.last;
        let process_type = self.interpreter.model().process_type(state.process_type(id));
        if merged >= process_type.locations.len() {
            return None;
        }
        let [branch] = process_type.location(state.location(id)).branches.as_slice() else { return None };
        merging::never_blocks(process_type.action(branch.action)).then_some(next)
    }

    /// Is a move that may have been merged one that Spin usually merges, and not what the trail names next?
    fn is_likely(&self, at: usize, merged: Move) -> bool {
        let state = &self.run.last;
        let process_type = self.interpreter.model().process_type(state.process_type(merged.process));
        let (_, action) = self.interpreter.branch(state, merged.process, merged.branch);
        let entry = self.trail.entries[at..].iter().find(|e| e.process == merged.process.0);
        let named = entry.is_some_and(|e| e.origin == action.origin);
        !named && merging::is_usual(state, merged.process, process_type, action)
    }

    fn take(&mut self, taken: Move) {
        let before = self.run.last.clone();
        let violation = execute(self.interpreter, &mut self.run.last, &before, &taken);
        self.run.steps.push(ReplayedStep { taken, violation });
    }

    /// Keeps the failure that most of the trail leads to.
    fn fail(&mut self, at: usize) {
        let entry = self.trail.entries[at];
        let exists = entry.process < self.run.last.process_count();
        let error = if exists { ReplayError::NotPossible } else { ReplayError::NoProcess };
        if self.error.as_ref().is_none_or(|e| e.position() <= at) {
            self.error = Some(error(at + 1, entry));
        }
    }

    /// Goes back to the last point with a way left, and takes it.
    fn advance(&mut self) -> bool {
        let Some(point) = self.points.last_mut() else { return false };
        let Some(way) = point.ways.pop() else {
            self.points.pop();
            return true;
        };
        let (at, steps, merged) = (point.at, point.steps, point.merged);
        if steps < self.run.steps.len() {
            self.returns += 1;
            self.run.steps.truncate(steps);
            self.run.last.copy_from(point.state.as_ref().expect("kept where there are several ways"));
        }
        let cycle_start = self.trail.cycle_start;
        if cycle_start.is_some_and(|c| at <= c) {
            self.run.cycle_start = None;
            self.cycle_state = None;
        }
        if cycle_start == Some(at) && !matches!(way, Way::Merged(_)) {
            self.run.cycle_start = Some(steps);
            self.cycle_state = Some(self.run.last.bytes().to_vec());
        }
        match way {
            Way::Named(step, used) => {
                self.take(step);
                let mover = step.partner.map_or(step.process, |(p, _)| p);
                self.arrive(at + used, Some(mover), 0);
            }
            Way::Merged(step) => {
                self.take(step);
                self.arrive(at, Some(step.process), merged + 1);
            }
            Way::Jump => self.arrive(at + 1, Some(ProcessId(self.trail.entries[at].process)), 0),
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
                if self.trail.cycle_start == Some(self.trail.entries.len()) {
                    reading.cycle_start = Some(reading.steps.len());
                }
                return Some(Ok(reading));
            }
            if self.returns > MOST_RETURNS || !self.advance() {
                let error = self.error.take();
                return if self.any { None } else { error.map(Err) };
            }
        }
    }
}
