//! Executing a trace.
//!
//! Spin merges runs of local statements into one step and writes only the first into its trail. They are found again
//! here: behind each entry of a merged trail its process executes on, as long as it has exactly one way to go and that
//! touches nothing but its own variables. Such steps commute with all others, so that it does no harm when the trail
//! names one of them after all; then the entry is passed over. Where Spin merged more than that, the missing steps are
//! filled in when the next entry needs them, and a cycle may close only the second time around.
//!
//! Two habits of Spin are allowed for: its breadth-first search writes one entry too many, and with `-c0` it goes on
//! behind faults.

use std::fmt;

use lurcher_exec::{Interpreter, Move, ProcessId, State, Violation};
use lurcher_ir::{ActionKind, Expr, Frame};

use crate::entry::{Entry, Trail, entries};

/// The most steps that may be filled in between two entries.
const MOST_MERGED: usize = 10_000;

/// A step that was executed.
#[derive(Clone, Debug)]
pub struct ReplayedStep {
    /// What was done.
    pub taken: Move,
    /// The state before it.
    pub before: State,
    /// The state after it.
    pub after: State,
    /// What it violated.
    pub violation: Option<Violation>,
}

/// A trace that was executed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The state it starts in.
    pub initial: State,
    /// Its steps.
    pub steps: Vec<ReplayedStep>,
    /// For a lasso: the number of steps before the cycle.
    pub cycle_start: Option<usize>,
    /// What went wrong before the first step.
    pub start_violation: Option<Violation>,
}

impl Replayed {
    /// The state it ends in.
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |s| &s.after)
    }

    /// The state before step `index`, or the last one.
    pub fn state(&self, index: usize) -> &State {
        self.steps.get(index).map_or_else(|| self.last(), |s| &s.before)
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
    let mut readings = readings(interpreter, trail);
    let first = readings.next().expect("there is at least one");
    first.or_else(|error| readings.next().unwrap_or(Err(error)))
}

/// The ways in which a trace can be read. Where Spin merged statements there are two: what may have been merged is
/// executed as early as possible, or as late as possible.
pub fn readings(interpreter: &Interpreter<'_>, trail: &Trail) -> impl Iterator<Item = Result<Replayed, ReplayError>> {
    let ways: &[bool] = if trail.merged { &[true, false] } else { &[false] };
    ways.iter().map(|&eager| replay_with(interpreter, trail, eager))
}

fn replay_with(interpreter: &Interpreter<'_>, trail: &Trail, eager: bool) -> Result<Replayed, ReplayError> {
    let initial = match interpreter.initial() {
        Ok(state) => state,
        Err(violation) => {
            let initial = State::empty(interpreter.layout());
            return Ok(Replayed { initial, steps: Vec::new(), cycle_start: None, start_violation: Some(violation) });
        }
    };
    let replayed = Replayed { initial: initial.clone(), steps: Vec::new(), cycle_start: None, start_violation: None };
    let early = Vec::new();
    let mut run = Run { interpreter, state: initial, replayed, merged: trail.merged, eager, early };
    let count = trail.entries.len();
    let cycle_start = trail.cycle_start.unwrap_or(count);
    run.entries(&trail.entries, 0..cycle_start)?;
    if trail.cycle_start.is_some() {
        run.begin_cycle();
        run.entries(&trail.entries, cycle_start..count)?;
        if cycle_start < count && run.replayed.cycle_start.is_some_and(|c| run.replayed.state(c) != run.replayed.last())
        {
            run.begin_cycle();
            run.entries(&trail.entries, cycle_start..count)?;
        }
    }
    run.finish(trail.entries.last());
    Ok(run.replayed)
}

struct Run<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    state: State,
    replayed: Replayed,
    merged: bool,
    eager: bool,
    /// Steps that were filled in behind an entry and that the trail has not named since.
    early: Vec<Entry>,
}

