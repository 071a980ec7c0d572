//! Random numbers, by the contract of `search/walk/draws.rs`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::emit::Emit;
use crate::kernel::MULTIPLIER;
use crate::run::field;

impl Emit<'_, '_, '_> {
    /// Caches the random state. The bits of the next draw are computed with the draw before it, because control flow
    /// depends on them.
    pub fn cache_random(&mut self) {
        self.cache_register(I64, field!(random_state));
        self.bits = Some(self.b.declare_var(I32));
        self.precompute_bits();
    }

    /// Reloads the random state after a call.
    pub fn reload_random(&mut self) {
        self.reload_cached(I64);
        self.precompute_bits();
    }

    /// The output of the generator for a state.
    fn random_bits(&mut self, state: Value) -> Value {
        let shifted = self.b.ins().ushr_imm_s(state, 18);
        let mixed = self.b.ins().bxor(shifted, state);
        let mixed = self.b.ins().ushr_imm_s(mixed, 27);
        let mixed = self.b.ins().ireduce(I32, mixed);
        let turn = self.b.ins().ushr_imm_s(state, 59);
        let turn = self.b.ins().ireduce(I32, turn);
        self.b.ins().rotr(mixed, turn)
    }

    /// A number below `bound`, which is not 0. If `bound` is 1, nothing is drawn: the product is 0, and the generator does
    /// not advance.
    pub fn below(&mut self, bound: Value) -> Value {
        let bits = match self.bits {
            Some(bits) => self.b.use_var(bits),
            None => {
                let state = self.register(I64, field!(random_state));
                self.random_bits(state)
            }
        };
        self.skip_draw(bound);
        let (bits, bound) = (self.wide(bits), self.wide(bound));
        let product = self.b.ins().imul(bits, bound);
        let high = self.b.ins().ushr_imm_s(product, 32);
        self.b.ins().ireduce(I32, high)
    }

    /// Advances as if a number below `bound` had been drawn.
    pub fn skip_draw(&mut self, bound: Value) {
        let state = self.register(I64, field!(random_state));
        let increment = self.register(I64, field!(random_increment));
        let multiplier = self.long(MULTIPLIER as i64);
        let product = self.b.ins().imul(state, multiplier);
        let next = self.b.ins().iadd(product, increment);
        let choice = self.test_int(IntCC::UnsignedGreaterThan, bound, 1);
        let next = self.b.ins().select(choice, next, state);
        self.set_register(field!(random_state), next);
        self.precompute_bits();
    }

    /// The state of the generator, and the precomputed bits of the next draw.
    pub fn random(&mut self) -> (Value, Option<Value>) {
        let bits = self.bits.map(|bits| self.b.use_var(bits));
        (self.register(I64, field!(random_state)), bits)
    }

    /// Restores a state of the generator if a condition holds.
    pub fn restore_random_if(&mut self, condition: Value, (state, bits): (Value, Option<Value>)) {
        let now = self.random();
        let state = self.b.ins().select(condition, state, now.0);
        self.set_register(field!(random_state), state);
        if let (Some(variable), Some(before), Some(now)) = (self.bits, bits, now.1) {
            let bits = self.b.ins().select(condition, before, now);
            self.b.def_var(variable, bits);
        }
    }

    /// Precomputes the bits of the next draw, if the random state is cached.
    fn precompute_bits(&mut self) {
        if let Some(variable) = self.bits {
            let state = self.register(I64, field!(random_state));
            let bits = self.random_bits(state);
            self.b.def_var(variable, bits);
        }
    }
}
