//! The walk kernel: the loop of an unguided random walk, by try-a-child (`all_children.rs` has the other selection).
//!
//! Try-a-child draws a process (`pool.rs`), then one of its branches (`step.rs`). The steps of a small model are inlined
//! into the walk, and the random state stays in a machine register. A large model has a step function per process type.
//!
//! A walk counts only the remaining steps and the tries; the host derives its length. If states are observed, a walk has
//! fuel for one step at a time.

use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};

use super::emit::{Emit, OnFault};
use crate::boundary;
use crate::run::field;

/// Why a walk stopped.
pub(crate) mod stop {
    pub const INVARIANT: u32 = 1;
    /// The depth limit; decided by the host.
    pub const DEPTH: u32 = 2;
    pub const FUEL: u32 = 3;
    pub const NO_MOVE: u32 = 4;
    pub const VIOLATION: u32 = 5;
    /// The memory limit; decided by the host.
    pub const MEMORY: u32 = 6;
}

/// Where control goes after a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepTargets {
    /// A process has moved, perhaps with a violation.
    pub moved: Block,
    /// A process has moved without a violation.
    pub clean: Block,
    /// No process has moved.
    pub none: Block,
}

impl Emit<'_, '_, '_> {
    /// Emits a walk; `step` emits one step.
    pub fn write_walk(&mut self, step: impl FnOnce(&mut Self, Value, StepTargets)) {
        let (head, moved, again) = (self.block(), self.block(), self.block());
        let stops = [stop::INVARIANT, stop::FUEL, stop::NO_MOVE, stop::VIOLATION];
        let blocks = stops.map(|_| self.cold_block());
        let [broken, spent, stuck, violated] = blocks;
        self.go(head);

        self.enter(head);
        self.check_invariants(broken);
        let fuel = self.register(I32, field!(fuel));
        let (no_fuel, on) = (self.cold_block(), self.block());
        let left = self.b.append_block_param(on, I32);
        self.b.ins().brif(fuel, on, &[BlockArg::Value(fuel)], no_fuel, &[]);
        self.enter(no_fuel);
        let more = self.host_value(boundary::observe_state as *const (), &[], I32);
        self.b.ins().brif(more, on, &[BlockArg::Value(more)], spent, &[]);
        self.enter(on);
        let less = self.b.ins().iadd_imm_s(left, -1);
        self.set_register(field!(fuel), less);

        let round = self.block();
        let timeout = self.b.append_block_param(round, I32);
        let no = self.int(0);
        self.go_with(round, no);
        self.enter(round);
        step(self, timeout, StepTargets { moved, clean: head, none: again });
        self.enter(again);
        let second = self.block();
        self.branch(timeout, stuck, second);
        self.enter(second);
        let yes = self.int(1);
        self.go_with(round, yes);

        self.enter(moved);
        let violation = self.register(I32, field!(violation));
        self.branch(violation, violated, head);

        for (reason, block) in stops.into_iter().zip(blocks) {
            self.enter(block);
            self.flush_cached();
            self.return_int(reason as i32);
        }
    }

    /// Jumps to a block if an invariant is false or faults.
    fn check_invariants(&mut self, broken: Block) {
        let watched = self.unit.watched.clone();
        if watched.is_empty() {
            return;
        }
        self.reload();
        let fine = self.block();
        if self.unit.facts.has_atomic {
            let holder = self.register(I32, field!(exclusive));
            self.leave_if(holder, fine);
        }
        self.on_fault = OnFault::Jump(broken);
        for expr in watched.iter() {
            let next = self.block();
            self.condition(expr, next, broken);
            self.enter(next);
        }
        self.go(fine);
        self.enter(fine);
    }

    /// A step by try-a-child.
    pub fn try_a_child(&mut self, timeout: Value, to: StepTargets) {
        self.draw_processes(to, |emit, process, to| emit.try_process(process, timeout, to));
    }
}
