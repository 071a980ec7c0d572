//! What processes can do: lists of moves, and whether there is any.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use lurcher_ir::{Location, ProcessTypeId, ReceiveField};

use super::emit::{Emit, OnFault};
use super::host::HostFunction;
use super::test::Targets;
use super::unit::Function;
use crate::facts::{answering_receive, is_else};
use crate::run::field;

impl<'m> Emit<'_, '_, 'm> {
    /// Goes on when the process may run at all, and otherwise to a block.
    pub fn may_run(&mut self, not: Block) {
        if self.unit.facts.model.uses_priorities {
            let (me, timeout) = (self.me(), self.timeout());
            let may = self.host(HostFunction::MayRun, &[me, timeout], Some(I32)).expect("a result");
            let next = self.block();
            self.branch(may, next, not);
            self.enter(next);
        } else {
            self.provided(not);
        }
    }

    fn provided(&mut self, not: Block) {
        if let Some(provided) = &self.ty().provided {
            let next = self.block();
            // A clause that cannot be computed does not forbid anything.
            self.on_fault = OnFault::Go(next);
            // Nor does it know of timeouts.
            let timeout = self.timeout.take();
            self.condition(provided, next, not);
            self.timeout = timeout;
            self.enter(next);
        }
    }

    /// Writes code for every location that has branches; control is in the location's block.
    pub fn each_location(&mut self, default: Block, mut write: impl FnMut(&mut Self, usize, &'m Location)) {
        let frame = self.frame();
        let here = self.word(frame, 2);
        let busy: Vec<(usize, &'m Location)> =
            self.ty().locations.iter().enumerate().filter(|(_, l)| !l.branches.is_empty()).collect();
        let cases: Vec<(u32, Block)> = busy.iter().map(|(i, _)| (*i as u32, self.block())).collect();
        self.dispatch(here, &cases, default);
        for ((index, location), (_, block)) in busy.into_iter().zip(cases) {
            self.enter(block);
            write(self, index, location);
        }
    }

    /// Adds a move of this process alone.
    fn push(&mut self, branch: u16) {
        let me = self.me();
        let me = self.wide(me);
        let packed = self.b.ins().bor_imm_s(me, i64::from(branch) << 16);
        self.push_packed(packed);
    }

    fn push_packed(&mut self, packed: Value) {
        let len = self.register(I32, field::MOVES_LEN);
        let capacity = self.register(I32, field::MOVES_CAPACITY);
        let (grow, room) = (self.cold_block(), self.block());
        let full = self.test(IntCC::Equal, len, capacity);
        self.branch(full, grow, room);
        self.enter(grow);
        self.host(HostFunction::Grow, &[], None);
        self.go(room);
        self.enter(room);
        let moves = self.register(I64, field::MOVES);
        let at = self.element(moves, len, 8);
        self.b.ins().store(MemFlagsData::trusted(), packed, at, 0);
        let more = self.b.ins().iadd_imm_s(len, 1);
        self.set_register(field::MOVES_LEN, more);
    }

    /// Lists what a process can do.
    pub fn write_list(&mut self, ty: ProcessTypeId) {
        self.about(ty);
        let over = self.block();
        self.may_run(over);
        self.each_location(over, |emit, _, location| {
            let first = emit.register(I32, field::MOVES_LEN);
            // The escape that a branch was possible in, where one was.
            let escape = location.branches.iter().any(|b| b.escape > 0).then(|| emit.b.declare_var(I32));
            if let Some(escape) = escape {
                let none = emit.int(0);
                emit.b.def_var(escape, none);
            }
            for (index, branch) in location.branches.iter().enumerate() {
                if let Some(escape) = escape {
                    emit.leave_other_escapes(escape, branch.escape, over);
                }
                let kind = &emit.ty().action(branch.action).kind;
                let (yes, moved, next) = (emit.block(), emit.block(), emit.block());
                if is_else(kind) {
                    let len = emit.register(I32, field::MOVES_LEN);
                    let nothing = emit.test(IntCC::Equal, len, first);
                    emit.branch(nothing, yes, next);
                } else {
                    emit.on_fault = OnFault::Go(yes);
                    emit.test_branch(index as u16, kind, Targets { yes, meet: moved, no: next });
                }
                emit.enter(yes);
                emit.push(index as u16);
                emit.go(moved);
                emit.enter(moved);
                if let Some(escape) = escape {
                    let mine = emit.int(i32::from(branch.escape));
                    emit.b.def_var(escape, mine);
                }
                emit.go(next);
                emit.enter(next);
            }
            emit.go(over);
        });
        self.enter(over);
        self.return_int(0);
    }

    /// Leaves to a block when a branch of another escape was possible.
    fn leave_other_escapes(&mut self, escape: cranelift_frontend::Variable, mine: u16, over: Block) {
        let now = self.b.use_var(escape);
        let some = self.test_int(IntCC::NotEqual, now, 0);
        let other = self.test_int(IntCC::NotEqual, now, i32::from(mine));
        let hidden = self.b.ins().band(some, other);
        self.leave_if(hidden, over);
    }

    /// Can a process do anything? `else` always can, because it can when nothing else is possible.
    pub fn write_any(&mut self, ty: ProcessTypeId) {
        self.about(ty);
        let (yes, no) = (self.block(), self.block());
        let before = self.register(I32, field::MOVES_LEN);
        self.may_run(no);
        self.each_location(no, |emit, _, location| {
            emit.on_fault = OnFault::Go(yes);
            for (index, branch) in location.branches.iter().enumerate() {
                let kind = &emit.ty().action(branch.action).kind;
                let next = emit.block();
                emit.test_branch(index as u16, kind, Targets::simple(yes, next));
                emit.enter(next);
            }
            emit.go(no);
        });
        for (block, answer) in [(yes, 1), (no, 0)] {
            self.enter(block);
            // Whoever was found to answer a rendezvous is no news.
            self.set_register(field::MOVES_LEN, before);
            self.return_int(answer);
        }
    }

    /// Lists by which branches a process could answer a rendezvous.
    pub fn write_accept(&mut self, ty: ProcessTypeId) {
        self.about(ty);
        let over = self.block();
        self.provided(over);
        let rest = self.param(3);
        let sent_on = self.b.ins().ushr_imm_s(rest, 32);
        let sent_on = self.b.ins().ireduce(I32, sent_on);
        let sender = self.b.ins().band_imm_s(rest, 0xffff_ffff);
        self.each_location(over, |emit, _, location| {
            let escape = location.branches.iter().any(|b| b.escape > 0).then(|| emit.b.declare_var(I32));
            if let Some(escape) = escape {
                let none = emit.int(0);
                emit.b.def_var(escape, none);
            }
            for (index, branch) in location.branches.iter().enumerate() {
                if let Some(escape) = escape {
                    emit.leave_other_escapes(escape, branch.escape, over);
                }
                let Some(receive) = answering_receive(&emit.ty().action(branch.action).kind) else { continue };
                let next = emit.block();
                emit.accepts(receive, sent_on, next);
                let me = emit.me();
                let me = emit.wide(me);
                let me = emit.b.ins().iadd_imm_s(me, 1 + (i64::from(index as u16) << 16));
                let high = emit.b.ins().ishl_imm_s(me, 32);
                let packed = emit.b.ins().bor(high, sender);
                emit.push_packed(packed);
                if let Some(escape) = escape {
                    let mine = emit.int(i32::from(branch.escape));
                    emit.b.def_var(escape, mine);
                }
                emit.go(next);
                emit.enter(next);
            }
            emit.go(over);
        });
        self.enter(over);
        self.return_int(0);
    }

    /// Goes on when a receive would take the message that is under way, and otherwise to a block.
    fn accepts(&mut self, receive: &lurcher_ir::ActionKind, sent_on: Value, not: Block) {
        let lurcher_ir::ActionKind::Receive { channel, fields, .. } = receive else {
            unreachable!("only receives answer")
        };
        self.on_fault = OnFault::Go(not);
        let channel = self.channel(channel);
        let other = self.test(IntCC::NotEqual, channel.value, sent_on);
        self.leave_if(other, not);
        for (i, wanted) in fields.iter().enumerate() {
            let (ReceiveField::Match(e) | ReceiveField::Eval(e)) = wanted else { continue };
            // A field that cannot be computed is met when the message is taken.
            let next = self.block();
            self.on_fault = OnFault::Go(next);
            let expected = self.value(e);
            let len = self.register(I32, field::MESSAGE_LEN);
            let short = self.test_int(IntCC::UnsignedLessThanOrEqual, len, i as i32);
            self.leave_if(short, not);
            let message = self.register(I64, field::MESSAGE);
            let value = self.b.ins().load(I32, MemFlagsData::trusted(), message, 4 * i as i32);
            let equal = self.test(IntCC::Equal, expected, value);
            self.branch(equal, next, not);
            self.enter(next);
        }
    }

    /// Lists who could answer a rendezvous, from the youngest process to the oldest.
    pub fn write_receivers(&mut self) {
        let (sender, timeout, rest) = (self.param(1), self.param(2), self.param(3));
        self.reload();
        let answering: Vec<ProcessTypeId> =
            self.types(|p| p.actions.iter().any(|a| answering_receive(&a.kind).is_some()));
        let (head, body, done) = (self.block(), self.block(), self.block());
        let left = self.b.append_block_param(head, I32);
        let count = self.register(I32, field::PROCESS_COUNT);
        self.go_with(head, count);
        self.enter(head);
        self.branch(left, body, done);
        self.enter(body);
        let process = self.b.ins().iadd_imm_s(left, -1);
        let next = self.block();
        let itself = self.test(IntCC::Equal, process, sender);
        self.leave_if(itself, next);
        self.by_process_type(process, &answering, next, |emit, ty| {
            emit.call(Function::Accept(ty), process, timeout, rest);
            emit.go(next);
        });
        self.enter(next);
        self.go_with(head, process);
        self.enter(done);
        self.return_int(0);
    }

    /// Process types that run and satisfy a test.
    pub fn types(&self, test: impl Fn(&lurcher_ir::ProcessType) -> bool) -> Vec<ProcessTypeId> {
        let types = self.unit.facts.model.process_types.iter().enumerate();
        let running = types.filter(|(_, p)| p.role == lurcher_ir::ProcessRole::System && test(p));
        running.map(|(i, _)| ProcessTypeId(i as u16)).collect()
    }

    /// Writes code for each of these types; control is there when a process is of the type, else in the default block.
    pub fn by_process_type(
        &mut self,
        process: Value,
        types: &[ProcessTypeId],
        default: Block,
        mut write: impl FnMut(&mut Self, ProcessTypeId),
    ) {
        let frame = self.frame_of(process);
        let kind = self.word(frame, 0);
        let cases: Vec<(u32, Block)> = types.iter().map(|ty| (u32::from(ty.0), self.block())).collect();
        self.dispatch(kind, &cases, default);
        for (ty, (_, block)) in types.iter().zip(cases) {
            self.enter(block);
            write(self, *ty);
        }
    }
}