impl Run<'_, '_> {
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.interpreter.moves(&self.state, &mut moves);
        moves
    }

    fn take(&mut self, taken: Move) {
        let before = self.state.clone();
        let violation = self.interpreter.apply(&mut self.state, &taken);
        if violation.as_ref().is_some_and(Violation::is_fatal) {
            self.state = before.clone();
        }
        self.replayed.steps.push(ReplayedStep { taken, before, after: self.state.clone(), violation });
    }

    /// Executes some of the entries.
    fn entries(&mut self, all: &[Entry], range: std::ops::Range<usize>) -> Result<(), ReplayError> {
        let mut at = range.start;
        while at < range.end {
            let ended = |s: &ReplayedStep| s.violation.as_ref().is_some_and(Violation::is_fatal);
            if self.replayed.steps.last().is_some_and(ended) {
                break;
            }
            match self.entry(at, &all[at..range.end]) {
                Ok(used) => at += used,
                Err(_) if at > 0 && at + 1 == all.len() && self.replayed.cycle_start.is_none() => break,
                Err(error) => return Err(error),
            }
        }
        if self.merged {
            self.release();
        }
        Ok(())
    }

    fn begin_cycle(&mut self) {
        self.replayed.cycle_start = Some(self.replayed.steps.len());
    }

    /// Executes the first of the entries, and says how many that used up.
    fn entry(&mut self, at: usize, rest: &[Entry]) -> Result<usize, ReplayError> {
        let entry = rest[0];
        for _ in 0..MOST_MERGED {
            if let Some((taken, used)) = self.find(rest) {
                self.early.retain(|e| e.process != entry.process);
                self.take(taken);
                self.fill_in(taken.process);
                if let Some((partner, _)) = taken.partner {
                    self.fill_in(partner);
                }
                return Ok(used);
            }
            if let Some(index) = self.early.iter().position(|e| *e == entry) {
                self.early.remove(index);
                return Ok(1);
            }
            let mover = self.state.exclusive.unwrap_or(ProcessId(entry.process));
            if mover.0 >= self.state.process_count() {
                return Err(ReplayError::NoProcess(at + 1, entry));
            }
            let Some(merged) = self.only_move(mover) else { break };
            self.take(merged);
        }
        Err(ReplayError::NotPossible(at + 1, entry))
    }

    /// The move that the first entries name.
    fn find(&self, rest: &[Entry]) -> Option<(Move, usize)> {
        self.moves().into_iter().find_map(|m| {
            let named: Vec<Entry> = entries(self.interpreter, &self.state, &m).collect();
            // A trace may end with the first half of a rendezvous.
            let fits = rest.starts_with(&named) || rest == &named[..1];
            fits.then_some((m, named.len().min(rest.len())))
        })
    }

    /// The only move of a process, when it is its own.
    fn only_move(&self, id: ProcessId) -> Option<Move> {
        let mut mine = self.moves().into_iter().filter(|m| m.process == id && m.partner.is_none());
        let only = mine.next()?;
        mine.next().is_none().then_some(only)
    }

    /// Executes the local statements that Spin may have merged into the step before.
    fn fill_in(&mut self, id: ProcessId) {
        if !self.eager {
            return;
        }
        let mut seen = Vec::new();
        while let Some(next) = self.only_move(id) {
            let location = self.state.location(id);
            let (_, action) = self.interpreter.branch(&self.state, id, next.branch);
            if !is_local(&action.kind) || seen.contains(&location) {
                return;
            }
            seen.push(location);
            self.early.push(Entry { process: id.0, origin: action.origin });
            self.take(next);
            if self.replayed.steps.last().is_some_and(|s| s.violation.is_some()) {
                return;
            }
        }
    }

    /// Lets an atomic chain whose last steps were merged come to its end.
    fn release(&mut self) {
        for _ in 0..MOST_MERGED {
            let violated = self.replayed.steps.last().is_some_and(|s| s.violation.is_some());
            let Some(id) = self.state.exclusive.filter(|_| !violated) else { return };
            let Some(merged) = self.only_move(id) else { return };
            self.take(merged);
        }
    }

    /// Merged steps behind the last entry. What they are cannot be known in general; they are filled in only where
    /// the process that moved last then violates something, or where the run comes to a stop, as in a deadlock.
    fn finish(&mut self, last: Option<&Entry>) {
        let violated = self.replayed.steps.iter().any(|s| s.violation.is_some());
        if !self.merged || self.replayed.cycle_start.is_some() || violated {
            return;
        }
        let (state, count) = (self.state.clone(), self.replayed.steps.len());
        if let Some(entry) = last {
            for _ in 0..MOST_MERGED {
                let Some(merged) = self.only_move(ProcessId(entry.process)) else { break };
                self.take(merged);
                if self.replayed.steps.last().is_some_and(|s| s.violation.is_some()) {
                    return;
                }
            }
            self.state = state.clone();
            self.replayed.steps.truncate(count);
        }
        for _ in 0..MOST_MERGED {
            let moves = self.moves();
            if moves.is_empty() {
                return;
            }
            let next = moves.iter().find(|m| self.only_move(m.process).is_some_and(|only| only == **m));
            match next {
                Some(&merged) => self.take(merged),
                None => break,
            }
        }
        self.state = state;
        self.replayed.steps.truncate(count);
    }
}

/// Does a statement touch nothing but the variables of its process?
fn is_local(kind: &ActionKind) -> bool {
    let own = |e: &Expr| {
        let mut own = true;
        e.walk(&mut |e| {
            own &= match e {
                Expr::Read(place) => place.frame == Frame::Local,
                Expr::Const(_) | Expr::Symbol(..) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => {
                    true
                }
                _ => false,
            }
        });
        own
    };
    match kind {
        ActionKind::Skip => true,
        ActionKind::Guard(e) | ActionKind::Assert(e) | ActionKind::PrintSymbol(e, _) => own(e),
        ActionKind::Print(_, args) => args.iter().all(own),
        ActionKind::Assign(place, e) => {
            place.frame == Frame::Local && place.indices.iter().all(|i| own(&i.expr)) && own(e)
        }
        _ => false,
    }
}
