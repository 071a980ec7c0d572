//! Where in a state of the processes each variable of the relation has its value.
//!
//! Every variable stands for one thing that a state holds. What is not there, a process that has died or a place in a
//! channel that is not in use, is 0 in the relation. So a state has one valuation, and two states have two.

use std::collections::HashMap;

use lurcher_ir::relation::VariableId;
use lurcher_ir::{ChannelTypeId, LocationId, ProcessTypeId, Scalar, VarDecl};
use lurcher_system::{ChannelId, Layout, ProcessId, State};

use super::{Builder, Cell};

/// Where a variable has its value.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A global variable, by its offset.
    Global(u32, Scalar),
    /// The location of a process.
    Location(ProcessId),
    /// A local variable of a process, by its offset.
    Local(ProcessId, u32, Scalar),
    /// The number of messages in a channel.
    Length(ChannelId),
    /// A field of a message: which message, and how far the field is behind the first one.
    Field(ChannelId, u16, u32, Scalar),
    /// Who holds exclusive control.
    Holder,
    /// The location of the claim.
    Claim,
    /// Nowhere: it tells something of the run, and is 0 unless something special has happened.
    Run,
}

/// Which variables stand for what in a state.
#[derive(Clone, Debug)]
pub struct StateMap {
    /// By variable.
    places: Vec<Place>,
    /// By number.
    processes: Vec<ProcessTypeId>,
    /// By number.
    channels: Vec<ChannelTypeId>,
}

impl StateMap {
    pub(super) fn of(builder: &Builder<'_>) -> StateMap {
        let mut places = vec![Place::Run; builder.relation.variables().count()];
        let mut put = |variable: VariableId, place: Place| places[variable.0 as usize] = place;
        frame(&builder.model.globals, &builder.globals, |v, offset, scalar| put(v, Place::Global(offset, scalar)));
        for (number, slot) in builder.slots.iter().enumerate() {
            let id = ProcessId(number as u16);
            put(slot.location, Place::Location(id));
            let declared = &builder.model.process_type(slot.ty).locals;
            frame(declared, &slot.locals, |v, offset, scalar| put(v, Place::Local(id, offset, scalar)));
        }
        for (number, channel) in builder.channels.iter().enumerate() {
            let Some(len) = channel.len else { continue };
            let id = ChannelId(number as u16);
            put(len, Place::Length(id));
            let fields = &builder.model.channel_type(channel.ty).fields;
            let mut behind = 0;
            for (message, variables) in channel.messages.iter().enumerate() {
                for (scalar, &variable) in fields.iter().zip(variables) {
                    put(variable, Place::Field(id, message as u16, behind, *scalar));
                    behind += scalar.size();
                }
            }
        }
        put(builder.holder, Place::Holder);
        if let Some(watcher) = &builder.watcher {
            put(watcher.location, Place::Claim);
        }
        let processes = builder.slots.iter().map(|s| s.ty).collect();
        StateMap { places, processes, channels: builder.channels.iter().map(|c| c.ty).collect() }
    }

    /// The value of a variable in a state, and with the claim where it stands. What the translation did not foresee, a
    /// process of another type under the same number, say, has no variables and is taken for nothing.
    pub fn value(&self, layout: &Layout, state: &State, claim: LocationId, variable: VariableId) -> i64 {
        let process =
            |id: ProcessId| id.0 < state.process_count() && state.process_type(id) == self.processes[usize::from(id.0)];
        let channel =
            |id: ChannelId| id.0 < state.channel_count() && state.channel_type(id) == self.channels[usize::from(id.0)];
        match self.places[variable.0 as usize] {
            Place::Global(offset, scalar) => i64::from(state.get(state.globals_at(layout) + offset as usize, scalar)),
            Place::Location(id) if process(id) => i64::from(state.location(id).0),
            Place::Local(id, offset, scalar) if process(id) => {
                i64::from(state.get(state.locals_at(layout, id) + offset as usize, scalar))
            }
            Place::Length(id) if channel(id) => i64::from(state.channel_len(id)),
            Place::Field(id, message, behind, scalar) if channel(id) && message < state.channel_len(id) => {
                i64::from(state.get(state.messages_at(id) + behind as usize, scalar))
            }
            Place::Holder => state.exclusive.map_or(0, |p| i64::from(p.0) + 1),
            Place::Claim => i64::from(claim.0),
            Place::Location(_) | Place::Local(..) | Place::Length(_) | Place::Field(..) | Place::Run => 0,
        }
    }

    /// Does a valuation say what a state holds? Where the claim stands is not asked.
    pub(super) fn describes(&self, layout: &Layout, valuation: &[i64], state: &State) -> bool {
        let value = |number: usize| self.value(layout, state, LocationId(0), VariableId(number as u32));
        let mut places = self.places.iter().enumerate();
        places.all(|(number, place)| matches!(place, Place::Claim | Place::Run) || valuation[number] == value(number))
    }
}

/// The variables of a frame, with the offsets and types of what they stand for.
fn frame(declared: &[VarDecl], cells: &HashMap<u32, Cell>, mut found: impl FnMut(VariableId, u32, Scalar)) {
    for variable in declared {
        variable.shape.leaves(&mut |_, offset, scalar| {
            let offset = variable.offset + offset;
            if let Some(&Cell::Variable(variable)) = cells.get(&offset) {
                found(variable, offset, scalar);
            }
        });
    }
}
