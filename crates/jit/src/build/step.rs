//! A try of one process in a walk step: executes the first enabled branch in random order.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use lurcher_ir::{ActionKind, Location, LocationId, ProcessTypeId};

use super::effect::Known;
use super::emit::{Emit, OnFault};
use super::executability::Targets;
use super::unit::Function;
use super::walk::StepTargets;
use crate::boundary;
use crate::run::{field, position};

/// Where control goes after the try of a branch.
#[derive(Clone, Copy, Debug)]
struct TryTargets {
    yes: Block,
    not: Block,
}

impl<'m> Emit<'_, '_, 'm> {
    pub fn write_step(&mut self, ty: ProcessTypeId) {
        self.for_type(ty);
        let moved = self.block();
        let ends = StepTargets { moved, clean: moved, none: self.block() };
        self.may_run(ends.none);
        self.each_location(ends.none, |emit, location| emit.try_location(location, ends));
        for (block, answer) in [(ends.moved, 1), (ends.none, 0)] {
            self.enter(block);
            self.return_int(answer);
        }
    }

    /// Tries a process.
    pub fn try_process(&mut self, process: Value, timeout: Value, ends: StepTargets) {
        let types = self.types(|_| true);
        if !self.unit.facts.inline_steps() {
            let rest = self.long(0);
            self.by_process_type(process, &types, ends.none, |emit, ty| {
                emit.flush_cached();
                let result = emit.call(Function::Step(ty), process, timeout, rest);
                emit.reload_random();
                emit.branch(result, ends.moved, ends.none);
            });
            return;
        }
        (self.pid, self.timeout) = (Some(process), Some(timeout));
        self.reload();
        self.each_position(&types, ends.none, |emit, location| {
            emit.may_run(ends.none);
            emit.try_location(location, ends);
        });
        (self.pid, self.process_type, self.timeout) = (None, None, None);
    }

