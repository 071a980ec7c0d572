//! Random numbers, by the rule that all walks follow (`search/walk/draws.rs`).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::emit::Emit;
use crate::kernel::MULTIPLIER;
use crate::run::field;

impl Emit<'_, '_, '_> {
    /// Holds the random numbers. The bits of the next draw are computed with the draw before it: what is drawn decides where
    /// control goes, so the earlier it is known the better.
    pub fn hold_random(&mut self) {
        self.hold(I64, field::RANDOM_STATE);
        self.bits = Some(self.b.declare_var(I32));
        self.look_ahead();
    }

    /// Goes on with the random numbers that others have left.
    pub fn read_random(&mut self) {
        self.read_held(I64);
        self.look_ahead();
    }

    /// The 32 bits that a state of the generator gives.
    fn random_bits(&mut self, state: Value) -> Value {
        let shifted = self.b.ins().ushr_imm_s(state, 18);
        let mixed = self.b.ins().bxor(shifted, state);
        let mixed = self.b.ins().ushr_imm_s(mixed, 27);
        let mixed = self.b.ins().ireduce(I32, mixed);
        let turn = self.b.ins().ushr_imm_s(state, 59);
        let turn = self.b.ins().ireduce(I32, turn);
        self.b.ins().rotr(mixed, turn)
    }

    /// A number below another one, which is not 0.
    ///
    /// Nothing is drawn when there is no choice. The product is 0 then, so all that depends on it is whether the generator
    /// moves on.
    pub fn below(&mut self, bound: Value) -> Value {
        let bits = match self.bits {
            Some(bits) => self.b.use_var(bits),
            None => {
                let state = self.register(I64, field::RANDOM_STATE);
                self.random_bits(state)
            }
        };
        self.pass_draw(bound);
        let (bits, bound) = (self.wide(bits), self.wide(bound));
        let product = self.b.ins().imul(bits, bound);
        let high = self.b.ins().ushr_imm_s(product, 32);
        self.b.ins().ireduce(I32, high)
    }

    /// Moves on as if a number below another one, which is not 0, had been drawn.
    pub fn pass_draw(&mut self, bound: Value) {
        let state = self.register(I64, field::RANDOM_STATE);
        let increment = self.register(I64, field::RANDOM_INCREMENT);
        let multiplier = self.long(MULTIPLIER as i64);
        let product = self.b.ins().imul(state, multiplier);
        let next = self.b.ins().iadd(product, increment);
        let choice = self.test_int(IntCC::UnsignedGreaterThan, bound, 1);
        let next = self.b.ins().select(choice, next, state);
        self.set_register(field::RANDOM_STATE, next);
        self.look_ahead();
    }

    /// The state of the generator, and the bits of the next draw where they are held.
    pub fn random(&mut self) -> (Value, Option<Value>) {
        let bits = self.bits.map(|bits| self.b.use_var(bits));
        (self.register(I64, field::RANDOM_STATE), bits)
    }

    /// Where a condition holds, what was drawn since is drawn again.
    pub fn restore_random_if(&mut self, condition: Value, (state, bits): (Value, Option<Value>)) {
        let now = self.random();
        let state = self.b.ins().select(condition, state, now.0);
        self.set_register(field::RANDOM_STATE, state);
        if let (Some(variable), Some(before), Some(now)) = (self.bits, bits, now.1) {
            let bits = self.b.ins().select(condition, before, now);
            self.b.def_var(variable, bits);
        }
    }

    /// Computes the bits of the next draw, where random numbers are held.
    fn look_ahead(&mut self) {
        if let Some(variable) = self.bits {
            let state = self.register(I64, field::RANDOM_STATE);
            let bits = self.random_bits(state);
            self.b.def_var(variable, bits);
        }
    }
}
