//! A step of a walk by all-children: every possible move is listed, and one of them is taken.

use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use super::emit::Emit;
use super::host::HostFunction;
use super::unit::Function;
use super::walk::Stepped;
use crate::run::field;

impl Emit<'_, '_, '_> {
    /// Takes one of all moves, where there is one.
    pub fn all_children(&mut self, timeout: Value, Stepped { moved, none, .. }: Stepped) {
        let (all, listed, draw) = (self.block(), self.block(), self.block());
        self.set_register_int(field::MOVES_LEN, 0);
        if self.unit.facts.has_atomic {
            let (held, holder) = (self.block(), self.register(I32, field::EXCLUSIVE));
            self.branch(holder, held, all);
            self.enter(held);
            let process = self.b.ins().iadd_imm_s(holder, -1);
            let no = self.int(0);
            let asked = self.block();
            self.list_of(process, no, asked);
            self.enter(asked);
            let found = self.register(I32, field::MOVES_LEN);
            self.branch(found, draw, all);
        } else {
            self.go(all);
        }
        self.enter(all);
        self.list_all(timeout, listed);
        self.enter(listed);
        let found = self.register(I32, field::MOVES_LEN);
        self.branch(found, draw, none);
        self.enter(draw);
        self.count_moves();
        self.take_move(timeout, moved);
    }

    /// Lists what all processes can do, from the youngest to the oldest.
    fn list_all(&mut self, timeout: Value, done: Block) {
        let (head, body, next) = (self.block(), self.block(), self.block());
        let left = self.b.append_block_param(head, I32);
        let count = self.register(I32, field::PROCESS_COUNT);
        self.go_with(head, count);
        self.enter(head);
        self.branch(left, body, done);
        self.enter(body);
        let process = self.b.ins().iadd_imm_s(left, -1);
        self.list_of(process, timeout, next);
        self.enter(next);
        self.go_with(head, process);
    }

    fn list_of(&mut self, process: Value, timeout: Value, done: Block) {
        let types = self.types(|_| true);
        let rest = self.long(0);
        self.by_process_type(process, &types, done, |emit, ty| {
            emit.call(Function::List(ty), process, timeout, rest);
            emit.go(done);
        });
    }

    /// Each move was tried.
    fn count_moves(&mut self) {
        let (tries, count) = (self.register(I64, field::TRIES), self.register(I32, field::MOVES_LEN));
        let count = self.wide(count);
        let more = self.b.ins().iadd(tries, count);
        self.set_register(field::TRIES, more);
    }

    /// Takes one of the moves found. A rendezvous is two steps long.
    fn take_move(&mut self, timeout: Value, moved: Block) {
        let packed = self.draw_move();
        let low = self.b.ins().ireduce(I32, packed);
        let process = self.b.ins().band_imm_s(low, 0xffff);
        let model = self.unit.facts.model;
        if model.channel_types.iter().any(|c| c.capacity == 0) {
            let partner = self.b.ins().ushr_imm_s(packed, 32);
            let (alone, meets) = (self.block(), self.block());
            self.branch(partner, meets, alone);
            self.enter(meets);
            self.lengthen();
            self.call(Function::HandOver, process, timeout, packed);
            self.go(moved);
            self.enter(alone);
        }
        if model.process_types.iter().any(|p| p.deterministic) {
            // The interpreter watches processes that claim to be deterministic.
            self.host(HostFunction::Apply, &[packed, timeout], None);
            self.go(moved);
            return;
        }
        let branch = self.b.ins().ushr_imm_s(low, 16);
        let branch = self.wide(branch);
        let types = self.types(|_| true);
        self.by_process_type(process, &types, moved, |emit, ty| {
            emit.call(Function::Apply(ty), process, timeout, branch);
            emit.go(moved);
        });
    }
}
