//! The variables of a process model, as the dependency analysis distinguishes them.

use crate::analysis::{Access, Owner, Region};
use crate::expr::{Expr, Frame};
use crate::model::{ChannelTypeId, Initial, Model, ProcessTypeId, VarDecl};

/// A process, or a class of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Instance {
    /// The initial process of this number.
    Initial(u16),
    /// Any process of this type created by a `run`.
    Created(ProcessTypeId),
}

impl Instance {
    /// Its process type.
    pub fn process_type(self, model: &Model) -> ProcessTypeId {
        match self {
            Instance::Initial(number) => model.initial_processes[number as usize].0,
            Instance::Created(ty) => ty,
        }
    }

    /// The number of an initial process.
    pub fn number(self) -> Option<u16> {
        match self {
            Instance::Initial(number) => Some(number),
            Instance::Created(_) => None,
        }
    }
}

/// A component of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// The global value at an offset.
    Global(u32),
    /// The global channel of this number.
    Channel(u16),
    /// Any other channel of this type.
    OtherChannel(ChannelTypeId),
    /// The value at an offset in the frame of a process.
    Local(Instance, u32),
    /// The location of a process.
    Control(Instance),
    /// The set of processes and which of them are enabled, as `timeout`, `enabled` and `_nr_pr` read it.
    Processes,
}

impl Variable {
    /// Its name in reports.
    pub fn name(&self, model: &Model) -> String {
        let process = |i: Instance| {
            let name = &model.process_type(i.process_type(model)).name;
            i.number().map_or(format!("{name}[*]"), |n| format!("{name}[{n}]"))
        };
        match *self {
            Variable::Global(offset) => leaf_name(&model.globals, offset),
            Variable::Channel(number) => {
                let (_, offset) = global_channels(model)[number as usize];
                format!("{} (messages)", leaf_name(&model.globals, offset))
            }
            Variable::OtherChannel(ty) => format!("{} (messages)", model.channel_type(ty).name),
            Variable::Local(i, offset) => {
                let locals = &model.process_type(i.process_type(model)).locals;
                format!("{}.{}", process(i), leaf_name(locals, offset))
            }
            Variable::Control(i) => format!("{}.location", process(i)),
            Variable::Processes => "processes".to_owned(),
        }
    }
}

fn leaf_name(declared: &[VarDecl], offset: u32) -> String {
    declared.iter().find_map(|var| var.leaf_at(offset)).map_or_else(|| format!("+{offset}"), |leaf| leaf.name)
}

/// The channels of the globals, in the order of their numbers: type, and offset of the channel variable.
pub fn global_channels(model: &Model) -> Vec<(ChannelTypeId, u32)> {
    let channel = |step: &Initial| match step {
        Initial::Channel(new) => Some((new.channel, Region::of(&new.place, None).offset)),
        Initial::Value(..) => None,
    };
    model.global_init.iter().filter_map(channel).collect()
}

/// The processes that the analyses distinguish: every initial process, and every type that some `run` creates.
pub fn instances(model: &Model) -> Vec<Instance> {
    let mut created: Vec<ProcessTypeId> = Vec::new();
    for action in model.process_types.iter().flat_map(|p| &p.actions) {
        created.extend(Access::of_kind(&action.kind, None).creates);
    }
    created.sort();
    created.dedup();
    let initial = (0..model.initial_processes.len()).map(|p| Instance::Initial(p as u16));
    initial.chain(created.into_iter().map(Instance::Created)).collect()
}

/// Whether any statement creates a process.
pub fn creates_processes(model: &Model) -> bool {
    model.process_types.iter().flat_map(|p| &p.actions).any(|a| a.kind.any(&|e| matches!(e, Expr::Run(..))))
}

/// A set of offsets in a frame: one bit for each byte.
#[derive(Clone, Debug, Default)]
pub struct OffsetSet(Vec<u64>);

impl OffsetSet {
    /// Whether an offset is in the set.
    pub fn contains(&self, offset: u32) -> bool {
        self.0.get(offset as usize / 64).is_some_and(|bits| bits >> (offset % 64) & 1 != 0)
    }

    /// The offsets, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let bits = |(word, &bits): (usize, &u64)| {
            (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| word as u32 * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }

    fn insert(&mut self, offset: u32) {
        let word = offset as usize / 64;
        self.0.resize(self.0.len().max(word + 1), 0);
        self.0[word] |= 1 << (offset % 64);
    }

    fn remove(&mut self, offset: u32) {
        if let Some(bits) = self.0.get_mut(offset as usize / 64) {
            *bits &= !(1 << (offset % 64));
        }
    }
}

/// Offsets of globals that no statement writes.
pub fn constant_globals(model: &Model) -> OffsetSet {
    let mut found = OffsetSet::default();
    model.globals.iter().for_each(|v| v.shape.scalars(v.offset, &mut |offset, _| found.insert(offset)));
    for action in model.system_types().flat_map(|(_, process_type)| &process_type.actions) {
        for region in Access::of_kind(&action.kind, None).writes.iter().filter(|r| r.owner == Owner::Global) {
            region.offsets().iter().for_each(|&offset| found.remove(offset));
        }
    }
    found
}

/// The numbers of the global channels that an expression may denote; none if it may denote any channel.
pub fn named_channels(
    channels: &[(ChannelTypeId, u32)],
    constant: &OffsetSet,
    expr: &Expr,
    pid: Option<u16>,
) -> Option<Vec<u16>> {
    let Expr::Read(place) = expr else { return None };
    if place.frame != Frame::Global {
        return None;
    }
    let number = |offset: u32| {
        let channel = channels.iter().position(|c| c.1 == offset).filter(|_| constant.contains(offset));
        channel.map(|number| number as u16)
    };
    Region::of(place, pid).offsets().into_iter().map(number).collect()
}
