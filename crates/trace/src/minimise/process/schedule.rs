//! The schedule of a run: the statements of its processes, in order.
//!
//! A move names a branch by its index at the current location. A scheduled step names the statement instead, so that it
//! can be executed after the run before it has changed. Steps come in groups: the steps of an atomic chain belong
//! together, because half a chain blocks everything else. For each process in a group the schedule keeps a hash of its
//! local state before and after, which shows the loops of single processes.

use std::collections::VecDeque;
use std::ops::Range;

use lurcher_ir::{ActionId, LocationId, ProcessTypeId};
use lurcher_system::{ChannelId, Move, ProcessId};

use super::goal::{Advance, Goal, Position};
use super::run::{Run, fingerprint};
use crate::minimise::budget::Meter;

/// A statement that a process is to execute.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScheduledStep {
    pub process: ProcessId,
    pub process_type: ProcessTypeId,
    pub action: ActionId,
    pub target: LocationId,
    /// For a rendezvous: the receiver and its statement.
    pub partner: Option<(ProcessId, ActionId)>,
    pub timeout: bool,
}

/// The effect of a group on the local state of one process.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalEffect {
    pub process: ProcessId,
    pub before: LocalState,
    pub after: LocalState,
}

/// The location of a process and the hash of its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocalState {
    location: (ProcessTypeId, LocationId),
    print: u64,
}

/// When a process counts as back where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Same location and variables.
    SameState,
    /// Same location; variables may hold left-overs of finished work.
    SameLocation,
}

impl LocalState {
    /// Equal to no state of a process.
    const NONE: LocalState = LocalState { location: (ProcessTypeId(u16::MAX), LocationId(0)), print: 0 };

    pub fn is_like(&self, other: &LocalState, likeness: Likeness) -> bool {
        self.location == other.location && (likeness == Likeness::SameLocation || self.print == other.print)
    }
}

/// Steps that are kept or left out together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub steps: Range<usize>,
    pub effects: Vec<LocalEffect>,
    /// Groups that receive messages which this one sends. Assumes that channels are queues; a guess where they are not.
    pub receivers: Vec<usize>,
}

/// A position from which a candidate can be executed if it agrees with the run up to there.
#[derive(Clone, Debug)]
pub(super) struct Checkpoint {
    pub group: usize,
    pub position: Position,
    pub moves: usize,
    pub length: u32,
}

/// The schedule of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    pub steps: Vec<ScheduledStep>,
    /// The hash of the position before each move.
    pub prints: Vec<u64>,
    pub groups: Vec<Group>,
    pub checkpoints: Vec<Checkpoint>,
    /// By process number: the groups in which it takes part.
    by_process: Vec<Vec<usize>>,
}

/// The most checkpoints of a schedule.
const CHECKPOINTS: usize = 64;

impl Schedule {
    /// Executes a run and records its schedule; an empty one if minimising is stopped.
    pub fn of(goal: &Goal<'_, '_>, run: &Run, meter: &mut Meter<'_>) -> Schedule {
        let mut recorder = Recorder::default();
        let Some(mut position) = goal.start() else { return Schedule::default() };
        for (index, step) in run.moves.iter().enumerate() {
            if position.state.exclusive.is_none() {
                recorder.begin_group(&position, index, run.moves.len() / CHECKPOINTS + 1);
            }
            recorder.record(goal, step, &position);
            if !meter.step() {
                return Schedule::default();
            }
            // A move that reaches the goal has no position after it.
            if goal.advance(&mut position, step) != Advance::Continues {
                break;
            }
            recorder.finish(goal, step, &position);
        }
        let mut schedule = recorder.schedule;
        for (index, group) in schedule.groups.iter().enumerate() {
            for effect in &group.effects {
                let process = effect.process.0 as usize;
                schedule.by_process.resize_with(schedule.by_process.len().max(process + 1), Vec::new);
                schedule.by_process[process].push(index);
            }
        }
        schedule
    }

