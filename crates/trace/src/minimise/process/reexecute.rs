//! Executing a candidate: a schedule with some groups left out.
//!
//! The remaining steps are executed greedily. A group whose first statement is blocked is skipped, or delayed until it is
//! enabled; then the later groups of its process wait behind it. An atomic chain that has begun is completed: where its
//! next step does not fit, the first enabled statement of its process is executed instead.

use lurcher_system::{Move, ProcessId};

use super::goal::{Advance, Goal, Position};
use super::run::{Run, fingerprint};
use super::schedule::{Schedule, ScheduledStep};
use crate::minimise::budget::Meter;

/// The most steps of an atomic chain.
const LONGEST_CHAIN: usize = 1000;

/// What happens to a blocked group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocked {
    /// It is left out.
    Skip,
    /// It waits until it is enabled.
    Delay,
}

/// The result of executing a group.
enum Outcome {
    Done,
    Blocked,
    Reached,
    Rejected,
}

/// A candidate that reaches the goal.
pub(super) struct Candidate {
    pub run: Run,
    /// The hash of the position before each move.
    pub prints: Vec<u64>,
}

/// Executes the groups of a schedule that are kept. None if that does not reach the goal in fewer steps than the run.
pub(super) fn reexecute(
    goal: &Goal<'_, '_>,
    schedule: &Schedule,
    run: &Run,
    keep: &[bool],
    blocked: Blocked,
    meter: &mut Meter<'_>,
) -> Option<Candidate> {
    let first_cut = keep.iter().position(|k| !k)?;
    let checkpoint = schedule.checkpoints.iter().rev().find(|c| c.group <= first_cut)?;
    let begun = Run { moves: run.moves[..checkpoint.moves].to_vec(), length: checkpoint.length };
    let mut execution = Execution {
        goal,
        schedule,
        position: checkpoint.position.clone(),
        done: Candidate { run: begun, prints: schedule.prints[..checkpoint.moves].to_vec() },
        limit: run.length,
        possible: Vec::new(),
        node: Vec::new(),
    };
    let groups = (checkpoint.group..keep.len()).filter(|&g| keep[g]);
    execution.run(groups, blocked, meter).then_some(execution.done)
}

struct Execution<'f, 'a, 'm> {
    goal: &'f Goal<'a, 'm>,
    schedule: &'f Schedule,
    position: Position,
    done: Candidate,
    /// The run must be shorter than this.
    limit: u32,
    possible: Vec<Move>,
    /// The encoded position.
    node: Vec<u8>,
}

