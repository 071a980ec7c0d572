//! A pattern: the part of a state that an abstraction keeps.
//!
//! An abstract state is a row of numbers: the location of each kept process (0 if it does not exist), the kept process
//! with exclusive control, the claim's location, then the kept globals, channels and locals. A channel has its length and,
//! if its contents are kept, every field of every message.

use lurcher_ir::analysis::{Instance, Variable};
use lurcher_ir::{ChannelTypeId, LocationId, ProcessTypeId, Scalar, VarDecl};
use lurcher_system::{ChannelId, ProcessId, State};
use rustc_hash::FxHashMap;

use super::facts::Facts;

/// The location of a process that exists but has another type than the kept one: its location is unknown.
pub(super) const OTHER: i32 = -1;

/// A part of a state that can be kept or dropped. Their order is that of an abstract state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// The location of a process, by number.
    Control(u16),
    /// A global value, by offset.
    Global(u32),
    /// The number of messages in a global channel.
    Length(u16),
    /// The messages of a global channel.
    Messages(u16),
    /// A local value of a process, by number and offset.
    Local(u16, u32),
}

/// A kept channel.
#[derive(Clone, Debug)]
pub(super) struct KeptChannel {
    pub id: u16,
    pub ty: ChannelTypeId,
    /// The messages are kept, not only their number.
    pub full: bool,
    /// The position of the length; the fields follow.
    pub at: usize,
}

/// A variable of the state from which positions of the abstract state are filled.
#[derive(Clone, Debug)]
enum Source {
    Global(u32, Scalar),
    Channel(KeptChannel),
    /// By slot and offset.
    Local(usize, u32, Scalar),
}

/// The kept items and their positions.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub items: Vec<Item>,
    /// The kept processes; the index is called slot.
    pub processes: Vec<(u16, ProcessTypeId)>,
    sources: Vec<Source>,
    positions: FxHashMap<Item, usize>,
    pub width: usize,
}

impl Pattern {
    /// The pattern that keeps some items.
    pub fn new(facts: &Facts<'_>, items: &[Item]) -> Pattern {
        let mut items = items.to_vec();
        items.sort();
        let (mut processes, mut sources, mut positions) = (Vec::new(), Vec::new(), FxHashMap::default());
        // The holder and the claim follow the locations, which come first.
        let mut width = 2;
        for &item in &items {
            let source = match item {
                Item::Messages(_) => continue,
                Item::Control(pid) => {
                    if let Some(ty) = facts.type_of(pid) {
                        positions.insert(item, processes.len());
                        processes.push((pid, ty));
                        width += 1;
                    }
                    continue;
                }
                Item::Global(offset) => Source::Global(offset, facts.globals[&offset]),
                Item::Local(pid, offset) => {
                    let Some(&slot) = positions.get(&Item::Control(pid)) else { continue };
                    let (_, ty): (u16, ProcessTypeId) = processes[slot];
                    Source::Local(slot, offset, facts.locals[ty.0 as usize][&offset])
                }
                Item::Length(id) => {
                    let full = items.binary_search(&Item::Messages(id)).is_ok();
                    Source::Channel(KeptChannel { id, ty: facts.channels[id as usize].0, full, at: width })
                }
            };
            // The position of a channel is that of its source.
            positions.insert(item, if let Item::Length(_) = item { sources.len() } else { width });
            width += 1;
            if let Source::Channel(KeptChannel { ty, full: true, .. }) = &source {
                let channel = facts.model().channel_type(*ty);
                width += channel.slots() as usize * channel.fields.len();
            }
            sources.push(source);
        }
        Pattern { items, processes, sources, positions, width }
    }

    /// The position of the holder of exclusive control: its slot plus one, or 0.
    pub fn holder_at(&self) -> usize {
        self.processes.len()
    }

    pub fn claim_at(&self) -> usize {
        self.processes.len() + 1
    }

    /// The slot of a process.
    pub fn slot(&self, pid: u16) -> Option<usize> {
        self.position(Item::Control(pid))
    }

    /// The position of a location, a global or a local.
    pub fn position(&self, item: Item) -> Option<usize> {
        self.positions.get(&item).copied()
    }

