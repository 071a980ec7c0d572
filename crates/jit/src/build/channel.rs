//! Channels and their messages.
//!
//! If an expression reads a variable that is never assigned, the channel's type and offset are constants. Otherwise the
//! type is read from the state, and code that depends on it is emitted once per type.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use lurcher_ir::{ChannelType, ChannelTypeId, Expr, ReceiveField};

use super::emit::Emit;
use crate::run::{code, field};

/// A channel of the state.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    /// Its number plus one.
    pub value: Value,
    /// Its first byte.
    pub at: Value,
    /// Its possible types.
    pub types: Vec<ChannelTypeId>,
    /// Its type, if there are several possible ones.
    pub tag: Option<Value>,
}

impl Channel {
    /// The same channel with a known type.
    pub fn of_type(&self, ty: ChannelTypeId) -> Channel {
        Channel { types: vec![ty], tag: None, ..self.clone() }
    }
}

const CHANNEL_BIT: i64 = 0x8000;

/// The most bytes of messages to move without a loop over the messages.
const AT_ONCE: u32 = 64;

impl<'m> Emit<'_, '_, 'm> {
    pub fn channel_type(&self, ty: ChannelTypeId) -> &'m ChannelType {
        self.unit.facts.model.channel_type(ty)
    }

    /// The channel that an expression names; faults if there is none.
    pub fn channel(&mut self, expr: &Expr) -> Channel {
        self.channel_or(expr, None)
    }

    /// The channel that an expression names. If there is none, jumps to `missing` or faults.
    pub fn channel_or(&mut self, expr: &Expr, missing: Option<Block>) -> Channel {
        if let Expr::Read(place) = expr
            && let Some(fixed) = self.unit.facts.fixed_channels(place)
        {
            let bytes = self.bytes();
            let (mut at, mut value) = (self.add_long(bytes, fixed.at as i64), self.int(fixed.value));
            if let Some(index) = place.indices.first() {
                let i = self.index(&index.expr, index.count);
                let size = self.unit.facts.layout.channel_size(fixed.ty) as i64;
                at = self.element(at, i, size);
                value = self.b.ins().iadd(value, i);
            }
            return Channel { value, at, types: vec![fixed.ty], tag: None };
        }
        let value = self.value(expr);
        let none = self.test_int(IntCC::Equal, value, 0);
        match missing {
            Some(block) => self.leave_if(none, block),
            None => self.fault_if(none, code::NO_CHANNEL, None),
        }
        let count = self.register(I32, field!(channel_count));
        let dead = self.test(IntCC::UnsignedGreaterThan, value, count);
        match missing {
            Some(block) => self.leave_if(dead, block),
            None => self.fault_if(dead, code::DEAD_CHANNEL, None),
        }
        let channels = self.register(I64, field!(channels));
        let number = self.b.ins().iadd_imm_s(value, -1);
        let offset_at = self.element(channels, number, 4);
        let offset = self.b.ins().uload32(cranelift_codegen::ir::MemFlagsData::trusted(), offset_at, 0);
        let bytes = self.bytes();
        let at = self.b.ins().iadd(bytes, offset);
        let types: Vec<ChannelTypeId> =
            (0..self.unit.facts.model.channel_types.len()).map(|t| ChannelTypeId(t as u16)).collect();
        let tag = (types.len() > 1).then(|| {
            let word = self.word(at, 0);
            self.b.ins().band_imm_s(word, !CHANNEL_BIT & 0xffff)
        });
        Channel { value, at, types, tag }
    }

    pub fn channel_len(&mut self, channel: &Channel) -> Value {
        self.word(channel.at, 2)
    }

    /// Number of message slots; 1 for rendezvous.
    pub fn channel_slots(&mut self, channel: &Channel) -> Value {
        self.by_type(channel, |ty| i32::from(ty.slots()))
    }

    /// The capacity; 0 for rendezvous.
    pub fn channel_capacity(&mut self, channel: &Channel) -> Value {
        self.by_type(channel, |ty| i32::from(ty.capacity))
    }

    /// A number that depends on a channel's type.
    fn by_type(&mut self, channel: &Channel, of: impl Fn(&ChannelType) -> i32) -> Value {
        let numbers: Vec<i32> = channel.types.iter().map(|t| of(self.channel_type(*t))).collect();
        let mut result = self.int(numbers.first().copied().unwrap_or(0));
        if let Some(tag) = channel.tag
            && numbers.iter().any(|n| *n != numbers[0])
        {
            for (ty, number) in channel.types.iter().zip(&numbers).skip(1) {
                let hit = self.test_int(IntCC::Equal, tag, i32::from(ty.0));
                let number = self.int(*number);
                result = self.b.ins().select(hit, number, result);
            }
        }
        result
    }

    /// Emits code for each possible type of a channel. Each ends its own block.
    pub fn each_type(&mut self, channel: &Channel, mut write: impl FnMut(&mut Self, &Channel, ChannelTypeId)) {
        let Some((last, others)) = channel.types.split_last() else {
            // A model without channels: naming one has faulted before.
            self.fault(code::DEAD_CHANNEL, None);
            return;
        };
        for ty in others {
            let (hit, next) = (self.block(), self.block());
            let tag = channel.tag.expect("several types");
            let is = self.test_int(IntCC::Equal, tag, i32::from(ty.0));
            self.branch(is, hit, next);
            self.enter(hit);
            write(self, &channel.of_type(*ty), *ty);
            self.enter(next);
        }
        write(self, &channel.of_type(*last), *last);
    }

    fn messages(&mut self, channel: &Channel) -> Value {
        let header = self.unit.facts.layout.channel_header() as i64;
        self.add_long(channel.at, header)
    }

    /// First byte of the message in a slot.
    pub fn message_at(&mut self, channel: &Channel, ty: ChannelTypeId, slot: Value) -> Value {
        let first = self.messages(channel);
        let size = i64::from(self.channel_type(ty).message_size());
        self.element(first, slot, size)
    }

    /// Jumps to `yes` if a message matches the fields, else to `no`.
    pub fn find_message(&mut self, channel: &Channel, random: bool, fields: &[ReceiveField], yes: Block, no: Block) {
        let tests = fields.iter().any(|f| f.pattern().is_some());
        if !tests {
            let len = self.channel_len(channel);
            self.branch(len, yes, no);
            return;
        }
        self.each_type(channel, |emit, channel, ty| {
            let found = emit.block();
            emit.b.append_block_param(found, I32);
            emit.find_slot(channel, ty, random, fields, found, no);
            emit.enter(found);
            emit.go(yes);
        });
    }

    /// Jumps to `found` with the slot of the first matching message, or to `none`.
    pub fn find_slot(
        &mut self,
        channel: &Channel,
        ty: ChannelTypeId,
        random: bool,
        fields: &[ReceiveField],
        found: Block,
        none: Block,
    ) {
        let len = self.channel_len(channel);
        let size = self.channel_type(ty).message_size();
        let zero = self.int(0);
        if !random {
            self.leave_unless(len, none);
            let at = self.messages(channel);
            self.match_fields(ty, at, fields, none);
            self.go_with(found, zero);
            return;
        }
        let (head, body, next) = (self.block(), self.block(), self.block());
        let slot = self.b.append_block_param(head, I32);
        self.go_with(head, zero);
        self.enter(head);
        let inside = self.test(IntCC::UnsignedLessThan, slot, len);
        self.branch(inside, body, none);
        self.enter(body);
        let first = self.messages(channel);
        let at = self.element(first, slot, i64::from(size));
        self.match_fields(ty, at, fields, next);
        self.go_with(found, slot);
        self.enter(next);
        let after = self.b.ins().iadd_imm_s(slot, 1);
        self.go_with(head, after);
    }

    /// Continues if the message at an address matches the fields, and jumps to a block otherwise.
    fn match_fields(&mut self, ty: ChannelTypeId, at: Value, fields: &[ReceiveField], other: Block) {
        let carried = &self.channel_type(ty).fields;
        let mut offset = 0;
        for (i, wanted) in fields.iter().enumerate() {
            if let Some(e) = wanted.pattern() {
                let Some(scalar) = carried.get(i) else {
                    let counts = (self.int(fields.len() as i32), self.int(carried.len() as i32));
                    self.fault(code::FIELD_COUNT, Some(counts));
                    let unreachable = self.block();
                    self.enter(unreachable);
                    return;
                };
                let expected = self.value(e);
                let value = self.load(*scalar, at, offset);
                let differs = self.test(IntCC::NotEqual, expected, value);
                self.leave_if(differs, other);
            }
            offset += carried.get(i).map_or(0, |s| s.size() as i32);
        }
    }

    /// Appends a message. There must be room.
    pub fn append_message(&mut self, channel: &Channel, ty: ChannelTypeId, values: &[Value]) {
        let len = self.channel_len(channel);
        let at = self.message_at(channel, ty, len);
        let mut offset = 0;
        for (scalar, value) in self.channel_type(ty).fields.iter().zip(values) {
            self.store(*scalar, *value, at, offset);
            offset += scalar.size() as i32;
        }
        let more = self.b.ins().iadd_imm_s(len, 1);
        self.set_word(channel.at, 2, more);
    }

    /// Removes the message in a slot, or the first one. Later messages move up, and the freed slot is cleared.
    pub fn remove_message(&mut self, channel: &Channel, ty: ChannelTypeId, slot: Option<Value>) {
        let size = self.channel_type(ty).message_size();
        let len = self.channel_len(channel);
        let fewer = self.b.ins().iadd_imm_s(len, -1);
        self.set_word(channel.at, 2, fewer);
        let behind = size * u32::from(self.channel_type(ty).slots() - 1);
        let at = match slot {
            Some(slot) if behind > 0 => self.message_at(channel, ty, slot),
            _ => self.messages(channel),
        };
        if behind == 0 || (slot.is_none() && behind <= AT_ONCE) {
            // Empty slots are 0.
            let next = self.add_long(at, i64::from(size));
            self.copy(next, at, behind);
            let last = self.add_long(at, i64::from(behind));
            self.clear(last, size);
            return;
        }
        let end = self.message_at(channel, ty, fewer);
        let (head, body, done) = (self.block(), self.block(), self.block());
        let to = self.b.append_block_param(head, I64);
        self.go_with(head, at);
        self.enter(head);
        let more = self.test(IntCC::UnsignedLessThan, to, end);
        self.branch(more, body, done);
        self.enter(body);
        let from = self.add_long(to, i64::from(size));
        self.copy(from, to, size);
        self.go_with(head, from);
        self.enter(done);
        self.clear(end, size);
    }
}
