//! The walk kernel: steps of an unguided random walk, one after another, by try-a-child (`all_children.rs` has the other
//! selection).
//!
//! Try-a-child draws a process (`pool.rs`), then one of its branches (`step.rs`). The steps of a small model are written into
//! the walk itself, and what changes with every step stays in registers of the machine. A large model has a function
//! for the steps of each process type.
//!
//! All that is counted in a walk are the steps that are left, and tries. The host finds from that how far it came. Where
//! somebody looks at every state, a walk has one step left at a time.

use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};

use super::emit::{Emit, OnFault};
use super::host::HostFunction;
use crate::run::field;

/// Why the kernel stopped.
pub(crate) mod stop {
    pub const INVARIANT: u32 = 1;
    /// The host says so: it is as long as it may be.
    pub const DEPTH: u32 = 2;
    pub const FUEL: u32 = 3;
    pub const STUCK: u32 = 4;
    pub const VIOLATION: u32 = 5;
    /// The host has no room for more.
    pub const MEMORY: u32 = 6;
}

/// Where control goes when a step was made, or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stepped {
    /// A process has moved; it may have noted a violation.
    pub moved: Block,
    /// A process has moved, and there is nothing to be said against it.
    pub clean: Block,
    /// None has.
    pub none: Block,
}

impl Emit<'_, '_, '_> {
    /// Writes a walk: `step` makes a step, and goes on from there.
    pub fn write_walk(&mut self, step: impl FnOnce(&mut Self, Value, Stepped)) {
        let (head, moved, again) = (self.block(), self.block(), self.block());
        let stops = [stop::INVARIANT, stop::FUEL, stop::STUCK, stop::VIOLATION];
        let blocks = stops.map(|_| self.cold_block());
        let [broken, spent, stuck, violated] = blocks;
        self.go(head);

        self.enter(head);
        self.look(broken);
        let fuel = self.register(I32, field::FUEL);
        let (tired, on) = (self.cold_block(), self.block());
        let left = self.b.append_block_param(on, I32);
        self.b.ins().brif(fuel, on, &[BlockArg::Value(fuel)], tired, &[]);
        self.enter(tired);
        let more = self.host(HostFunction::GoOn, &[], Some(I32)).expect("a result");
        self.b.ins().brif(more, on, &[BlockArg::Value(more)], spent, &[]);
        self.enter(on);
        let less = self.b.ins().iadd_imm_s(left, -1);
        self.set_register(field::FUEL, less);

        let round = self.block();
        let timeout = self.b.append_block_param(round, I32);
        let no = self.int(0);
        self.go_with(round, no);
        self.enter(round);
        step(self, timeout, Stepped { moved, clean: head, none: again });
        self.enter(again);
        let second = self.block();
        self.branch(timeout, stuck, second);
        self.enter(second);
        let yes = self.int(1);
        self.go_with(round, yes);

        self.enter(moved);
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

    /// Tries processes until one moves.
    pub fn try_a_child(&mut self, timeout: Value, to: Stepped) {
        self.draw_processes(to, |emit, process, to| emit.step_of(process, timeout, to));
    }
}
