//! Executability of branches and statements.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData};
use lurcher_ir::{ActionKind, Expr};

use super::channel::Channel;
use super::emit::Emit;
use super::unit::Function;
use crate::boundary;
use crate::run::field;

/// Where control goes after the test of a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    /// The branch is enabled.
    pub yes: Block,
    /// The branch is enabled by rendezvous, which were added to the moves.
    pub rendezvous: Block,
    /// The branch is disabled.
    pub no: Block,
}

impl Targets {
    /// Targets that do not distinguish rendezvous.
    pub fn simple(yes: Block, no: Block) -> Targets {
        Targets { yes, rendezvous: yes, no }
    }
}

impl Emit<'_, '_, '_> {
    /// Tests a branch, as if no earlier branch were enabled.
    pub fn branch_enabled(&mut self, branch: u16, kind: &ActionKind, to: Targets) {
        match kind {
            ActionKind::Send(c, _, args) => {
                let channel = self.channel(c);
                let with_room = |emit: &Self, t: &&lurcher_ir::ChannelTypeId| emit.channel_type(**t).capacity > 0;
                let buffered = channel.types.iter().filter(|t| with_room(self, t)).count();
                if buffered == channel.types.len() {
                    self.channel_has_room(&channel, to.yes, to.no);
                    return;
                }
                let rendezvous = self.block();
                if buffered > 0 {
                    let holds = self.block();
                    let capacity = self.channel_capacity(&channel);
                    self.branch(capacity, holds, rendezvous);
                    self.enter(holds);
                    self.channel_has_room(&channel, to.yes, to.no);
                } else {
                    self.go(rendezvous);
                }
                self.enter(rendezvous);
                self.find_receivers(branch, &channel, args, to);
            }
            ActionKind::Receive { channel: c, copy: false, random, fields } => {
                // As in Spin: if all channels are rendezvous, a receive that names no channel blocks.
                let missing = self.unit.facts.only_rendezvous.then_some(to.no);
                let channel = self.channel_or(c, missing);
                // A rendezvous is a move of the sender; its channel is always empty here.
                self.find_message(&channel, *random, fields, to.yes, to.no);
            }
            _ => self.executable(kind, to.yes, to.no),
        }
    }

    /// Tests a statement, rendezvous aside.
    pub fn executable(&mut self, kind: &ActionKind, yes: Block, no: Block) {
        match kind {
            ActionKind::Guard(e) => self.condition(e, yes, no),
            ActionKind::Send(c, ..) => {
                let channel = self.channel(c);
                self.channel_has_room(&channel, yes, no);
            }
            ActionKind::Receive { channel: c, random, copy, fields } => {
                let channel = self.channel(c);
                if *copy {
                    let capacity = self.channel_capacity(&channel);
                    let none = self.test_int(IntCC::Equal, capacity, 0);
                    self.fault_if(none, crate::run::code::POLLED_RENDEZVOUS, None);
                }
                self.find_message(&channel, *random, fields, yes, no);
            }
            ActionKind::End => {
                let count = self.register(I32, field!(process_count));
                let me = self.me();
                let behind = self.b.ins().iadd_imm_s(me, 1);
                let youngest = self.test(IntCC::Equal, behind, count);
                self.branch(youngest, yes, no);
            }
            ActionKind::DStep(sequence) => {
                if sequence.guards.is_empty() {
                    self.go(yes);
                    return;
                }
                for guard in &sequence.guards {
                    let next = self.block();
                    self.executable(guard, yes, next);
                    self.enter(next);
                }
                self.go(no);
            }
            ActionKind::Event { .. } => self.go(no),
            _ => {
                assert!(!kind.can_wait(), "what enables it is not known");
                self.go(yes);
            }
        }
    }

    fn channel_has_room(&mut self, channel: &Channel, yes: Block, no: Block) {
        if self.unit.facts.message_loss {
            self.go(yes);
            return;
        }
        let (len, slots) = (self.channel_len(channel), self.channel_slots(channel));
        let room = self.test(IntCC::UnsignedLessThan, len, slots);
        self.branch(room, yes, no);
    }

    /// Looks for receivers of the message that a branch sends on a rendezvous channel.
    fn find_receivers(&mut self, branch: u16, channel: &Channel, args: &[Expr], to: Targets) {
        self.may_rendezvous = true;
        let (me, timeout) = (self.me(), self.timeout());
        if self.unit.facts.interpreted_offers {
            let branch = self.int(i32::from(branch));
            let found = self.host_value(boundary::offer as *const (), &[me, branch, timeout], I32);
            self.leave_unless(found, to.no);
            let alone = self.test_int(IntCC::Equal, found, 1);
            self.branch(alone, to.yes, to.rendezvous);
            return;
        }
        let values: Vec<_> = args.iter().map(|a| self.value(a)).collect();
        let meeting: Vec<_> = channel.types.iter().copied().filter(|t| self.channel_type(*t).capacity == 0).collect();
        let asked = self.block();
        let narrowed = Channel { types: meeting, ..channel.clone() };
        self.each_type(&narrowed, |emit, _, ty| {
            let fields = &emit.channel_type(ty).fields;
            if fields.len() != values.len() {
                // Execution of the branch reports the fault.
                emit.fault(crate::run::code::FIELD_COUNT, None);
                return;
            }
            let message = emit.register(I64, field!(message));
            for (i, (scalar, value)) in fields.iter().zip(&values).enumerate() {
                let kept = emit.truncate(*scalar, *value);
                emit.b.ins().store(MemFlagsData::trusted(), kept, message, 4 * i as i32);
            }
            emit.set_register_int(field!(message_len), fields.len() as i32);
            emit.go(asked);
        });
        self.enter(asked);
        let before = self.register(I32, field!(moves_len));
        let sender = self.b.ins().iadd_imm_s(me, i64::from(branch) << 16);
        let number = self.wide(channel.value);
        let high = self.b.ins().ishl_imm_s(number, 32);
        let low = self.wide(sender);
        let rest = self.b.ins().bor(high, low);
        self.call(Function::Receivers, me, timeout, rest);
        let after = self.register(I32, field!(moves_len));
        let more = self.test(IntCC::UnsignedGreaterThan, after, before);
        self.branch(more, to.rendezvous, to.no);
    }
}
