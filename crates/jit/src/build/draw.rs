//! Random numbers and choices, by the rules that all walks follow (`search/walk/draws.rs`).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value};
use cranelift_frontend::Variable;

use super::emit::Emit;
use crate::kernel::MULTIPLIER;
use crate::run::field;

/// The branches that are left to be drawn: up to sixteen in the digits of one number, more of them in memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pool {
    Digits(Variable),
    Memory(Value),
}

impl Emit<'_, '_, '_> {
    /// The next 32 random bits.
    fn random(&mut self) -> Value {
        let state = self.register(I64, field::RANDOM_STATE);
        let increment = self.register(I64, field::RANDOM_INCREMENT);
        let multiplier = self.long(MULTIPLIER as i64);
        let product = self.b.ins().imul(state, multiplier);
        let next = self.b.ins().iadd(product, increment);
        self.set_register(field::RANDOM_STATE, next);
        let shifted = self.b.ins().ushr_imm_s(state, 18);
        let mixed = self.b.ins().bxor(shifted, state);
        let mixed = self.b.ins().ushr_imm_s(mixed, 27);
        let mixed = self.b.ins().ireduce(I32, mixed);
        let turn = self.b.ins().ushr_imm_s(state, 59);
        let turn = self.b.ins().ireduce(I32, turn);
        self.b.ins().rotr(mixed, turn)
    }

    /// A number below another one. Nothing is drawn when there is no choice.
    pub fn below(&mut self, bound: Value) -> Value {
        let (draw, join) = (self.block(), self.block());
        let result = self.b.append_block_param(join, I32);
        let zero = self.int(0);
        let choice = self.test_int(IntCC::UnsignedGreaterThan, bound, 1);
        let none = [cranelift_codegen::ir::BlockArg::Value(zero)];
        self.b.ins().brif(choice, draw, &[], join, &none);
        self.enter(draw);
        let drawn = self.random();
        let (drawn, bound) = (self.wide(drawn), self.wide(bound));
        let product = self.b.ins().imul(drawn, bound);
        let high = self.b.ins().ushr_imm_s(product, 32);
        let high = self.b.ins().ireduce(I32, high);
        self.go_with(join, high);
        self.enter(join);
        result
    }

    /// A full pool of branches.
    pub fn pool(&mut self, count: usize) -> Pool {
        if count <= 16 {
            let digits = self.b.declare_var(I64);
            let all = self.long(0xfedc_ba98_7654_3210_u64 as i64);
            self.b.def_var(digits, all);
            return Pool::Digits(digits);
        }
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 2 * count as u32, 1);
        let slot = self.b.create_sized_stack_slot(data);
        let at = self.b.ins().stack_addr(I64, slot, 0);
        for i in 0..count {
            let number = self.int(i as i32);
            self.b.ins().istore16(MemFlagsData::trusted(), number, at, 2 * i as i32);
        }
        Pool::Memory(at)
    }

    /// Takes the element at a position out of a pool with so many left; the last takes its place.
    pub fn take_out(&mut self, pool: Pool, at: Value, left: Value) -> Value {
        let last = self.b.ins().iadd_imm_s(left, -1);
        match pool {
            Pool::Digits(digits) => {
                let all = self.b.use_var(digits);
                let (at, last) = (self.b.ins().ishl_imm_s(at, 2), self.b.ins().ishl_imm_s(last, 2));
                let digit = |emit: &mut Self, shift: Value| {
                    let low = emit.b.ins().ushr(all, shift);
                    emit.b.ins().band_imm_s(low, 15)
                };
                let (taken, moved) = (digit(self, at), digit(self, last));
                let difference = self.b.ins().bxor(taken, moved);
                let difference = self.b.ins().ishl(difference, at);
                let rest = self.b.ins().bxor(all, difference);
                self.b.def_var(digits, rest);
                self.b.ins().ireduce(I32, taken)
            }
            Pool::Memory(base) => {
                let (at, last) = (self.element(base, at, 2), self.element(base, last, 2));
                let taken = self.b.ins().uload16(I32, MemFlagsData::trusted(), at, 0);
                let moved = self.b.ins().uload16(I32, MemFlagsData::trusted(), last, 0);
                self.b.ins().istore16(MemFlagsData::trusted(), moved, at, 0);
                taken
            }
        }
    }
}
