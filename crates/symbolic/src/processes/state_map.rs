//! The mapping from states of the processes to valuations of the relation.
//!
//! Every variable stands for one part of a state. Parts that do not exist, such as dead processes and empty channel slots,
//! are 0. The mapping is injective.

use std::collections::HashMap;

use lurcher_ir::relation::VariableId;
use lurcher_ir::{ChannelTypeId, LocationId, ProcessTypeId, Scalar, VarDecl};
use lurcher_system::{ChannelId, Layout, ProcessId, State};

use super::{Builder, Cell};

/// The part of a state that a variable stands for.
#[derive(Clone, Copy, Debug)]
enum StatePart {
    /// A global variable, by offset.
    Global(u32, Scalar),
    /// The location of a process.
    Location(ProcessId),
    /// A local variable of a process, by offset.
    Local(ProcessId, u32, Scalar),
    /// The number of messages in a channel.
    Length(ChannelId),
    /// A field of a message: its position in the queue and its offset from the first message.
    Field(ChannelId, u16, u32, Scalar),
    /// The holder of exclusive control.
    Holder,
    /// The location of the claim.
    Claim,
    /// No part: a flag of the run (`overflow`, `stayed`), usually 0.
    Flag,
}

/// What the variables of a translation stand for.
#[derive(Clone, Debug)]
pub struct StateMap {
    /// By variable.
    parts: Vec<StatePart>,
    /// By pid.
    processes: Vec<ProcessTypeId>,
    /// By channel number.
    channels: Vec<ChannelTypeId>,
}

impl StateMap {
    pub(super) fn of(builder: &Builder<'_>) -> StateMap {
        let mut parts = vec![StatePart::Flag; builder.relation.variables().count()];
        let mut put = |variable: VariableId, part: StatePart| parts[variable.0 as usize] = part;
        frame(&builder.model.globals, &builder.globals, |v, offset, scalar| put(v, StatePart::Global(offset, scalar)));
        for (number, slot) in builder.slots.iter().enumerate() {
            let id = ProcessId(number as u16);
            put(slot.location, StatePart::Location(id));
            let declared = &builder.model.process_type(slot.ty).locals;
            frame(declared, &slot.locals, |v, offset, scalar| put(v, StatePart::Local(id, offset, scalar)));
        }
        for (number, channel) in builder.channels.iter().enumerate() {
            let Some(len) = channel.len else { continue };
            let id = ChannelId(number as u16);
            put(len, StatePart::Length(id));
            let fields = &builder.model.channel_type(channel.ty).fields;
            let mut offset = 0;
            for (message, variables) in channel.messages.iter().enumerate() {
                for (scalar, &variable) in fields.iter().zip(variables) {
                    put(variable, StatePart::Field(id, message as u16, offset, *scalar));
                    offset += scalar.size();
                }
            }
        }
        put(builder.holder, StatePart::Holder);
        if let Some(claim) = &builder.claim {
            put(claim.location, StatePart::Claim);
        }
        let processes = builder.slots.iter().map(|s| s.ty).collect();
        StateMap { parts, processes, channels: builder.channels.iter().map(|c| c.ty).collect() }
    }

    /// The value of a variable in a state, given the location of the claim. Processes that have no slot are ignored.
    pub fn value(&self, layout: &Layout, state: &State, claim: LocationId, variable: VariableId) -> i64 {
        let process =
            |id: ProcessId| id.0 < state.process_count() && state.process_type(id) == self.processes[usize::from(id.0)];
        let channel =
            |id: ChannelId| id.0 < state.channel_count() && state.channel_type(id) == self.channels[usize::from(id.0)];
        match self.parts[variable.0 as usize] {
            StatePart::Global(offset, scalar) => {
                i64::from(state.get(state.globals_at(layout) + offset as usize, scalar))
            }
            StatePart::Location(id) if process(id) => i64::from(state.location(id).0),
            StatePart::Local(id, offset, scalar) if process(id) => {
                i64::from(state.get(state.locals_at(layout, id) + offset as usize, scalar))
            }
            StatePart::Length(id) if channel(id) => i64::from(state.channel_len(id)),
            StatePart::Field(id, message, offset, scalar) if channel(id) && message < state.channel_len(id) => {
                i64::from(state.get(state.messages_at(id) + offset as usize, scalar))
            }
            StatePart::Holder => state.exclusive.map_or(0, |p| i64::from(p.0) + 1),
            StatePart::Claim => i64::from(claim.0),
            StatePart::Location(_)
            | StatePart::Local(..)
            | StatePart::Length(_)
            | StatePart::Field(..)
            | StatePart::Flag => 0,
        }
    }

    /// Whether a valuation describes a state; the claim and flags are ignored.
    pub(super) fn matches(&self, layout: &Layout, valuation: &[i64], state: &State) -> bool {
        let value = |number: usize| self.value(layout, state, LocationId(0), VariableId(number as u32));
        let mut parts = self.parts.iter().enumerate();
        parts.all(|(number, part)| {
            matches!(part, StatePart::Claim | StatePart::Flag) || valuation[number] == value(number)
        })
    }
}

/// Visits the variables of a frame with their offsets and types.
fn frame(declared: &[VarDecl], cells: &HashMap<u32, Cell>, mut found: impl FnMut(VariableId, u32, Scalar)) {
    for (offset, scalar) in declared.iter().flat_map(VarDecl::scalars) {
        if let Some(&Cell::Variable(variable)) = cells.get(&offset) {
            found(variable, offset, scalar);
        }
    }
}