impl Execution<'_, '_, '_> {
    /// Executes groups in order and returns whether the goal is reached.
    fn run(&mut self, groups: impl Iterator<Item = usize>, blocked: Blocked, meter: &mut Meter<'_>) -> bool {
        let mut waiting: Vec<usize> = Vec::new();
        for group in groups {
            let process = self.first(group).process;
            if waiting.iter().any(|&w| self.first(w).process == process) {
                waiting.push(group);
                continue;
            }
            let mut outcome = self.group(group, meter);
            if matches!(outcome, Outcome::Done) && !waiting.is_empty() {
                outcome = self.retry(&mut waiting, meter);
            }
            match outcome {
                Outcome::Blocked if blocked == Blocked::Delay => waiting.push(group),
                Outcome::Blocked | Outcome::Done => {}
                Outcome::Reached => return true,
                Outcome::Rejected => return false,
            }
            if self.done.run.length >= self.limit || !meter.may_go_on() {
                return false;
            }
        }
        self.goal.is_met_at_end(&self.position, &mut self.possible) && self.done.run.length < self.limit
    }

    fn first(&self, group: usize) -> ScheduledStep {
        self.schedule.steps[self.schedule.groups[group].steps.start]
    }

    /// Executes the waiting groups that are enabled now, for each process in order.
    fn retry(&mut self, waiting: &mut Vec<usize>, meter: &mut Meter<'_>) -> Outcome {
        let mut index = 0;
        let mut blocked: Vec<ProcessId> = Vec::new();
        while index < waiting.len() && self.done.run.length < self.limit {
            let process = self.first(waiting[index]).process;
            if blocked.contains(&process) {
                index += 1;
                continue;
            }
            match self.group(waiting[index], meter) {
                Outcome::Blocked => {
                    blocked.push(process);
                    index += 1;
                }
                Outcome::Done => {
                    waiting.remove(index);
                    blocked.clear();
                    index = 0;
                }
                end => return end,
            }
        }
        Outcome::Done
    }

    fn group(&mut self, group: usize, meter: &mut Meter<'_>) -> Outcome {
        let steps = self.schedule.groups[group].steps.clone();
        let mut begun = false;
        for scheduled in &self.schedule.steps[steps] {
            if !meter.step() {
                return Outcome::Rejected;
            }
            let found = self.find(scheduled).or_else(|| if begun { self.any_of_holder() } else { None });
            match found {
                Some(step) => {
                    begun = true;
                    if let Some(end) = self.take(step) {
                        return end;
                    }
                }
                None if begun => return Outcome::Done,
                None => return Outcome::Blocked,
            }
            if self.position.state.exclusive.is_none() {
                return Outcome::Done;
            }
        }
        for _ in 0..LONGEST_CHAIN {
            if !meter.step() {
                return Outcome::Rejected;
            }
            let Some(step) = self.any_of_holder() else { return Outcome::Done };
            if let Some(end) = self.take(step) {
                return end;
            }
        }
        Outcome::Rejected
    }

    fn take(&mut self, step: Move) -> Option<Outcome> {
        self.done.run.moves.push(step);
        self.position.pack(&mut self.node);
        self.done.prints.push(fingerprint(&self.node));
        match self.goal.advance(&mut self.position, &step) {
            Advance::Continues => self.done.run.length += step.length(),
            Advance::Reached(cost) => {
                self.done.run.length += cost;
                return Some(if self.done.run.length < self.limit { Outcome::Reached } else { Outcome::Rejected });
            }
            Advance::Rejected => return Some(Outcome::Rejected),
        }
        None
    }

    /// The first enabled move of the holder of exclusive control.
    fn any_of_holder(&mut self) -> Option<Move> {
        let holder = self.position.state.exclusive?;
        self.goal.system.interpreter.moves_of(&self.position.state, holder, &mut self.possible);
        self.possible.first().copied()
    }

    /// The enabled move for a scheduled step. A rendezvous may take another partner if the scheduled one is not ready.
    fn find(&mut self, scheduled: &ScheduledStep) -> Option<Move> {
        let state = &self.position.state;
        let id = scheduled.process;
        if id.0 >= state.process_count()
            || state.process_type(id) != scheduled.process_type
            || state.exclusive.is_some_and(|holder| holder != id)
        {
            return None;
        }
        let interpreter = self.goal.system.interpreter;
        let process_type = interpreter.model().process_type(scheduled.process_type);
        let branches = &process_type.location(state.location(id)).branches;
        let mut fitting = branches.iter().enumerate().filter(|(_, b)| b.action == scheduled.action);
        let (branch, _) = fitting.next()?;
        if scheduled.timeout || fitting.next().is_some() {
            interpreter.moves_of(state, id, &mut self.possible);
            if scheduled.timeout && self.possible.is_empty() {
                interpreter.moves(state, &mut self.possible);
            }
        } else if !self.goal.moves_by_branch(state, id, branch as u16, &mut self.possible) {
            return None;
        }
        let same = |m: &&Move| {
            m.process == id
                && branches[m.branch as usize].action == scheduled.action
                && m.partner.is_some() == scheduled.partner.is_some()
        };
        let exact = |m: &&Move| {
            m.partner.map(|(p, b)| (p, interpreter.branch(state, p, b).0.action)) == scheduled.partner
                && branches[m.branch as usize].target == scheduled.target
        };
        let mut found = self.possible.iter().filter(same);
        found.clone().find(exact).or_else(|| found.next()).copied()
    }
}
