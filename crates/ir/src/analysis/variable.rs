//! What a state is made of, as the dependency analysis sees it.

use std::collections::HashSet;

use crate::analysis::{Access, Owner, Region};
use crate::expr::{Expr, Frame};
use crate::model::{ChannelTypeId, Initial, Model, ProcessRole, ProcessTypeId, VarDecl};

/// A process, as far as it is known at load time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Instance {
    /// The process of this number, which exists from the start.
    Initial(u16),
    /// Any process of this type that is created later.
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

    /// Its number, where it is known.
    pub fn number(self) -> Option<u16> {
        match self {
            Instance::Initial(number) => Some(number),
            Instance::Created(_) => None,
        }
    }
}

/// Part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// The global value at an offset.
    Global(u32),
    /// The channel of this number, which exists from the start and belongs to the globals.
    Channel(u16),
    /// Any other channel of this type.
    OtherChannel(ChannelTypeId),
    /// The value at an offset in the frame of a process.
    Local(Instance, u32),
    /// Where a process stands.
    Control(Instance),
    /// Which processes there are and which of them can move: what `timeout`, `enabled` and `_nr_pr` ask about.
    Processes,
}

impl Variable {
    /// Its name for people.
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
    let mut found = format!("+{offset}");
    for var in declared.iter().filter(|v| (v.offset..v.offset + v.shape.size()).contains(&offset)) {
        var.shape.leaves(&mut |suffix, at, _| {
            if var.offset + at == offset {
                found = format!("{}{suffix}", var.name);
            }
        });
    }
    found
}

/// The channels that belong to the globals, in the order of their numbers: type, and where the number is stored.
pub fn global_channels(model: &Model) -> Vec<(ChannelTypeId, u32)> {
    let channel = |step: &Initial| match step {
        Initial::Channel(new) => Some((new.channel, Region::of(&new.place, None).offset)),
        Initial::Value(..) => None,
    };
    model.global_init.iter().filter_map(channel).collect()
}

/// The processes that the analyses tell apart: all that exist from the start, and each type that is created later.
pub fn instances(model: &Model) -> Vec<Instance> {
    let mut created: Vec<ProcessTypeId> = Vec::new();
    for action in model.process_types.iter().flat_map(|p| &p.actions) {
        created.extend(Access::of_action(action, None).creates);
    }
    created.sort();
    created.dedup();
    let initial = (0..model.initial_processes.len()).map(|p| Instance::Initial(p as u16));
    initial.chain(created.into_iter().map(Instance::Created)).collect()
}

/// Does any statement create a process?
pub fn creates_processes(model: &Model) -> bool {
    let mut found = false;
    for action in model.process_types.iter().flat_map(|p| &p.actions) {
        action.kind.exprs(&mut |e| found |= e.any(&|e| matches!(e, Expr::Run(..))));
    }
    found
}

/// Offsets of globals that nothing writes once they are set up.
pub fn constant_globals(model: &Model) -> HashSet<u32> {
    let mut found = HashSet::new();
    for var in &model.globals {
        var.shape.leaves(&mut |_, at, _| {
            found.insert(var.offset + at);
        });
    }
    for process_type in model.process_types.iter().filter(|p| p.role == ProcessRole::System) {
        for action in &process_type.actions {
            for region in Access::of_action(action, None).writes {
                if region.owner == Owner::Global {
                    region.offsets(&mut |o| {
                        found.remove(&o);
                    });
                }
            }
        }
    }
    found
}

/// The channels that an expression can name: numbers of global channels, or none when it can be any.
pub fn named_channels(
    channels: &[(ChannelTypeId, u32)],
    constant: &HashSet<u32>,
    expr: &Expr,
    pid: Option<u16>,
) -> Option<Vec<u16>> {
    let Expr::Read(place) = expr else { return None };
    if place.frame != Frame::Global {
        return None;
    }
    let mut found = Some(Vec::new());
    Region::of(place, pid).offsets(&mut |offset| {
        let number = channels.iter().position(|c| c.1 == offset).filter(|_| constant.contains(&offset));
        match (number, &mut found) {
            (Some(number), Some(list)) => list.push(number as u16),
            _ => found = None,
        }
    });
    found
}