    /// The groups in which a process takes part, with their effects on it.
    pub fn effects_on(&self, process: ProcessId) -> impl Iterator<Item = (usize, LocalEffect)> + '_ {
        let effect = move |&group: &usize| {
            let effect = self.groups[group].effects.iter().find(|e| e.process == process);
            (group, *effect.expect("the process takes part in it"))
        };
        self.by_process.get(process.0 as usize).into_iter().flatten().map(effect)
    }

    /// The processes that move, in ascending order.
    pub fn processes(&self) -> Vec<ProcessId> {
        let moves = |process: &u16| !self.by_process[*process as usize].is_empty();
        (0..self.by_process.len() as u16).filter(moves).map(ProcessId).collect()
    }
}

/// Records the schedule of a run while it is executed.
#[derive(Default)]
struct Recorder {
    schedule: Schedule,
    senders: Senders,
    /// Steps to the current position.
    length: u32,
    /// Moves before the next checkpoint.
    next_checkpoint: usize,
    /// The encoded position.
    node: Vec<u8>,
}

impl Recorder {
    /// Begins a group at the position after `moves` moves.
    fn begin_group(&mut self, position: &Position, moves: usize, spacing: usize) {
        let schedule = &mut self.schedule;
        if moves >= self.next_checkpoint {
            self.next_checkpoint = moves + spacing;
            let (group, position) = (schedule.groups.len(), position.clone());
            schedule.checkpoints.push(Checkpoint { group, position, moves, length: self.length });
        }
        schedule.groups.push(Group { steps: moves..moves, effects: Vec::new(), receivers: Vec::new() });
    }

    /// Records a move at the position before it.
    fn record(&mut self, goal: &Goal<'_, '_>, step: &Move, position: &Position) {
        position.pack(&mut self.node);
        self.schedule.prints.push(fingerprint(&self.node));
        self.schedule.steps.push(scheduled(goal, position, step));
        let group = self.schedule.groups.last_mut().expect("a run does not start inside an atomic chain");
        group.steps.end += 1;
        for process in step.processes() {
            if group.effects.iter().all(|e| e.process != process) {
                let before = local_state(goal, position, process);
                group.effects.push(LocalEffect { process, before, after: before });
            }
        }
        // Stays so for a move that reaches the goal, which is never part of a loop.
        group.effects.iter_mut().for_each(|effect| effect.after = LocalState::NONE);
    }

    /// Records the position after a move.
    fn finish(&mut self, goal: &Goal<'_, '_>, step: &Move, position: &Position) {
        self.length += step.length();
        let groups = &mut self.schedule.groups;
        self.senders.update(position, groups);
        for effect in &mut groups.last_mut().expect("a move was recorded").effects {
            effect.after = local_state(goal, position, effect.process);
        }
    }
}

/// By channel: the groups that sent the messages in it.
#[derive(Default)]
struct Senders(Vec<VecDeque<usize>>);

impl Senders {
    /// Updates the senders after a move of the last group.
    fn update(&mut self, position: &Position, groups: &mut [Group]) {
        let now = groups.len() - 1;
        let state = &position.state;
        self.0.resize_with(state.channel_count() as usize, VecDeque::new);
        for (channel, senders) in self.0.iter_mut().enumerate() {
            let count = state.channel_len(ChannelId(channel as u16)) as usize;
            senders.resize(senders.len().max(count), now);
            for sender in senders.drain(..senders.len() - count) {
                groups[sender].receivers.push(now);
            }
        }
    }
}

fn scheduled(goal: &Goal<'_, '_>, position: &Position, step: &Move) -> ScheduledStep {
    let (branch, _) = goal.system.interpreter.branch(&position.state, step.process, step.branch);
    let partner = step.partner.map(|(p, b)| (p, goal.system.interpreter.branch(&position.state, p, b).0.action));
    ScheduledStep {
        process: step.process,
        process_type: position.state.process_type(step.process),
        action: branch.action,
        target: branch.target,
        partner,
        timeout: step.timeout,
    }
}

fn local_state(goal: &Goal<'_, '_>, position: &Position, process: ProcessId) -> LocalState {
    let state = &position.state;
    if process.0 >= state.process_count() {
        return LocalState::NONE;
    }
    let location = (state.process_type(process), state.location(process));
    let at = state.locals_at(goal.system.interpreter.layout(), process);
    let size = goal.system.interpreter.model().process_type(location.0).frame_size as usize;
    LocalState { location, print: fingerprint(&state.bytes()[at..at + size]) }
}
