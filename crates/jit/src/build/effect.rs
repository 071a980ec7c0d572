//! Effects of statements.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use lurcher_ir::{ActionKind, Expr, Frame, Place, ReceiveField};
use lurcher_syntax::Span;

use super::emit::Emit;
use crate::boundary;
use crate::facts::never_faults;
use crate::run::{code, field};

/// What is known about a statement before it is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Its test succeeded without a fault.
    Enabled,
    /// Nothing.
    Nothing,
}

impl Emit<'_, '_, '_> {
    /// Executes a statement and continues after it. On a fault, reports it and jumps to `fatal`.
    pub fn execute(&mut self, kind: &ActionKind, span: Span, known: Known, fatal: Block) {
        let place = self.report_faults(span, fatal);
        match kind {
            ActionKind::Skip | ActionKind::Else | ActionKind::Event { .. } => {}
            ActionKind::Guard(e) if known == Known::Enabled && e.created().is_none() => {}
            ActionKind::Guard(e) => {
                self.value_creating(e, place, fatal, false);
            }
            ActionKind::Assign(target, _) if matches!(target.frame, Frame::Process(..)) => {
                self.perform(kind, place, fatal);
            }
            ActionKind::Assign(target, e) => {
                let value = self.value_creating(e, place, fatal, true).expect("a wanted value");
                let (base, offset) = self.address(target).expect("not a place of another process");
                self.store(target.scalar, value, base, offset);
            }
            ActionKind::Assert(e) => self.assert(e, place),
            ActionKind::Print(_, args) => args.iter().for_each(|a| self.value_for_faults(a)),
            ActionKind::PrintSymbol(e, _) => self.value_for_faults(e),
            ActionKind::Send(c, sorted, args) => {
                if *sorted || self.unit.facts.model.event_trace.is_some() {
                    self.perform(kind, place, fatal);
                } else {
                    self.send(kind, c, args, place, known, fatal);
                }
            }
            ActionKind::Receive { channel, random, copy, fields } => {
                if self.unit.facts.model.event_trace.is_some() {
                    self.perform(kind, place, fatal);
                } else {
                    self.receive(kind, channel, *random, *copy, fields, place, known, fatal);
                }
            }
            ActionKind::SetPriority(..) => self.perform(kind, place, fatal),
            ActionKind::DStep(sequence) => self.d_step(sequence, span, fatal),
            ActionKind::End => {
                self.host(boundary::end as *const (), &[]);
            }
        }
    }

    /// Executes a statement in the interpreter.
    fn perform(&mut self, kind: &ActionKind, span: u32, fatal: Block) {
        self.may_violate = true;
        let address = self.long(std::ptr::from_ref(kind) as i64);
        let (span, me, timeout) = (self.int(span as i32), self.me(), self.timeout());
        let over = self.host_value(boundary::perform as *const (), &[address, span, me, timeout], I32);
        self.leave_if(over, fatal);
        self.reload();
    }

    fn value_for_faults(&mut self, expr: &Expr) {
        if !never_faults(expr) {
            self.value(expr);
        }
    }

    /// The value of an expression, after its `run` has created a process.
    fn value_creating(&mut self, expr: &Expr, span: u32, fatal: Block, wanted: bool) -> Option<Value> {
        let Some((ty, args, priority)) = expr.created() else {
            if wanted {
                return Some(self.value(expr));
            }
            self.value_for_faults(expr);
            return None;
        };
        self.may_violate = true;
        let values: Vec<Value> = args.iter().map(|a| self.value(a)).collect();
        let buffer = self.register(I64, field!(message));
        for (i, value) in values.iter().enumerate() {
            self.b.ins().store(MemFlagsData::trusted(), *value, buffer, 4 * i as i32);
        }
        let numbers = [i32::from(ty.0), values.len() as i32, i32::from(priority), span as i32];
        let numbers = numbers.map(|n| self.int(n));
        let created = self.host_value(boundary::create as *const (), &numbers, I32);
        let failed = self.test_int(IntCC::SignedLessThan, created, 0);
        self.leave_if(failed, fatal);
        self.reload();
        self.created = Some(created);
        let value = self.value(expr);
        self.created = None;
        Some(value)
    }

    fn assert(&mut self, expr: &Expr, span: u32) {
        self.may_violate = true;
        let (holds, fails, first) = (self.block(), self.cold_block(), self.cold_block());
        self.condition(expr, holds, fails);
        self.enter(fails);
        let known = self.register(I32, field!(violation));
        self.branch(known, holds, first);
        self.enter(first);
        self.set_register_int(field!(violation), code::ASSERTION as i32);
        self.set_register_int(field!(fatal), 0);
        self.set_register_int(field!(span), span as i32);
        self.go(holds);
        self.enter(holds);
    }

    fn send(&mut self, kind: &ActionKind, c: &Expr, args: &[Expr], span: u32, known: Known, fatal: Block) {
        let channel = self.channel(c);
        let values: Vec<Value> = args.iter().map(|a| self.value(a)).collect();
        let done = self.block();
        if known == Known::Nothing || self.unit.facts.message_loss {
            // The message is lost if the channel is full.
            let (len, slots) = (self.channel_len(&channel), self.channel_slots(&channel));
            let full = self.test(IntCC::UnsignedGreaterThanOrEqual, len, slots);
            self.leave_if(full, done);
        }
        self.each_type(&channel, |emit, channel, ty| {
            if emit.channel_type(ty).fields.len() == values.len() {
                emit.append_message(channel, ty, &values);
            } else {
                emit.perform(kind, span, fatal);
            }
            emit.go(done);
        });
        self.enter(done);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a receive statement")]
    fn receive(
        &mut self,
        kind: &ActionKind,
        c: &Expr,
        random: bool,
        copy: bool,
        fields: &[ReceiveField],
        span: u32,
        known: Known,
        fatal: Block,
    ) {
        let channel = self.channel(c);
        let (done, blocked) = (self.block(), self.cold_block());
        self.each_type(&channel, |emit, channel, ty| {
            let remote = |p: &Place| matches!(p.frame, Frame::Process(..));
            let mut stored = fields.iter().filter_map(ReceiveField::stored);
            if emit.channel_type(ty).fields.len() != fields.len() || stored.any(remote) {
                emit.perform(kind, span, fatal);
                emit.go(done);
                return;
            }
            let slot = if known == Known::Enabled && !random {
                emit.int(0)
            } else {
                let found = emit.block();
                let slot = emit.b.append_block_param(found, I32);
                emit.find_slot(channel, ty, random, fields, found, blocked);
                emit.enter(found);
                slot
            };
            let at = emit.message_at(channel, ty, slot);
            let mut offset = 0;
            let mut taken = Vec::new();
            for (field, scalar) in fields.iter().zip(&emit.channel_type(ty).fields) {
                if let Some(place) = field.stored() {
                    taken.push((place, emit.load(*scalar, at, offset)));
                }
                offset += scalar.size() as i32;
            }
            for (place, value) in taken {
                let (base, offset) = emit.address(place).expect("not a place of another process");
                emit.store(place.scalar, value, base, offset);
            }
            if !copy {
                emit.remove_message(channel, ty, random.then_some(slot));
            }
            emit.go(done);
        });
        self.enter(blocked);
        self.fault(code::BLOCKED_IN_D_STEP, None);
        self.enter(done);
    }
}
