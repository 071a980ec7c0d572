//! Is a branch possible?

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block, InstBuilder};
use lurcher_ir::{ActionKind, Expr};

use super::channel::Channel;
use super::emit::Emit;
use super::host::HostFunction;
use super::unit::Function;
use crate::run::field;

/// Where control goes when a branch was tested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    /// The branch can be taken.
    pub yes: Block,
    /// The branch can be taken together with others: the rendezvous were added to the moves.
    pub meet: Block,
    /// It cannot.
    pub no: Block,
}

impl Targets {
    /// When it does not matter whether others take part.
    pub fn simple(yes: Block, no: Block) -> Targets {
        Targets { yes, meet: yes, no }
    }
}

impl Emit<'_, '_, '_> {
    /// Tests a branch, as if nothing before it were possible. Faults go where faults go now.
    pub fn test_branch(&mut self, branch: u16, kind: &ActionKind, to: Targets) {
        match kind {
            ActionKind::Send(c, _, args) => {
                let channel = self.channel(c);
                let with_room = |emit: &Self, t: &&lurcher_ir::ChannelTypeId| emit.channel_type(**t).capacity > 0;
                let buffered = channel.types.iter().filter(|t| with_room(self, t)).count();
                if buffered == channel.types.len() {
                    self.test_room(&channel, to.yes, to.no);
                    return;
                }
                let meets = self.block();
                if buffered > 0 {
                    let holds = self.block();
                    let capacity = self.channel_capacity(&channel);
                    self.branch(capacity, holds, meets);
                    self.enter(holds);
                    self.test_room(&channel, to.yes, to.no);
                } else {
                    self.go(meets);
                }
                self.enter(meets);
                self.test_meeting(branch, &channel, args, to);
            }
            ActionKind::Receive { channel: c, copy: false, random, fields } => {
                // As in Spin, where there is nothing but rendezvous a receive that names no channel waits.
                let missing = self.unit.facts.only_rendezvous.then_some(to.no);
                let channel = self.channel_or(c, missing);
                // A rendezvous is offered by the sender, and between two steps its channel is empty.
                self.find_message(&channel, *random, fields, to.yes, to.no);
            }
            _ => self.executable(kind, to.yes, to.no),
        }
    }

    /// Could a statement be executed, a rendezvous aside?
    pub fn executable(&mut self, kind: &ActionKind, yes: Block, no: Block) {
        match kind {
            ActionKind::Guard(e) => self.condition(e, yes, no),
            ActionKind::Send(c, ..) => {
                let channel = self.channel(c);
                self.test_room(&channel, yes, no);
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
                let count = self.register(I32, field::PROCESS_COUNT);
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
            ActionKind::Skip
            | ActionKind::Else
            | ActionKind::Assign(..)
            | ActionKind::Assert(_)
            | ActionKind::Print(..)
            | ActionKind::PrintSymbol(..)
            | ActionKind::SetPriority(..) => self.go(yes),
        }
    }

    fn test_room(&mut self, channel: &Channel, yes: Block, no: Block) {
        if self.unit.facts.message_loss {
            self.go(yes);
            return;
        }
        let (len, slots) = (self.channel_len(channel), self.channel_slots(channel));
        let room = self.test(IntCC::UnsignedLessThan, len, slots);
        self.branch(room, yes, no);
    }

    /// Looks for who could receive what a branch sends on a rendezvous channel.
    fn test_meeting(&mut self, branch: u16, channel: &Channel, args: &[Expr], to: Targets) {
        self.meeting_met = true;
        let (me, timeout) = (self.me(), self.timeout());
        if self.unit.facts.foreign_offers {
            let branch = self.int(i32::from(branch));
            let found = self.host(HostFunction::Offer, &[me, branch, timeout], Some(I32)).expect("a result");
            let some = self.block();
            self.branch(found, some, to.no);
            self.enter(some);
            let alone = self.test_int(IntCC::Equal, found, 1);
            self.branch(alone, to.yes, to.meet);
            return;
        }
        let values: Vec<_> = args.iter().map(|a| self.value(a)).collect();
        let meeting: Vec<_> = channel.types.iter().copied().filter(|t| self.channel_type(*t).capacity == 0).collect();
        let asked = self.block();
        let narrowed = Channel { types: meeting, ..channel.clone() };
        self.each_type(&narrowed, |emit, _, ty| {
            let fields = &emit.channel_type(ty).fields;
            if fields.len() != values.len() {
                // A fault: taking the branch reports it.
                emit.fault(crate::run::code::FIELD_COUNT, None);
                return;
            }
            let message = emit.register(cranelift_codegen::ir::types::I64, field::MESSAGE);
            for (i, (scalar, value)) in fields.iter().zip(&values).enumerate() {
                let kept = emit.truncate(*scalar, *value);
                emit.b.ins().store(cranelift_codegen::ir::MemFlagsData::trusted(), kept, message, 4 * i as i32);
            }
            emit.set_register_int(field::MESSAGE_LEN, fields.len() as i32);
            emit.go(asked);
        });
        self.enter(asked);
        let before = self.register(I32, field::MOVES_LEN);
        let sender = self.b.ins().iadd_imm_s(me, i64::from(branch) << 16);
        let number = self.wide(channel.value);
        let high = self.b.ins().ishl_imm_s(number, 32);
        let low = self.wide(sender);
        let rest = self.b.ins().bor(high, low);
        self.call(Function::Receivers, me, timeout, rest);
        let after = self.register(I32, field::MOVES_LEN);
        let more = self.test(IntCC::UnsignedGreaterThan, after, before);
        self.branch(more, to.meet, to.no);
    }
}
