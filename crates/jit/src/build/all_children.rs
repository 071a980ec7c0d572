//! A walk step by all-children: lists all enabled moves and executes a random one.

use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use super::emit::Emit;
use super::unit::Function;
use super::walk::StepTargets;
use crate::boundary;
use crate::run::field;

impl Emit<'_, '_, '_> {
    /// Executes a random move, if there is one.
    pub fn all_children(&mut self, timeout: Value, StepTargets { moved, none, .. }: StepTargets) {
        let (all, listed, draw) = (self.block(), self.block(), self.block());
        self.set_register_int(field!(moves_len), 0);
        if self.unit.facts.has_atomic {
            let (held, holder) = (self.block(), self.register(I32, field!(exclusive)));
            self.branch(holder, held, all);
            self.enter(held);
            let process = self.b.ins().iadd_imm_s(holder, -1);
            let no = self.int(0);
            let asked = self.block();
            self.list_of(process, no, asked);
            self.enter(asked);
            let found = self.register(I32, field!(moves_len));
            self.branch(found, draw, all);
        } else {
            self.go(all);
        }
        self.enter(all);
        self.each_process(listed, |emit, process, next| emit.list_of(process, timeout, next));
        self.enter(listed);
        let found = self.register(I32, field!(moves_len));
        self.branch(found, draw, none);
        self.enter(draw);
        self.count_moves();
        self.take_move(timeout, moved);
    }

    fn list_of(&mut self, process: Value, timeout: Value, done: Block) {
        let types = self.types(|_| true);
        let rest = self.long(0);
        self.by_process_type(process, &types, done, |emit, ty| {
            emit.call(Function::ListMoves(ty), process, timeout, rest);
            emit.go(done);
        });
    }

    /// Counts each move as a try.
    fn count_moves(&mut self) {
        let (tries, count) = (self.register(I64, field!(tries)), self.register(I32, field!(moves_len)));
        let count = self.wide(count);
        let more = self.b.ins().iadd(tries, count);
        self.set_register(field!(tries), more);
    }

    /// Executes one of the moves found. A rendezvous has length two.
    fn take_move(&mut self, timeout: Value, moved: Block) {
        let packed = self.draw_move();
        let low = self.b.ins().ireduce(I32, packed);
        let process = self.b.ins().band_imm_s(low, 0xffff);
        let model = self.unit.facts.model;
        if model.has_rendezvous() {
            let partner = self.b.ins().ushr_imm_s(packed, 32);
            let (alone, rendezvous) = (self.block(), self.block());
            self.branch(partner, rendezvous, alone);
            self.enter(rendezvous);
            self.count_rendezvous();
            self.call(Function::Rendezvous, process, timeout, packed);
            self.go(moved);
            self.enter(alone);
        }
        if model.process_types.iter().any(|p| p.deterministic) {
            // The interpreter checks processes that are declared deterministic.
            self.host(boundary::apply as *const (), &[packed, timeout]);
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