    pub fn channel(&self, id: u16) -> Option<&KeptChannel> {
        let source = self.position(Item::Length(id))?;
        if let Source::Channel(channel) = &self.sources[source] { Some(channel) } else { None }
    }

    pub fn channels(&self) -> impl Iterator<Item = &KeptChannel> {
        self.sources.iter().filter_map(|s| if let Source::Channel(channel) = s { Some(channel) } else { None })
    }

    /// The positions of the locals of a process.
    pub fn locals(&self, pid: u16) -> impl Iterator<Item = usize> {
        let locals = self.items.iter().filter(move |i| matches!(i, Item::Local(owner, _) if *owner == pid));
        locals.filter_map(|&i| self.position(i))
    }

    /// Projects a state: calls `f` with every position and its value.
    pub fn project(&self, facts: &Facts<'_>, state: &State, claim: LocationId, mut f: impl FnMut(usize, i32)) {
        let layout = facts.interpreter.layout();
        let count = state.process_count();
        let location = |&(pid, ty): &(u16, ProcessTypeId)| match ProcessId(pid) {
            p if pid < count && state.process_type(p) == ty => i32::from(state.location(p).0),
            _ if pid < count => OTHER,
            _ => 0,
        };
        for (slot, process) in self.processes.iter().enumerate() {
            f(slot, location(process));
        }
        f(self.holder_at(), state.exclusive.and_then(|p| self.slot(p.0)).map_or(0, |s| s as i32 + 1));
        f(self.claim_at(), i32::from(claim.0));
        let mut at = self.claim_at() + 1;
        let mut push = |value: i32| {
            f(at, value);
            at += 1;
        };
        let globals = state.globals_at(layout);
        for source in &self.sources {
            match source {
                Source::Global(offset, scalar) => push(state.get(globals + *offset as usize, *scalar)),
                Source::Channel(channel) => {
                    let id = ChannelId(channel.id);
                    push(i32::from(state.channel_len(id)));
                    if channel.full {
                        let ty = facts.model().channel_type(channel.ty);
                        let mut byte = state.messages_at(id);
                        for field in (0..ty.slots()).flat_map(|_| &ty.fields) {
                            push(state.get(byte, *field));
                            byte += field.size() as usize;
                        }
                    }
                }
                Source::Local(slot, offset, scalar) => {
                    let process = &self.processes[*slot];
                    let base = || state.locals_at(layout, ProcessId(process.0));
                    push(if location(process) > 0 { state.get(base() + *offset as usize, *scalar) } else { 0 });
                }
            }
        }
    }
}

impl Item {
    /// The variable of the dependency analysis to which it belongs.
    pub fn variable(self, facts: &Facts<'_>) -> Option<Variable> {
        let instance = |pid: u16| match usize::from(pid) < facts.model().initial_processes.len() {
            true => Some(Instance::Initial(pid)),
            false => facts.type_of(pid).map(Instance::Created),
        };
        Some(match self {
            Item::Control(pid) => Variable::Control(instance(pid)?),
            Item::Global(offset) => Variable::Global(offset),
            Item::Length(id) | Item::Messages(id) => Variable::Channel(id),
            Item::Local(pid, offset) => Variable::Local(instance(pid)?, offset),
        })
    }

    /// Its name in texts and settings.
    pub fn name(self, facts: &Facts<'_>) -> String {
        let process = |pid: u16| {
            let name = facts.type_of(pid).map_or("", |ty| facts.model().process_type(ty).name.as_str());
            format!("{name}[{pid}]")
        };
        let value = |declared: &[VarDecl], offset: u32| {
            declared.iter().find_map(|v| v.leaf_at(offset)).map_or(String::new(), |leaf| leaf.name)
        };
        let global = |offset| value(&facts.model().globals, offset);
        let channel = |id: u16| global(facts.channels[id as usize].1);
        match self {
            Item::Control(pid) => format!("{}.location", process(pid)),
            Item::Global(offset) => global(offset),
            Item::Length(id) => format!("{}.length", channel(id)),
            Item::Messages(id) => format!("{}.messages", channel(id)),
            Item::Local(pid, offset) => {
                let local = facts.type_of(pid).map(|ty| value(&facts.model().process_type(ty).locals, offset));
                format!("{}.{}", process(pid), local.unwrap_or_default())
            }
        }
    }
}
