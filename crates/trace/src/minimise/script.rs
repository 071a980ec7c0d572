//! A run as wishes: what each process wants to do, in which order.
//!
//! A move names a branch by its number at the location of the moment. A wish names the statement instead, so it can be
//! found again when the run before it has changed. Wishes come in groups: the steps of an atomic chain belong
//! together, since leaving out half of one stops everything else. For each process in a group the script keeps a
//! fingerprint of its own variables and location before and after, from which loops of one process can be read off.

use std::collections::VecDeque;
use std::ops::Range;

use lurcher_ir::{ActionId, LocationId, ProcessTypeId};
use lurcher_system::{ChannelId, Move, ProcessId};

use crate::minimise::budget::Meter;
use crate::minimise::quest::{Advance, Position, Quest};
use crate::minimise::run::{Run, fingerprint};

/// A statement that a process is to execute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    pub process: ProcessId,
    pub process_type: ProcessTypeId,
    pub action: ActionId,
    pub target: LocationId,
    /// For a rendezvous: who receives, by which statement.
    pub partner: Option<(ProcessId, ActionId)>,
    pub timeout: bool,
}

/// What a group does to one process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub process: ProcessId,
    pub before: Local,
    pub after: Local,
}

/// What a process itself is at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    location: (ProcessTypeId, LocationId),
    /// Stands for its variables.
    print: u64,
}

/// When a process counts as being where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// Its location and all its variables are the same.
    Same,
    /// Its location is: its variables may hold what is left of work done.
    Nearby,
}

impl Local {
    /// No process is like this.
    const GONE: Local = Local { location: (ProcessTypeId(u16::MAX), LocationId(0)), print: 0 };

    pub fn is_like(&self, other: &Local, likeness: Likeness) -> bool {
        self.location == other.location && (likeness == Likeness::Nearby || self.print == other.print)
    }
}

/// Steps that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub wishes: Range<usize>,
    pub parts: Vec<Part>,
    /// Groups that take messages which this one sends. Channels count as queues; where they are not, this is a guess.
    pub receivers: Vec<usize>,
}

/// A place from which a candidate can be executed when it agrees with the run up to there.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    pub group: usize,
    pub position: Position,
    pub moves: usize,
    pub length: u32,
}

/// A run taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub wishes: Vec<Wish>,
    /// What stands for the position before each move.
    pub prints: Vec<u64>,
    pub groups: Vec<Group>,
    pub checkpoints: Vec<Checkpoint>,
    /// By number of the process: the groups it takes part in.
    by_process: Vec<Vec<usize>>,
}

/// How many checkpoints a script has at most.
const CHECKPOINTS: usize = 64;

impl Script {
    /// Takes a run apart.
    pub fn of(quest: &Quest<'_, '_>, run: &Run, meter: &mut Meter<'_>) -> Script {
        let mut apart = Apart::default();
        let Some(mut position) = quest.start() else { return Script::default() };
        apart.visit(quest, &run.moves, &position);
        for step in &run.moves {
            meter.step();
            if quest.advance(&mut position, step) != Advance::On {
                break;
            }
            apart.visit(quest, &run.moves, &position);
        }
        apart.script()
    }

    fn last_parts(&mut self) -> &mut [Part] {
        &mut self.groups.last_mut().expect("a move was begun").parts
    }

    fn index(&mut self) {
        for (index, group) in self.groups.iter().enumerate() {
            for part in &group.parts {
                let process = part.process.0 as usize;
                self.by_process.resize_with(self.by_process.len().max(process + 1), Vec::new);
                self.by_process[process].push(index);
            }
        }
    }

    /// For a process: the groups it takes part in, and what they do to it.
    pub fn parts_of(&self, process: ProcessId) -> impl Iterator<Item = (usize, Part)> + '_ {
        let part = move |&group: &usize| {
            let part = self.groups[group].parts.iter().find(|p| p.process == process);
            (group, *part.expect("the process takes part in it"))
        };
        self.by_process.get(process.0 as usize).into_iter().flatten().map(part)
    }

    /// The processes that move, in order.
    pub fn processes(&self) -> Vec<ProcessId> {
        let moves = |process: &u16| !self.by_process[*process as usize].is_empty();
        (0..self.by_process.len() as u16).filter(moves).map(ProcessId).collect()
    }
}

