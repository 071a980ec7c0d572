//! One process's part in a step of a walk: its branches in random order until one is possible, which is taken.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use lurcher_ir::{ActionKind, Location, LocationId, ProcessTypeId};

use super::effect::Trust;
use super::emit::{Emit, OnFault};
use super::host::HostFunction;
use super::test::Targets;
use super::unit::Function;
use super::walk::Stepped;
use crate::facts::is_else;
use crate::run::{field, standing};

/// Where control goes when a branch was tried.
#[derive(Clone, Copy, Debug)]
struct Tried {
    yes: Block,
    not: Block,
}

impl<'m> Emit<'_, '_, 'm> {
    pub fn write_step(&mut self, ty: ProcessTypeId) {
        self.about(ty);
        let moved = self.block();
        let ends = Stepped { moved, clean: moved, none: self.block() };
        self.may_run(ends.none);
        self.each_location(ends.none, |emit, _, location| emit.step_from(location, ends));
        for (block, answer) in [(ends.moved, 1), (ends.none, 0)] {
            self.enter(block);
            self.return_int(answer);
        }
    }

    /// Lets a process try.
    pub fn step_of(&mut self, process: Value, timeout: Value, ends: Stepped) {
        let types = self.types(|_| true);
        if !self.unit.facts.steps_inside() {
            let rest = self.long(0);
            self.by_process_type(process, &types, ends.none, |emit, ty| {
                emit.write_held();
                let result = emit.call(Function::Step(ty), process, timeout, rest);
                emit.read_random();
                emit.branch(result, ends.moved, ends.none);
            });
            return;
        }
        (self.pid, self.timeout) = (Some(process), Some(timeout));
        self.reload();
        self.each_standing(&types, ends.none, |emit, location| {
            emit.may_run(ends.none);
            emit.step_from(location, ends);
        });
        (self.pid, self.process_type, self.timeout) = (None, None, None);
    }

