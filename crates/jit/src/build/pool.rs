//! Drawing without replacement until an attempt succeeds.
//!
//! The remaining numbers form a pool: the drawn one is removed, and the last takes its place. Up to sixteen numbers are
//! the hexadecimal digits of one machine register. Larger pools are in memory. The pool of processes is in order between
//! two steps: only the changed positions are restored, so a step costs as much as its tries, whatever the number of
//! processes.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value};
use cranelift_frontend::Variable;

use super::emit::Emit;
use super::walk::StepTargets;
use crate::run::field;

/// Numbers that fit into one machine register.
const DIGITS: i32 = 16;
/// The digits in order.
const IN_ORDER: u64 = 0xfedc_ba98_7654_3210;

const MEMORY: MemFlagsData = MemFlagsData::trusted();

/// The numbers not yet drawn.
#[derive(Clone, Copy, Debug)]
struct Pool {
    /// Number of remaining numbers, the last drawn one included.
    left: Variable,
    /// The position of the last drawn number.
    at: Variable,
    drawn: Variable,
    digits: Variable,
}

impl Emit<'_, '_, '_> {
    fn new_pool(&mut self) -> Pool {
        let [left, at, drawn] = [(); 3].map(|()| self.b.declare_var(I32));
        Pool { left, at, drawn, digits: self.b.declare_var(I64) }
    }

    fn digit(&mut self, digits: Value, at: Value) -> Value {
        let shift = self.b.ins().ishl_imm_s(at, 2);
        let low = self.b.ins().ushr(digits, shift);
        let digit = self.b.ins().band_imm_s(low, 15);
        self.b.ins().ireduce(I32, digit)
    }

    /// Draws a digit.
    fn draw_digit(&mut self, pool: Pool) {
        let (left, digits) = (self.b.use_var(pool.left), self.b.use_var(pool.digits));
        let at = self.below(left);
        self.b.def_var(pool.at, at);
        let drawn = self.digit(digits, at);
        self.b.def_var(pool.drawn, drawn);
    }

    /// Removes the drawn digit; `fewer` are left.
    fn remove_digit(&mut self, pool: Pool, fewer: Value) {
        let (digits, at, drawn) = (self.b.use_var(pool.digits), self.b.use_var(pool.at), self.b.use_var(pool.drawn));
        let last = self.digit(digits, fewer);
        let difference = self.b.ins().bxor(drawn, last);
        let difference = self.wide(difference);
        let shift = self.b.ins().ishl_imm_s(at, 2);
        let difference = self.b.ins().ishl(difference, shift);
        let rest = self.b.ins().bxor(digits, difference);
        self.b.def_var(pool.digits, rest);
    }

    /// Tries `count` branches in random order. `attempt` gets a branch and the block to jump to if it is disabled. Jumps to
    /// `none` if all are.
    pub fn draw_branches(&mut self, count: usize, none: Block, attempt: impl FnOnce(&mut Self, Value, Block)) {
        let pool = self.new_pool();
        let all = self.int(count as i32);
        self.b.def_var(pool.left, all);
        let first = self.below(all);
        self.b.def_var(pool.at, first);
        self.b.def_var(pool.drawn, first);
        let order = self.long(IN_ORDER as i64);
        self.b.def_var(pool.digits, order);
        let row = (count > DIGITS as usize).then(|| self.branches_in_memory(count));
        let (tried, failed, again) = (self.block(), self.block(), self.block());
        self.go(tried);
        self.enter(tried);
        let drawn = self.b.use_var(pool.drawn);
        attempt(self, drawn, failed);

        self.enter(failed);
        let left = self.b.use_var(pool.left);
        let fewer = self.b.ins().iadd_imm_s(left, -1);
        self.b.def_var(pool.left, fewer);
        self.branch(fewer, again, none);
        self.enter(again);
        match row {
            None if count == 2 => {
                let other = self.b.ins().bxor_imm_s(drawn, 1);
                self.b.def_var(pool.drawn, other);
            }
            None => {
                self.remove_digit(pool, fewer);
                self.draw_digit(pool);
            }
            Some(slot) => {
                let base = self.b.ins().stack_addr(I64, slot, 0);
                self.remove_from_memory(pool, base, fewer);
                self.draw_from_memory(pool, base);
            }
        }
        self.go(tried);
    }

    /// A pool of branches in memory.
    fn branches_in_memory(&mut self, count: usize) -> StackSlot {
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 2 * count as u32, 1));
        for i in 0..count {
            let number = self.int(i as i32);
            let at = self.b.ins().stack_addr(I64, slot, 2 * i as i32);
            self.b.ins().istore16(MEMORY, number, at, 0);
        }
        slot
    }

    fn draw_from_memory(&mut self, pool: Pool, row: Value) {
        let left = self.b.use_var(pool.left);
        let at = self.below(left);
        self.b.def_var(pool.at, at);
        let place = self.element(row, at, 2);
        let drawn = self.b.ins().uload16(I32, MEMORY, place, 0);
        self.b.def_var(pool.drawn, drawn);
    }

    fn remove_from_memory(&mut self, pool: Pool, row: Value, fewer: Value) {
        let at = self.b.use_var(pool.at);
        let (place, last) = (self.element(row, at, 2), self.element(row, fewer, 2));
        let last = self.b.ins().uload16(I32, MEMORY, last, 0);
        self.b.ins().istore16(MEMORY, last, place, 0);
    }

    /// Tries processes in random order, or only the one with exclusive control. `attempt` gets a process and the blocks to
    /// continue with.
    pub fn draw_processes(&mut self, to: StepTargets, attempt: impl FnOnce(&mut Self, Value, StepTargets)) {
        let (pool, size) = (self.new_pool(), self.b.declare_var(I32));
        let [first, few, many, tried, failed, over, moved, clean] = [(); 8].map(|()| self.block());
        let order = self.long(IN_ORDER as i64);
        self.b.def_var(pool.digits, order);
        if self.unit.facts.has_atomic {
            let (held, free, holder) = (self.block(), self.block(), self.register(I32, field!(exclusive)));
            self.branch(holder, held, free);
            self.enter(held);
            let process = self.b.ins().iadd_imm_s(holder, -1);
            let (place, one) = (self.int(0), self.int(1));
            for (variable, value) in [(pool.drawn, process), (pool.at, place), (pool.left, one), (size, one)] {
                self.b.def_var(variable, value);
            }
            self.go(tried);
            self.enter(free);
        }
        let count = self.register(I32, field!(process_count));
        self.b.def_var(pool.left, count);
        self.b.def_var(size, count);
        self.branch(count, first, to.none);

        // The pool is in order, so the position is the pid.
        self.enter(first);
        let place = self.below(count);
        self.b.def_var(pool.at, place);
        self.b.def_var(pool.drawn, place);
        self.go(tried);

        self.enter(tried);
        let process = self.b.use_var(pool.drawn);
        attempt(self, process, StepTargets { moved, clean, none: failed });

        self.enter(failed);
        let some = self.block();
        let left = self.b.use_var(pool.left);
        let fewer = self.b.ins().iadd_imm_s(left, -1);
        self.b.def_var(pool.left, fewer);
        self.branch(fewer, some, over);
        self.enter(some);
        self.by_pool_size(size, few, many);
        self.enter(few);
        self.remove_digit(pool, fewer);
        self.draw_digit(pool);
        self.go(tried);
        self.enter(many);
        self.note_touched(pool, size, left);
        let row = self.register(I64, field!(pool));
        self.remove_from_memory(pool, row, fewer);
        self.draw_from_memory(pool, row);
        self.go(tried);

        for (block, next) in [(moved, to.moved), (clean, to.clean), (over, to.none)] {
            self.enter(block);
            self.restore_pool(pool, size, next);
        }
    }

    /// Jumps to `few` if the processes fit into a machine register, else to `many`.
    fn by_pool_size(&mut self, size: Variable, few: Block, many: Block) {
        let size = self.b.use_var(size);
        let fits = self.test_int(IntCC::UnsignedLessThanOrEqual, size, DIGITS);
        self.branch(fits, few, many);
    }

    /// Records a position of the pool that is about to change: one per failed attempt.
    fn note_touched(&mut self, pool: Pool, size: Variable, left: Value) {
        let (size, at) = (self.b.use_var(size), self.b.use_var(pool.at));
        let touched = self.register(I64, field!(touched));
        let failures = self.b.ins().isub(size, left);
        let note = self.element(touched, failures, 2);
        self.b.ins().istore16(MEMORY, at, note, 0);
    }

    /// Restores the order of the pool and jumps to a block.
    fn restore_pool(&mut self, pool: Pool, size: Variable, next: Block) {
        let (many, head, body) = (self.block(), self.block(), self.block());
        self.by_pool_size(size, next, many);
        self.enter(many);
        let (base, touched) = (self.register(I64, field!(pool)), self.register(I64, field!(touched)));
        let (size, left) = (self.b.use_var(size), self.b.use_var(pool.left));
        let failures = self.b.ins().isub(size, left);
        let remaining = self.b.append_block_param(head, I32);
        self.go_with(head, failures);
        self.enter(head);
        self.branch(remaining, body, next);
        self.enter(body);
        let fewer = self.b.ins().iadd_imm_s(remaining, -1);
        let note = self.element(touched, fewer, 2);
        let position = self.b.ins().uload16(I32, MEMORY, note, 0);
        let place = self.element(base, position, 2);
        self.b.ins().istore16(MEMORY, position, place, 0);
        self.go_with(head, fewer);
    }
}
