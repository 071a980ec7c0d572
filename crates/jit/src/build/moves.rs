//! Enabled moves and rendezvous receivers of processes.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use lurcher_ir::{Branch, Expr, Location, ProcessTypeId, ReceiveField};

use super::emit::{Emit, OnFault};
use super::executability::Targets;
use super::unit::Function;
use crate::boundary;
use crate::run::field;

impl<'m> Emit<'_, '_, 'm> {
    /// Continues if the process may run, and jumps to a block otherwise.
    pub fn may_run(&mut self, not: Block) {
        if self.unit.facts.model.uses_priorities {
            let (me, timeout) = (self.me(), self.timeout());
            let may = self.host_value(boundary::may_run as *const (), &[me, timeout], I32);
            self.leave_unless(may, not);
        } else {
            self.provided(not);
        }
    }

    fn provided(&mut self, not: Block) {
        if let Some(provided) = &self.ty().provided {
            let next = self.block();
            // A clause that faults counts as true.
            self.on_fault = OnFault::Jump(next);
            // The clause does not see timeouts.
            let timeout = self.timeout.take();
            self.condition(provided, next, not);
            self.timeout = timeout;
            self.enter(next);
        }
    }

    /// Dispatches on the location of the process: `write` emits the code of each location that has branches.
    pub fn each_location(&mut self, default: Block, write: impl FnMut(&mut Self, &'m Location)) {
        let frame = self.frame();
        let here = self.word(frame, 2);
        let busy = (0..).zip(&self.ty().locations).filter(|(_, l)| !l.branches.is_empty()).collect();
        self.dispatch_each(here, busy, default, write);
    }

    /// The move of the current process by a branch.
    pub fn own_move(&mut self, branch: u16) -> Value {
        let me = self.me();
        let me = self.wide(me);
        self.b.ins().bor_imm_s(me, i64::from(branch) << 16)
    }

    /// Adds a move.
    fn push(&mut self, packed: Value) {
        let len = self.register(I32, field!(moves_len));
        let capacity = self.register(I32, field!(moves_capacity));
        let (grow, room) = (self.cold_block(), self.block());
        let full = self.test(IntCC::Equal, len, capacity);
        self.branch(full, grow, room);
        self.enter(grow);
        self.host(boundary::grow as *const (), &[]);
        self.go(room);
        self.enter(room);
        let moves = self.register(I64, field!(moves));
        let at = self.element(moves, len, 8);
        self.b.ins().store(MemFlagsData::trusted(), packed, at, 0);
        let more = self.b.ins().iadd_imm_s(len, 1);
        self.set_register(field!(moves_len), more);
    }

    /// Emits [`Function::ListMoves`].
    pub fn write_list_moves(&mut self, ty: ProcessTypeId) {
        self.for_type(ty);
        let over = self.block();
        self.may_run(over);
        self.each_location(over, |emit, location| {
            let first = emit.register(I32, field!(moves_len));
            emit.each_branch(location, over, |emit, index, branch| {
                let kind = &emit.ty().action(branch.action).kind;
                let (yes, moved, next) = (emit.block(), emit.block(), emit.block());
                if kind.is_else() {
                    let len = emit.register(I32, field!(moves_len));
                    let nothing = emit.test(IntCC::Equal, len, first);
                    emit.branch(nothing, yes, next);
                } else {
                    emit.on_fault = OnFault::Jump(yes);
                    emit.branch_enabled(index as u16, kind, Targets { yes, rendezvous: moved, no: next });
                }
                emit.enter(yes);
                let packed = emit.own_move(index as u16);
                emit.push(packed);
                emit.go(moved);
                emit.enter(moved);
                Some(next)
            });
        });
        self.enter(over);
        self.return_int(0);
    }

    /// Emits the branches of a location, and jumps to `over` after the last one and before one that an enabled escape
    /// preempts. `write` continues where its branch is enabled, and returns the block for a disabled branch; `None` if the
    /// branch is never enabled.
    fn each_branch(
        &mut self,
        location: &'m Location,
        over: Block,
        mut write: impl FnMut(&mut Self, usize, &'m Branch) -> Option<Block>,
    ) {
        let escape = location.branches.iter().any(|b| b.escape > 0).then(|| self.b.declare_var(I32));
        if let Some(escape) = escape {
            let none = self.int(0);
            self.b.def_var(escape, none);
        }
        for (index, branch) in location.branches.iter().enumerate() {
            if let Some(escape) = escape {
                let now = self.b.use_var(escape);
                let some = self.test_int(IntCC::NotEqual, now, 0);
                let other = self.test_int(IntCC::NotEqual, now, i32::from(branch.escape));
                let preempted = self.b.ins().band(some, other);
                self.leave_if(preempted, over);
            }
            let Some(next) = write(self, index, branch) else { continue };
            if let Some(escape) = escape {
                let mine = self.int(i32::from(branch.escape));
                self.b.def_var(escape, mine);
            }
            self.go(next);
            self.enter(next);
        }
        self.go(over);
    }

    /// Emits [`Function::AnyEnabled`]. `else` counts as enabled: if nothing else is, it is.
    pub fn write_any_enabled(&mut self, ty: ProcessTypeId) {
        self.for_type(ty);
        let (yes, no) = (self.block(), self.block());
        let before = self.register(I32, field!(moves_len));
        self.may_run(no);
        self.each_location(no, |emit, location| {
            emit.on_fault = OnFault::Jump(yes);
            for (index, branch) in location.branches.iter().enumerate() {
                let kind = &emit.ty().action(branch.action).kind;
                let next = emit.block();
                emit.branch_enabled(index as u16, kind, Targets::simple(yes, next));
                emit.enter(next);
            }
            emit.go(no);
        });
        for (block, answer) in [(yes, 1), (no, 0)] {
            self.enter(block);
            // Discards the receivers found.
            self.set_register(field!(moves_len), before);
            self.return_int(answer);
        }
    }

    /// Emits [`Function::ListReceives`].
    pub fn write_list_receives(&mut self, ty: ProcessTypeId) {
        self.for_type(ty);
        let over = self.block();
        self.provided(over);
        let rest = self.param(3);
        let sent_on = self.b.ins().ushr_imm_s(rest, 32);
        let sent_on = self.b.ins().ireduce(I32, sent_on);
        let sender = self.b.ins().band_imm_s(rest, 0xffff_ffff);
        self.each_location(over, |emit, location| {
            emit.each_branch(location, over, |emit, index, branch| {
                let (channel, fields) = emit.ty().action(branch.action).kind.rendezvous_receive()?;
                let next = emit.block();
                emit.accepts(channel, fields, sent_on, next);
                let me = emit.me();
                let me = emit.wide(me);
                let me = emit.b.ins().iadd_imm_s(me, 1 + (i64::from(index as u16) << 16));
                let high = emit.b.ins().ishl_imm_s(me, 32);
                let packed = emit.b.ins().bor(high, sender);
                emit.push(packed);
                Some(next)
            });
        });
        self.enter(over);
        self.return_int(0);
    }

    /// Continues if a receive accepts the current message, and jumps to a block otherwise.
    fn accepts(&mut self, channel: &Expr, fields: &[ReceiveField], sent_on: Value, not: Block) {
        self.on_fault = OnFault::Jump(not);
        let channel = self.channel(channel);
        let other = self.test(IntCC::NotEqual, channel.value, sent_on);
        self.leave_if(other, not);
        for (i, wanted) in fields.iter().enumerate() {
            let Some(e) = wanted.pattern() else { continue };
            // A field that faults counts as matching; the fault is reported on execution.
            let next = self.block();
            self.on_fault = OnFault::Jump(next);
            let expected = self.value(e);
            let len = self.register(I32, field!(message_len));
            let short = self.test_int(IntCC::UnsignedLessThanOrEqual, len, i as i32);
            self.leave_if(short, not);
            let message = self.register(I64, field!(message));
            let value = self.b.ins().load(I32, MemFlagsData::trusted(), message, 4 * i as i32);
            let equal = self.test(IntCC::Equal, expected, value);
            self.branch(equal, next, not);
            self.enter(next);
        }
    }

    /// Emits [`Function::Receivers`].
    pub fn write_receivers(&mut self) {
        let (sender, timeout, rest) = (self.param(1), self.param(2), self.param(3));
        self.reload();
        let answering: Vec<ProcessTypeId> =
            self.types(|p| p.actions.iter().any(|a| a.kind.rendezvous_receive().is_some()));
        let done = self.block();
        self.each_process(done, |emit, process, next| {
            let itself = emit.test(IntCC::Equal, process, sender);
            emit.leave_if(itself, next);
            emit.by_process_type(process, &answering, next, |emit, ty| {
                emit.call(Function::ListReceives(ty), process, timeout, rest);
                emit.go(next);
            });
        });
        self.enter(done);
        self.return_int(0);
    }

    /// Process types of the system that satisfy a test.
    pub fn types(&self, test: impl Fn(&lurcher_ir::ProcessType) -> bool) -> Vec<ProcessTypeId> {
        let types = self.unit.facts.model.process_types.iter().enumerate();
        let running = types.filter(|(_, p)| p.role == lurcher_ir::ProcessRole::System && test(p));
        running.map(|(i, _)| ProcessTypeId(i as u16)).collect()
    }

    /// Dispatches on the type of a process: `write` emits the code of each given type.
    pub fn by_process_type(
        &mut self,
        process: Value,
        types: &[ProcessTypeId],
        default: Block,
        write: impl FnMut(&mut Self, ProcessTypeId),
    ) {
        let frame = self.frame_of(process);
        let kind = self.word(frame, 0);
        self.dispatch_each(kind, types.iter().map(|ty| (u32::from(ty.0), *ty)).collect(), default, write);
    }
}
