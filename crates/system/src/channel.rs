//! Channel operations.

use lurcher_ir::{ChannelType, Model};

use crate::fault::Fault;
use crate::state::{ChannelId, State};

/// The channel of a value of a channel variable.
pub(crate) fn resolve(state: &State, value: i32) -> Result<ChannelId, Fault> {
    match value {
        0 => Err(Fault::NoChannel),
        n if n > 0 && n <= i32::from(state.channel_count()) => Ok(ChannelId(n as u16 - 1)),
        _ => Err(Fault::DeadChannel),
    }
}

pub(crate) fn channel_type<'m>(model: &'m Model, state: &State, id: ChannelId) -> &'m ChannelType {
    model.channel_type(state.channel_type(id))
}

pub(crate) fn is_full(model: &Model, state: &State, id: ChannelId) -> bool {
    state.channel_len(id) >= channel_type(model, state, id).slots()
}

/// A field of a message.
pub(crate) fn field(model: &Model, state: &State, id: ChannelId, slot: u16, field: usize) -> i32 {
    let ty = channel_type(model, state, id);
    let before: u32 = ty.fields[..field].iter().map(|f| f.size()).sum();
    let at = state.messages_at(id) + slot as usize * ty.message_size() as usize + before as usize;
    state.get(at, ty.fields[field])
}

/// Appends a message, or inserts it before the first greater one. The channel must not be full.
pub(crate) fn insert(model: &Model, state: &mut State, id: ChannelId, values: &[i32], sorted: bool) {
    let ty = channel_type(model, state, id);
    let (len, size) = (state.channel_len(id), ty.message_size() as usize);
    let mut slot = len;
    if sorted {
        slot = (0..len).find(|&s| goes_before(model, state, id, values, s)).unwrap_or(len);
        let first = state.messages_at(id);
        state.shift(first + slot as usize * size..first + len as usize * size, first + (slot as usize + 1) * size);
    }
    let mut at = state.messages_at(id) + slot as usize * size;
    for (i, scalar) in ty.fields.iter().enumerate() {
        state.set(at, *scalar, values.get(i).copied().unwrap_or(0));
        at += scalar.size() as usize;
    }
    state.set_channel_len(id, len + 1);
}

/// Whether a message is smaller than the one in a slot.
fn goes_before(model: &Model, state: &State, id: ChannelId, values: &[i32], slot: u16) -> bool {
    let fields = 0..channel_type(model, state, id).fields.len();
    let mut pairs = fields.map(|i| (values.get(i).copied().unwrap_or(0), field(model, state, id, slot, i)));
    pairs.find(|(new, old)| new != old).is_some_and(|(new, old)| new < old)
}

/// Removes the message in a slot. Later messages move up, and the free slot is cleared.
pub(crate) fn remove(model: &Model, state: &mut State, id: ChannelId, slot: u16) {
    let size = channel_type(model, state, id).message_size() as usize;
    let (first, len) = (state.messages_at(id), state.channel_len(id) as usize);
    let slot = slot as usize;
    state.shift(first + (slot + 1) * size..first + len * size, first + slot * size);
    state.clear(first + (len - 1) * size..first + len * size);
    state.set_channel_len(id, len as u16 - 1);
}
