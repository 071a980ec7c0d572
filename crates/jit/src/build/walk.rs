//! The walk kernel: steps of an unguided random walk, one after another, by try-a-child (`all_children.rs` has the other
//! selection).
//!
//! Try-a-child draws a process (`pool.rs`), then one of its branches (`step.rs`). The steps of a small model are written into
//! the walk itself, and what changes with every step stays in registers of the machine. A large model has a function
//! for the steps of each process type.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use super::emit::{Emit, OnFault};
use super::host::HostFunction;
use crate::run::field;

/// Why the kernel stopped.
pub(crate) mod stop {
    pub const INVARIANT: u32 = 1;
    pub const DEPTH: u32 = 2;
    pub const FUEL: u32 = 3;
    pub const STUCK: u32 = 4;
    pub const VIOLATION: u32 = 5;
    /// The host has no room for more.
    pub const MEMORY: u32 = 6;
}

impl Emit<'_, '_, '_> {
    /// Writes a walk: `step` makes a step, and goes to the first block when there is one and to the second when not.
    pub fn write_walk(&mut self, step: impl FnOnce(&mut Self, Value, Block, Block)) {
        let (head, moved, again) = (self.block(), self.block(), self.block());
        let stops = [stop::INVARIANT, stop::DEPTH, stop::FUEL, stop::STUCK, stop::VIOLATION];
        let blocks = stops.map(|_| self.cold_block());
        let [broken, deep, tired, stuck, violated] = blocks;
        self.go(head);

        self.enter(head);
        self.look(broken);
        self.observe();
        let (length, depth) = (self.register(I32, field::LENGTH), self.register(I32, field::DEPTH));
        let over = self.test(IntCC::UnsignedGreaterThanOrEqual, length, depth);
        self.leave_if(over, deep);
        let fuel = self.register(I32, field::FUEL);
        let empty = self.test_int(IntCC::Equal, fuel, 0);
        self.leave_if(empty, tired);
        let less = self.b.ins().iadd_imm_s(fuel, -1);
        self.set_register(field::FUEL, less);

        let round = self.block();
        let timeout = self.b.append_block_param(round, I32);
        let no = self.int(0);
        self.go_with(round, no);
        self.enter(round);
        step(self, timeout, moved, again);
        self.enter(again);
        let second = self.block();
        self.branch(timeout, stuck, second);
        self.enter(second);
        let yes = self.int(1);
        self.go_with(round, yes);

        self.enter(moved);
        let steps = self.register(I64, field::STEPS);
        let steps = self.b.ins().iadd_imm_s(steps, 1);
        self.set_register(field::STEPS, steps);
        let length = self.register(I32, field::LENGTH);
        let length = self.b.ins().iadd_imm_s(length, 1);
        self.set_register(field::LENGTH, length);
        let violation = self.register(I32, field::VIOLATION);
        self.branch(violation, violated, head);

        for (reason, block) in stops.into_iter().zip(blocks) {
            self.enter(block);
            self.write_held();
            self.return_int(reason as i32);
        }
    }

    /// Looks at a state: goes to a block when an invariant does not hold, or cannot be computed.
    fn look(&mut self, broken: Block) {
        let watched = self.unit.watched.clone();
        if watched.is_empty() {
            return;
        }
        self.reload();
        let fine = self.block();
        if self.unit.facts.has_atomic {
            let holder = self.register(I32, field::EXCLUSIVE);
            self.leave_if(holder, fine);
        }
        self.on_fault = OnFault::Go(broken);
        for expr in watched.iter() {
            let next = self.block();
            self.condition(expr, next, broken);
            self.enter(next);
        }
        self.go(fine);
        self.enter(fine);
    }

    /// Lets the host look at the state, when it wants to. Inside an atomic chain there is none to look at.
    fn observe(&mut self) {
        let (told, next) = (self.cold_block(), self.block());
        let wanted = self.register(I32, field::OBSERVED);
        self.branch(wanted, told, next);
        self.enter(told);
        if self.unit.facts.has_atomic {
            let holder = self.register(I32, field::EXCLUSIVE);
            self.leave_if(holder, next);
        }
        self.host(HostFunction::Observe, &[], None);
        self.go(next);
        self.enter(next);
    }

    /// Tries processes until one moves.
    pub fn try_a_child(&mut self, timeout: Value, moved: Block, none: Block) {
        self.draw_processes(moved, none, |emit, process, to| emit.step_of(process, timeout, to));
    }
}