    /// Dispatches on the position of the process: `write` emits the code of each location that has branches.
    fn each_position(
        &mut self,
        types: &[ProcessTypeId],
        default: Block,
        mut write: impl FnMut(&mut Self, &'m Location),
    ) {
        let (all, me, type_bits) = (self.register(I64, field!(positions)), self.me(), self.unit.facts.type_bits);
        let at = self.element(all, me, 4);
        let here = self.b.ins().load(I32, MemFlagsData::trusted(), at, 0);
        let model = self.unit.facts.model;
        let of_type = |ty: ProcessTypeId| {
            let locations = model.process_type(ty).locations.iter().enumerate();
            let busy = locations.filter(|(_, l)| !l.branches.is_empty());
            busy.map(move |(i, l)| (position(type_bits, ty, LocationId(i as u16)), (ty, l)))
        };
        let busy = types.iter().copied().flat_map(of_type).collect();
        self.dispatch_each(here, busy, default, |emit, (ty, location)| {
            emit.process_type = Some(ty);
            write(emit, location);
        });
    }

    fn try_location(&mut self, location: &'m Location, ends: StepTargets) {
        let count = location.branches.len();
        let takes: Vec<(u32, Block)> = (0..count).map(|i| (i as u32, self.block())).collect();
        let (pair, exclusive) = (self.is_pair(location), self.is_exclusive(location));
        let faulted = self.cold_block();
        self.may_fault = false;
        match *takes.as_slice() {
            [(_, one), (_, two)] if pair => self.choose_of_two(location, [one, two], ends.none, faulted),
            [(_, one), (_, two), (_, three)] if exclusive => {
                self.choose_of_three(location, [one, two, three], ends.none, faulted);
            }
            _ => self.try_branches(location, &takes, ends),
        }
        if (pair || exclusive) && self.may_fault {
            self.enter(faulted);
            self.try_branches(location, &takes, ends);
        }
        if has_escapes(location) {
            return;
        }
        for (branch, &(index, block)) in location.branches.iter().zip(&takes) {
            self.enter(block);
            match self.ty().deterministic {
                true => self.apply_by_host(index as usize, ends),
                false => {
                    self.may_violate = false;
                    self.take(branch, Known::Enabled, ends.moved);
                    self.go(if self.may_violate { ends.moved } else { ends.clean });
                }
            }
        }
    }

    /// Tries branches in random order; jumps to the block of the first that is enabled.
    fn try_branches(&mut self, location: &'m Location, takes: &[(u32, Block)], ends: StepTargets) {
        if let [(_, yes)] = *takes {
            self.count_try();
            self.try_branch(location, 0, TryTargets { yes, not: ends.none }, ends);
            return;
        }
        self.draw_branches(takes.len(), ends.none, |emit, drawn, failed| {
            emit.count_try();
            let tests: Vec<(u32, Block)> = takes.iter().map(|(i, _)| (*i, emit.block())).collect();
            let (&(_, last), first) = tests.split_last().expect("several branches");
            emit.dispatch(drawn, first, last);
            for (&(index, yes), (_, block)) in takes.iter().zip(tests) {
                emit.enter(block);
                emit.try_branch(location, index as usize, TryTargets { yes, not: failed }, ends);
            }
        });
    }

    pub fn count_try(&mut self) {
        self.add_to_register(I64, field!(tries), 1);
    }

    /// Tests a branch. Faults and rendezvous are executed here.
    fn try_branch(&mut self, location: &'m Location, index: usize, to: TryTargets, ends: StepTargets) {
        let ty = self.ty();
        let branch = &location.branches[index];
        let kind = &ty.action(branch.action).kind;
        if has_escapes(location) {
            self.try_among_escapes(index, to.not, ends);
            return;
        }
        if kind.is_else() {
            // Enabled if no earlier branch is.
            self.on_fault = OnFault::Jump(to.not);
            self.set_register_int(field!(moves_len), 0);
            for (i, before) in location.branches[..index].iter().enumerate() {
                let next = self.block();
                let kind = &ty.action(before.action).kind;
                if kind.is_else() {
                    self.go(to.not);
                } else {
                    self.branch_enabled(i as u16, kind, Targets::simple(to.not, next));
                }
                self.enter(next);
            }
            self.go(to.yes);
            return;
        }
        let (faulted, rendezvous) = (self.cold_block(), self.block());
        (self.may_fault, self.may_rendezvous) = (false, false);
        if matches!(kind, ActionKind::Send(..)) {
            self.set_register_int(field!(moves_len), 0);
        }
        self.on_fault = OnFault::Jump(faulted);
        self.branch_enabled(index as u16, kind, Targets { yes: to.yes, rendezvous, no: to.not });
        if self.may_fault {
            self.enter(faulted);
            self.apply_by_host(index, ends);
        }
        if self.may_rendezvous {
            self.enter(rendezvous);
            let packed = self.draw_move();
            self.take_rendezvous(packed, ends);
        }
    }

    fn apply_by_host(&mut self, index: usize, ends: StepTargets) {
        let (packed, timeout) = (self.own_move(index as u16), self.timeout());
        self.host(boundary::apply as *const (), &[packed, timeout]);
        self.go(ends.moved);
    }

    fn apply_by_number(&mut self, index: usize, ends: StepTargets) {
        let (me, timeout, number) = (self.me(), self.timeout(), self.long(index as i64));
        let ty = self.process_type.expect("a function about a process");
        self.call(Function::Apply(ty), me, timeout, number);
        self.go(ends.moved);
    }

    /// Draws one of the moves found.
    pub fn draw_move(&mut self) -> Value {
        let count = self.register(I32, field!(moves_len));
        let at = self.below(count);
        let moves = self.register(I64, field!(moves));
        let at = self.element(moves, at, 8);
        self.b.ins().load(I64, MemFlagsData::trusted(), at, 0)
    }

    /// Counts a rendezvous, which has length two.
    pub fn count_rendezvous(&mut self) {
        self.add_to_register(I32, field!(rendezvous), 1);
    }

    /// Executes a rendezvous.
    fn take_rendezvous(&mut self, packed: Value, ends: StepTargets) {
        self.count_rendezvous();
        let (me, timeout) = (self.me(), self.timeout());
        self.call(Function::Rendezvous, me, timeout, packed);
        self.go(ends.moved);
    }

    /// Tries a branch of a location with escapes: lists all moves and keeps those of the branch.
    fn try_among_escapes(&mut self, index: usize, not: Block, ends: StepTargets) {
        let ty = self.process_type.expect("a function about a process");
        let (me, timeout, rest) = (self.me(), self.timeout(), self.long(0));
        self.set_register_int(field!(moves_len), 0);
        self.call(Function::ListMoves(ty), me, timeout, rest);
        let number = self.int(index as i32);
        self.host(boundary::filter as *const (), &[number]);
        let count = self.register(I32, field!(moves_len));
        let none = self.test_int(IntCC::Equal, count, 0);
        self.leave_if(none, not);
        let packed = self.draw_move();
        let partner = self.b.ins().ushr_imm_s(packed, 32);
        let (alone, rendezvous) = (self.block(), self.block());
        self.branch(partner, rendezvous, alone);
        self.enter(rendezvous);
        self.take_rendezvous(packed, ends);
        self.enter(alone);
        match self.ty().deterministic {
            true => {
                self.host(boundary::apply as *const (), &[packed, timeout]);
                self.go(ends.moved);
            }
            false => self.apply_by_number(index, ends),
        }
    }
}

fn has_escapes(location: &Location) -> bool {
    location.branches.iter().any(|b| b.escape > 0)
}
