//! A pattern: the part of a state that an abstraction keeps.
//!
//! An abstract state is a row of numbers: where each kept process stands (0 when it does not exist), who of them
//! holds exclusive control, where the claim stands, then kept globals, kept locals, and kept channels with their
//! length and, if their contents are kept, every field of every message. Projection copies these out of a state.

use lurcher_ir::analysis::{Instance, Variable};
use lurcher_ir::{ChannelTypeId, LocationId, Model, ProcessTypeId, Scalar};
use lurcher_system::{ChannelId, Interpreter, Layout, ProcessId, State};
use rustc_hash::FxHashMap;

use super::facts::Facts;

/// The slot of a process that exists but is of another type than expected: it can stand anywhere.
pub(super) const OTHER: i32 = -1;

/// Something that can be kept or dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// Where the process of a number stands.
    Control(u16),
    /// A global value, by offset.
    Global(u32),
    /// How many messages a global channel holds.
    Length(u16),
    /// The messages of a global channel.
    Messages(u16),
    /// A value of a process, by number and offset.
    Local(u16, u32),
}

/// A channel of a pattern.
#[derive(Clone, Debug)]
pub(super) struct KeptChannel {
    pub id: u16,
    pub ty: ChannelTypeId,
    /// Are its messages kept, or only how many there are?
    pub full: bool,
    /// Where its length is; the fields follow.
    pub at: usize,
}

/// What is kept.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub items: Vec<Item>,
    pub processes: Vec<(u16, ProcessTypeId)>,
    pub globals: Vec<(u32, Scalar)>,
    pub locals: Vec<(usize, u32, Scalar)>,
    pub channels: Vec<KeptChannel>,
    slot_of: FxHashMap<u16, usize>,
    global_at: FxHashMap<u32, usize>,
    local_at: FxHashMap<(usize, u32), usize>,
    channel_of: FxHashMap<u16, usize>,
    pub width: usize,
}

impl Pattern {
    /// The pattern of some items; `types` are the processes that can be kept, by number.
    pub fn new(model: &Model, facts: &Facts, types: &[Option<ProcessTypeId>], items: &[Item]) -> Pattern {
        let mut items = items.to_vec();
        items.sort();
        let mut pattern = Pattern {
            processes: Vec::new(),
            globals: Vec::new(),
            locals: Vec::new(),
            channels: Vec::new(),
            slot_of: FxHashMap::default(),
            global_at: FxHashMap::default(),
            local_at: FxHashMap::default(),
            channel_of: FxHashMap::default(),
            width: 0,
            items: items.clone(),
        };
        for &item in &items {
            if let Item::Control(pid) = item
                && let Some(Some(ty)) = types.get(pid as usize)
            {
                pattern.slot_of.insert(pid, pattern.processes.len());
                pattern.processes.push((pid, *ty));
            }
        }
        pattern.width = pattern.claim_at() + 1;
        for &item in &items {
            pattern.add(model, facts, item, &items);
        }
        pattern
    }

    fn add(&mut self, model: &Model, facts: &Facts, item: Item, items: &[Item]) {
        match item {
            Item::Control(_) => {}
            Item::Global(offset) => {
                let scalar = facts.globals[&offset].1;
                self.global_at.insert(offset, self.width);
                self.globals.push((offset, scalar));
                self.width += 1;
            }
            Item::Local(pid, offset) => {
                let Some(&slot) = self.slot_of.get(&pid) else { return };
                let scalar = facts.locals[self.processes[slot].1.0 as usize][&offset].1;
                self.local_at.insert((slot, offset), self.width);
                self.locals.push((slot, offset, scalar));
                self.width += 1;
            }
            Item::Length(id) => {
                let ty = facts.channels[id as usize].0;
                let full = items.contains(&Item::Messages(id));
                let channel = model.channel_type(ty);
                self.channel_of.insert(id, self.channels.len());
                self.channels.push(KeptChannel { id, ty, full, at: self.width });
                self.width += 1 + if full { channel.slots() as usize * channel.fields.len() } else { 0 };
            }
            Item::Messages(_) => {}
        }
    }

    /// Where the holder of exclusive control is: the number of its slot plus one.
    pub fn holder_at(&self) -> usize {
        self.processes.len()
    }

    pub fn claim_at(&self) -> usize {
        self.processes.len() + 1
    }

    pub fn slot(&self, pid: u16) -> Option<usize> {
        self.slot_of.get(&pid).copied()
    }

    pub fn global(&self, offset: u32) -> Option<usize> {
        self.global_at.get(&offset).copied()
    }