    /// Writes code for every location that has branches, of these types; control is in the location's block.
    fn each_standing(
        &mut self,
        types: &[ProcessTypeId],
        default: Block,
        mut write: impl FnMut(&mut Self, &'m Location),
    ) {
        let (all, me, type_bits) = (self.register(I64, field::STANDING), self.me(), self.unit.facts.type_bits);
        let at = self.element(all, me, 4);
        let here = self.b.ins().load(I32, MemFlagsData::trusted(), at, 0);
        let model = self.unit.facts.model;
        let of_type = |ty: ProcessTypeId| {
            let locations = model.process_type(ty).locations.iter().enumerate();
            let busy = locations.filter(|(_, l)| !l.branches.is_empty());
            busy.map(move |(i, l)| (ty, l, standing(type_bits, ty, LocationId(i as u16))))
        };
        let busy: Vec<(ProcessTypeId, &'m Location, u32)> = types.iter().copied().flat_map(of_type).collect();
        let cases: Vec<(u32, Block)> = busy.iter().map(|(_, _, number)| (*number, self.block())).collect();
        self.dispatch(here, &cases, default);
        for ((ty, location, _), (_, block)) in busy.into_iter().zip(cases) {
            self.enter(block);
            self.process_type = Some(ty);
            write(self, location);
        }
    }

    fn step_from(&mut self, location: &'m Location, ends: Stepped) {
        let count = location.branches.len();
        let takes: Vec<(u32, Block)> = (0..count).map(|i| (i as u32, self.block())).collect();
        let (pair, exclusive) = (self.is_pair(location), self.is_exclusive(location));
        let faulted = self.cold_block();
        self.fault_met = false;
        match *takes.as_slice() {
            [(_, one), (_, two)] if pair => self.choose_of_two(location, [one, two], ends.none, faulted),
            [(_, one), (_, two), (_, three)] if exclusive => {
                self.choose_of_three(location, [one, two, three], ends.none, faulted);
            }
            _ => self.try_branches(location, &takes, ends),
        }
        if (pair || exclusive) && self.fault_met {
            self.enter(faulted);
            self.try_branches(location, &takes, ends);
        }
        if has_escapes(location) {
            return;
        }
        for (branch, &(index, block)) in location.branches.iter().zip(&takes) {
            self.enter(block);
            match self.ty().deterministic {
                true => self.take_by_host(index as usize, ends),
                false => {
                    self.violable = false;
                    self.take(branch, Trust::Tested, ends.moved);
                    self.go(if self.violable { ends.moved } else { ends.clean });
                }
            }
        }
    }

    /// Tries branches in random order; goes to the block of the first that is possible.
    fn try_branches(&mut self, location: &'m Location, takes: &[(u32, Block)], ends: Stepped) {
        if let [(_, yes)] = *takes {
            self.count_try();
            self.try_branch(location, 0, Tried { yes, not: ends.none }, ends);
            return;
        }
        self.draw_branches(takes.len(), ends.none, |emit, drawn, failed| {
            emit.count_try();
            let tests: Vec<(u32, Block)> = takes.iter().map(|(i, _)| (*i, emit.block())).collect();
            let (&(_, last), first) = tests.split_last().expect("several branches");
            emit.dispatch(drawn, first, last);
            for (&(index, yes), (_, block)) in takes.iter().zip(tests) {
                emit.enter(block);
                emit.try_branch(location, index as usize, Tried { yes, not: failed }, ends);
            }
        });
    }

    pub fn count_try(&mut self) {
        let tries = self.register(I64, field::TRIES);
        let more = self.b.ins().iadd_imm_s(tries, 1);
        self.set_register(field::TRIES, more);
    }

    /// Tests a branch. One that is not simply possible or not, because of a fault or a rendezvous, is taken here.
    fn try_branch(&mut self, location: &'m Location, index: usize, to: Tried, ends: Stepped) {
        let ty = self.ty();
        let branch = &location.branches[index];
        let kind = &ty.action(branch.action).kind;
        if has_escapes(location) {
            self.try_among_escapes(index, to.not, ends);
            return;
        }
        if is_else(kind) {
            // Possible when nothing before it is.
            self.on_fault = OnFault::Go(to.not);
            self.set_register_int(field::MOVES_LEN, 0);
            for (i, before) in location.branches[..index].iter().enumerate() {
                let next = self.block();
                let kind = &ty.action(before.action).kind;
                if is_else(kind) {
                    self.go(to.not);
                } else {
                    self.test_branch(i as u16, kind, Targets::simple(to.not, next));
                }
                self.enter(next);
            }
            self.go(to.yes);
            return;
        }
        let (faulted, meet) = (self.cold_block(), self.block());
        (self.fault_met, self.meeting_met) = (false, false);
        if matches!(kind, ActionKind::Send(..)) {
            self.set_register_int(field::MOVES_LEN, 0);
        }
        self.on_fault = OnFault::Go(faulted);
        self.test_branch(index as u16, kind, Targets { yes: to.yes, meet, no: to.not });
        let (faults, meetings) = (self.fault_met, self.meeting_met);
        if faults {
            self.enter(faulted);
            self.take_by_host(index, ends);
        }
        if meetings {
            self.enter(meet);
            let packed = self.draw_move();
            self.meet(packed, ends);
        }
    }

    fn take_by_host(&mut self, index: usize, ends: Stepped) {
        let me = self.me();
        let me = self.wide(me);
        let packed = self.b.ins().bor_imm_s(me, (index as i64) << 16);
        let timeout = self.timeout();
        self.host(HostFunction::Apply, &[packed, timeout], None);
        self.go(ends.moved);
    }

    fn take_by_number(&mut self, index: usize, ends: Stepped) {
        let (me, timeout, number) = (self.me(), self.timeout(), self.long(index as i64));
        let ty = self.process_type.expect("a function about a process");
        self.call(Function::Apply(ty), me, timeout, number);
        self.go(ends.moved);
    }

    /// One of the moves found.
    pub fn draw_move(&mut self) -> Value {
        let count = self.register(I32, field::MOVES_LEN);
        let at = self.below(count);
        let moves = self.register(I64, field::MOVES);
        let at = self.element(moves, at, 8);
        self.b.ins().load(I64, MemFlagsData::trusted(), at, 0)
    }

    /// The step is one longer than others.
    pub fn lengthen(&mut self) {
        let meetings = self.register(I32, field::MEETINGS);
        let more = self.b.ins().iadd_imm_s(meetings, 1);
        self.set_register(field::MEETINGS, more);
    }

    /// Takes a rendezvous, which is two steps long.
    fn meet(&mut self, packed: Value, ends: Stepped) {
        self.lengthen();
        let (me, timeout) = (self.me(), self.timeout());
        self.call(Function::HandOver, me, timeout, packed);
        self.go(ends.moved);
    }

    /// Where escapes hide branches, all are listed to see what one of them offers.
    fn try_among_escapes(&mut self, index: usize, not: Block, ends: Stepped) {
        let ty = self.process_type.expect("a function about a process");
        let (me, timeout, rest) = (self.me(), self.timeout(), self.long(0));
        self.set_register_int(field::MOVES_LEN, 0);
        self.call(Function::List(ty), me, timeout, rest);
        let number = self.int(index as i32);
        self.host(HostFunction::Filter, &[number], None);
        let count = self.register(I32, field::MOVES_LEN);
        let none = self.test_int(IntCC::Equal, count, 0);
        self.leave_if(none, not);
        let packed = self.draw_move();
        let partner = self.b.ins().ushr_imm_s(packed, 32);
        let (alone, meets) = (self.block(), self.block());
        self.branch(partner, meets, alone);
        self.enter(meets);
        self.meet(packed, ends);
        self.enter(alone);
        match self.ty().deterministic {
            true => {
                self.host(HostFunction::Apply, &[packed, timeout], None);
                self.go(ends.moved);
            }
            false => self.take_by_number(index, ends),
        }
    }
}

fn has_escapes(location: &Location) -> bool {
    location.branches.iter().any(|b| b.escape > 0)
}
