//! Executing a branch: its statement, the next location, and exclusive control.

use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData};
use lurcher_ir::{ActionKind, Branch, LocationId, ProcessTypeId};

use super::effect::Known;
use super::emit::Emit;
use super::unit::Function;
use crate::boundary;
use crate::facts::always_possible;
use crate::run::{field, position};

impl Emit<'_, '_, '_> {
    /// Emits [`Function::Apply`].
    pub fn write_apply(&mut self, ty: ProcessTypeId) {
        self.for_type(ty);
        let (over, fatal) = (self.block(), self.block());
        let wanted = self.param(3);
        let wanted = self.b.ins().ireduce(I32, wanted);
        self.each_location(over, |emit, location| {
            emit.dispatch_each(wanted, (0..).zip(&location.branches).collect(), over, |emit, branch| {
                emit.take(branch, Known::Nothing, fatal);
                emit.go(over);
            });
        });
        for block in [fatal, over] {
            self.enter(block);
            self.return_int(0);
        }
    }

    /// Executes a branch and continues after it. On a fatal fault, reports it and jumps to `fatal`.
    pub fn take(&mut self, branch: &Branch, known: Known, fatal: Block) {
        let action = self.ty().action(branch.action);
        self.note_coverage(branch);
        self.execute(&action.kind, action.span, known, fatal);
        if let Some(at) = self.unit.facts.layout.last_at() {
            let (bytes, me) = (self.bytes(), self.me());
            self.set_word(bytes, at as i32, me);
        }
        if !matches!(action.kind, ActionKind::End) {
            let (frame, target) = (self.frame(), self.int(i32::from(branch.target.0)));
            self.set_word(frame, 2, target);
            self.note_positions(branch.target);
        }
        self.set_exclusive(branch);
    }

    /// Stores the new position of the process, for a walk.
    fn note_positions(&mut self, location: LocationId) {
        if self.unit.coverage && self.unit.facts.inline_steps() {
            let ty = self.process_type.expect("a function about a process");
            let number = self.int(position(self.unit.facts.type_bits, ty, location) as i32);
            let (all, me) = (self.register(I64, field!(positions)), self.me());
            let at = self.element(all, me, 4);
            self.b.ins().store(MemFlagsData::trusted(), number, at, 0);
        }
    }

    /// Records the execution of an action.
    pub fn note_coverage(&mut self, branch: &Branch) {
        if self.unit.coverage {
            let ty = self.process_type.expect("a function about a process");
            let number = self.unit.facts.first_action[ty.0 as usize] + branch.action.0;
            let (coverage, yes) = (self.register(I64, field!(coverage)), self.int(1));
            self.b.ins().istore8(MemFlagsData::trusted(), yes, coverage, number as i32);
        }
    }

    /// Updates exclusive control after a branch: a process that cannot move loses it.
    fn set_exclusive(&mut self, branch: &Branch) {
        if !self.unit.facts.has_atomic {
            return;
        }
        let ends = matches!(self.ty().action(branch.action).kind, ActionKind::End);
        if !branch.atomic || ends {
            self.set_register_int(field!(exclusive), 0);
            return;
        }
        let me = self.me();
        let holder = self.b.ins().iadd_imm_s(me, 1);
        if self.always_enabled_at(branch.target) {
            self.set_register(field!(exclusive), holder);
            return;
        }
        let ty = self.process_type.expect("a function about a process");
        let (no, rest) = (self.int(0), self.long(0));
        let able = self.call(Function::AnyEnabled(ty), me, no, rest);
        let holder = self.b.ins().select(able, holder, no);
        self.set_register(field!(exclusive), holder);
    }

    /// Whether a process can always move from a location.
    fn always_enabled_at(&self, location: LocationId) -> bool {
        let ty = self.ty();
        let free = ty.provided.is_none() && !self.unit.facts.model.uses_priorities;
        free && ty.location(location).branches.iter().any(|b| always_possible(&ty.action(b.action).kind))
    }

    /// Emits [`Function::Rendezvous`]: the send, then the receive.
    pub fn write_rendezvous(&mut self) {
        let (timeout, packed) = (self.param(2), self.param(3));
        let part = |emit: &mut Self, shift: i64| {
            let shifted = emit.b.ins().ushr_imm_s(packed, shift);
            let low = emit.b.ins().band_imm_s(shifted, 0xffff);
            emit.b.ins().ireduce(I32, low)
        };
        if self.unit.facts.interpreted_rendezvous {
            self.host(boundary::apply as *const (), &[packed, timeout]);
            self.return_int(0);
            return;
        }
        let (sender, receiver) = (part(self, 0), part(self, 32));
        let receiver = self.b.ins().iadd_imm_s(receiver, -1);
        let (sent, over) = (self.block(), self.block());
        let senders = self.types(|p| p.actions.iter().any(|a| matches!(a.kind, ActionKind::Send(..))));
        let branch = self.b.ins().ushr_imm_s(packed, 16);
        let branch = self.b.ins().band_imm_s(branch, 0xffff);
        self.by_process_type(sender, &senders, over, |emit, ty| {
            emit.call(Function::Apply(ty), sender, timeout, branch);
            emit.go(sent);
        });
        self.enter(sent);
        let (failed, done) = (self.cold_block(), self.block());
        let violation = self.register(I32, field!(violation));
        let fatal = self.register(I32, field!(fatal));
        let both = self.b.ins().imul(violation, fatal);
        self.branch(both, failed, done);
        self.enter(failed);
        self.set_register_int(field!(half), 1);
        self.go(over);
        self.enter(done);
        let receivers = self.types(|p| p.actions.iter().any(|a| a.kind.rendezvous_receive().is_some()));
        let answer = self.b.ins().ushr_imm_s(packed, 48);
        self.by_process_type(receiver, &receivers, over, |emit, ty| {
            emit.call(Function::Apply(ty), receiver, timeout, answer);
            emit.go(over);
        });
        self.enter(over);
        self.return_int(0);
    }

    /// Emits [`Function::Holds`]; a fault is reported.
    pub fn write_holds(&mut self, index: u32) {
        self.reload();
        let watched = self.unit.watched.clone();
        let (yes, no) = (self.block(), self.block());
        self.report_faults(lurcher_syntax::Span::default(), no);
        self.condition(&watched[index as usize], yes, no);
        for (block, answer) in [(yes, 1), (no, 0)] {
            self.enter(block);
            self.return_int(answer);
        }
    }
}