    pub fn local(&self, slot: usize, offset: u32) -> Option<usize> {
        self.local_at.get(&(slot, offset)).copied()
    }

    pub fn channel(&self, id: u16) -> Option<&KeptChannel> {
        self.channel_of.get(&id).map(|&c| &self.channels[c])
    }

    /// Calls `f` with the position and the value of everything kept.
    pub fn project(
        &self,
        model: &Model,
        layout: &Layout,
        state: &State,
        claim: LocationId,
        mut f: impl FnMut(usize, i32),
    ) {
        let count = state.process_count();
        let stands = |&(pid, ty): &(u16, ProcessTypeId)| match ProcessId(pid) {
            p if pid < count && state.process_type(p) == ty => i32::from(state.location(p).0),
            _ if pid < count => OTHER,
            _ => 0,
        };
        for (slot, process) in self.processes.iter().enumerate() {
            f(slot, stands(process));
        }
        let holder = state.exclusive.and_then(|p| self.slot(p.0)).map_or(0, |s| s as i32 + 1);
        f(self.holder_at(), holder);
        f(self.claim_at(), i32::from(claim.0));
        let mut at = self.claim_at() + 1;
        let mut next = |value: i32, f: &mut dyn FnMut(usize, i32)| {
            f(at, value);
            at += 1;
        };
        // The order is that of the items: globals, channels, locals.
        let globals = state.globals_at(layout);
        for &(offset, scalar) in &self.globals {
            next(state.get(globals + offset as usize, scalar), &mut f);
        }
        for channel in &self.channels {
            let id = ChannelId(channel.id);
            next(i32::from(state.channel_len(id)), &mut f);
            if channel.full {
                let ty = model.channel_type(channel.ty);
                let mut byte = state.messages_at(id);
                for _ in 0..ty.slots() {
                    for field in &ty.fields {
                        next(state.get(byte, *field), &mut f);
                        byte += field.size() as usize;
                    }
                }
            }
        }
        for &(slot, offset, scalar) in &self.locals {
            let exists = stands(&self.processes[slot]) > 0;
            let pid = ProcessId(self.processes[slot].0);
            let value = if exists { state.get(state.locals_at(layout, pid) + offset as usize, scalar) } else { 0 };
            next(value, &mut f);
        }
    }

    /// The abstract state of a state.
    pub fn abstracted(&self, interpreter: &Interpreter<'_>, state: &State, claim: LocationId) -> Vec<i32> {
        let mut values = vec![0; self.width];
        self.project(interpreter.model(), interpreter.layout(), state, claim, |at, v| values[at] = v);
        values
    }
}

impl Item {
    /// The variable of the dependency analysis that it is part of; `types` are the processes by number.
    pub fn variable(self, model: &Model, types: &[Option<ProcessTypeId>]) -> Option<Variable> {
        let instance = |pid: u16| match (pid as usize) < model.initial_processes.len() {
            true => Some(Instance::Initial(pid)),
            false => types.get(pid as usize).copied().flatten().map(Instance::Created),
        };
        Some(match self {
            Item::Control(pid) => Variable::Control(instance(pid)?),
            Item::Global(offset) => Variable::Global(offset),
            Item::Length(id) | Item::Messages(id) => Variable::Channel(id),
            Item::Local(pid, offset) => Variable::Local(instance(pid)?, offset),
        })
    }

    /// Its name for people; `types` are the processes by number.
    pub fn name(self, model: &Model, facts: &Facts, types: &[Option<ProcessTypeId>]) -> String {
        let process = |pid: u16| match types.get(pid as usize) {
            Some(Some(ty)) => format!("{}[{pid}]", model.process_type(*ty).name),
            _ => format!("[{pid}]"),
        };
        let global = |offset| facts.globals.get(&offset).map_or_else(String::new, |l| l.0.clone());
        let channel = |id: u16| global(facts.channels[id as usize].1);
        match self {
            Item::Control(pid) => format!("{}.location", process(pid)),
            Item::Global(offset) => global(offset),
            Item::Length(id) => format!("{}.length", channel(id)),
            Item::Messages(id) => format!("{}.messages", channel(id)),
            Item::Local(pid, offset) => {
                let locals = types.get(pid as usize).copied().flatten().map(|ty| &facts.locals[ty.0 as usize]);
                let name = locals.and_then(|l| l.get(&offset)).map_or("", |l| l.0.as_str());
                format!("{}.{name}", process(pid))
            }
        }
    }
}