/// Takes a run apart while somebody executes it.
#[derive(Default)]
pub(crate) struct Apart {
    script: Script,
    mail: Mail,
    /// Moves of the run, positions that were shown, and steps on the way to the last one.
    moves: usize,
    shown: usize,
    length: u32,
    /// The next checkpoint comes here.
    due: usize,
    /// The position as bytes.
    node: Vec<u8>,
}

impl Apart {
    /// Takes the next position of a run: the one before its first move, then the one after each move. What ends the run
    /// has no position behind it.
    pub fn visit(&mut self, quest: &Quest<'_, '_>, moves: &[Move], position: &Position) {
        if let Some(taken) = self.shown.checked_sub(1) {
            self.length += moves[taken].length();
            self.mail.look(position, &mut self.script.groups);
            for part in self.script.last_parts() {
                part.after = local(quest, position, part.process);
            }
        }
        self.moves = moves.len();
        if let Some(step) = moves.get(self.shown) {
            if position.state.exclusive.is_none() {
                self.begin_group(position, moves.len() / CHECKPOINTS + 1);
            }
            self.begin(quest, step, position);
        }
        self.shown += 1;
    }

    fn begin_group(&mut self, position: &Position, spacing: usize) {
        let Apart { script, shown: index, length, due, .. } = self;
        if *index >= *due {
            *due = *index + spacing;
            let (group, position) = (script.groups.len(), position.clone());
            script.checkpoints.push(Checkpoint { group, position, moves: *index, length: *length });
        }
        script.groups.push(Group { wishes: *index..*index, parts: Vec::new(), receivers: Vec::new() });
    }

    fn begin(&mut self, quest: &Quest<'_, '_>, step: &Move, position: &Position) {
        position.pack(&mut self.node);
        self.script.prints.push(fingerprint(&self.node));
        self.script.wishes.push(wish(quest, position, step));
        let group = self.script.groups.last_mut().expect("a run does not start inside a chain");
        group.wishes.end += 1;
        for process in movers(step) {
            if group.parts.iter().all(|p| p.process != process) {
                let before = local(quest, position, process);
                group.parts.push(Part { process, before, after: before });
            }
        }
        // What ends the run is never part of a loop.
        group.parts.iter_mut().for_each(|part| part.after = Local::GONE);
    }

    /// Are all of the moves that were tried in this run?
    pub fn is_of(&self, run: &Run) -> bool {
        self.moves == run.moves.len()
    }

    /// The run taken apart.
    pub fn script(mut self) -> Script {
        self.script.index();
        self.script
    }
}

/// Who sent the messages that wait in each channel.
#[derive(Default)]
struct Mail {
    senders: Vec<VecDeque<usize>>,
}

impl Mail {
    /// Notes what the last group did to the channels.
    fn look(&mut self, position: &Position, groups: &mut [Group]) {
        let now = groups.len() - 1;
        let state = &position.state;
        self.senders.resize_with(state.channel_count() as usize, VecDeque::new);
        for (channel, senders) in self.senders.iter_mut().enumerate() {
            let count = state.channel_len(ChannelId(channel as u16)) as usize;
            while senders.len() < count {
                senders.push_back(now);
            }
            while senders.len() > count {
                let sender = senders.pop_front().expect("it is longer than something");
                groups[sender].receivers.push(now);
            }
        }
    }
}

fn wish(quest: &Quest<'_, '_>, position: &Position, step: &Move) -> Wish {
    let (branch, _) = quest.interpreter.branch(&position.state, step.process, step.branch);
    let partner = step.partner.map(|(p, b)| (p, quest.interpreter.branch(&position.state, p, b).0.action));
    Wish {
        process: step.process,
        process_type: position.state.process_type(step.process),
        action: branch.action,
        target: branch.target,
        partner,
        timeout: step.timeout,
    }
}

/// The processes that a move moves.
pub(crate) fn movers(step: &Move) -> impl Iterator<Item = ProcessId> {
    std::iter::once(step.process).chain(step.partner.map(|(p, _)| p))
}

fn local(quest: &Quest<'_, '_>, position: &Position, process: ProcessId) -> Local {
    let state = &position.state;
    if process.0 >= state.process_count() {
        return Local::GONE;
    }
    let location = (state.process_type(process), state.location(process));
    let at = state.locals_at(quest.interpreter.layout(), process);
    let size = quest.interpreter.model().process_type(location.0).frame_size as usize;
    Local { location, print: fingerprint(&state.bytes()[at..at + size]) }
}
