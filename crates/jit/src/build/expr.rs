//! Expressions and places.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use lurcher_ir::{BinaryOp, Expr, Frame, Place, Probe, UnaryOp};

use super::emit::Emit;
use crate::boundary;
use crate::run::{code, field};

impl Emit<'_, '_, '_> {
    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Const(v) | Expr::Symbol(v, _) => self.int(*v),
            Expr::Read(place) => self.read(place),
            Expr::Unary(UnaryOp::Minus, e) => {
                let value = self.value(e);
                self.b.ins().ineg(value)
            }
            Expr::Unary(UnaryOp::Complement, e) => {
                let value = self.value(e);
                self.b.ins().bnot(value)
            }
            Expr::Unary(UnaryOp::Not, e) => {
                let value = self.value(e);
                let zero = self.test_int(IntCC::Equal, value, 0);
                self.b.ins().uextend(I32, zero)
            }
            Expr::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.truth_value(expr),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Cond(c, a, b) => {
                let (yes, no, join) = (self.block(), self.block(), self.block());
                let result = self.b.append_block_param(join, I32);
                self.condition(c, yes, no);
                for (block, e) in [(yes, a), (no, b)] {
                    self.enter(block);
                    let value = self.value(e);
                    self.go_with(join, value);
                }
                self.enter(join);
                result
            }
            Expr::Len(c) => {
                let channel = self.channel(c);
                self.channel_len(&channel)
            }
            Expr::Probe(probe, c) => {
                let channel = self.channel(c);
                let len = self.channel_len(&channel);
                let truth = match probe {
                    Probe::Empty => self.test_int(IntCC::Equal, len, 0),
                    Probe::NotEmpty => self.test_int(IntCC::NotEqual, len, 0),
                    Probe::Full | Probe::NotFull => {
                        let slots = self.channel_slots(&channel);
                        let cc = if *probe == Probe::Full {
                            IntCC::UnsignedGreaterThanOrEqual
                        } else {
                            IntCC::UnsignedLessThan
                        };
                        self.test(cc, len, slots)
                    }
                };
                self.b.ins().uextend(I32, truth)
            }
            Expr::Poll(..) => self.truth_value(expr),
            Expr::Run(..) => self.created.unwrap_or_else(|| self.int(1)),
            Expr::Pid => self.pid.unwrap_or_else(|| self.int(0)),
            Expr::ProcessCount => {
                let count = self.register(I32, field!(process_count));
                if self.unit.facts.with_claim { self.b.ins().iadd_imm_s(count, 1) } else { count }
            }
            Expr::Last => match self.unit.facts.layout.last_at() {
                Some(at) => {
                    let bytes = self.bytes();
                    self.word(bytes, at as i32)
                }
                None => self.int(0),
            },
            Expr::Timeout => self.timeout(),
            Expr::PcValue(p) => self.of_process(p, |emit, frame, _| emit.word(frame, 2)),
            Expr::At(p, _, location) => {
                let location = i32::from(location.0);
                self.of_process(p, |emit, frame, _| {
                    let here = emit.word(frame, 2);
                    let truth = emit.test_int(IntCC::Equal, here, location);
                    emit.b.ins().uextend(I32, truth)
                })
            }
            Expr::NonProgress | Expr::Enabled(_) | Expr::Priority(_) | Expr::FirstOf(_) => self.interpreted_value(expr),
        }
    }

    /// The value of an expression, computed by the interpreter.
    fn interpreted_value(&mut self, expr: &Expr) -> Value {
        let address = self.long(std::ptr::from_ref(expr) as i64);
        let process = self.pid.unwrap_or_else(|| self.int(-1));
        let timeout = self.timeout();
        let found = self.host_value(boundary::value as *const (), &[address, process, timeout], I64);
        let high = self.b.ins().ushr_imm_s(found, 32);
        let (met, next) = (self.cold_block(), self.block());
        self.branch(high, met, next);
        self.enter(met);
        self.interpreted_fault();
        self.enter(next);
        self.b.ins().ireduce(I32, found)
    }

    /// A truth value as 0 or 1.
    fn truth_value(&mut self, expr: &Expr) -> Value {
        let (yes, no, join) = (self.block(), self.block(), self.block());
        let result = self.b.append_block_param(join, I32);
        self.condition(expr, yes, no);
        for (block, value) in [(yes, 1), (no, 0)] {
            self.enter(block);
            let value = self.int(value);
            self.go_with(join, value);
        }
        self.enter(join);
        result
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Value {
        if let Some(cc) = comparison(op) {
            let (a, b) = (self.value(a), self.value(b));
            let truth = self.test(cc, a, b);
            return self.b.ins().uextend(I32, truth);
        }
        let left = self.value(a);
        let right = self.value(b);
        match op {
            BinaryOp::Add => self.b.ins().iadd(left, right),
            BinaryOp::Sub => self.b.ins().isub(left, right),
            BinaryOp::Mul => self.b.ins().imul(left, right),
            BinaryOp::BitAnd => self.b.ins().band(left, right),
            BinaryOp::BitXor => self.b.ins().bxor(left, right),
            BinaryOp::BitOr => self.b.ins().bor(left, right),
            // The instructions use the low five bits of the distance, as Promela does.
            BinaryOp::Shl => self.b.ins().ishl(left, right),
            BinaryOp::Shr => self.b.ins().sshr(left, right),
            BinaryOp::Div | BinaryOp::Mod => self.divide(op, left, right, b),
            _ => unreachable!("comparisons and connectives are handled elsewhere"),
        }
    }

    fn divide(&mut self, op: BinaryOp, left: Value, right: Value, divisor: &Expr) -> Value {
        let constant = match divisor {
            Expr::Const(v) if *v != 0 => Some(*v),
            _ => None,
        };
        if constant.is_none() {
            let zero = self.test_int(IntCC::Equal, right, 0);
            self.fault_if(zero, code::DIVISION_BY_ZERO, None);
        }
        if op == BinaryOp::Mod {
            return match constant {
                Some(-1) => self.int(0),
                _ => self.b.ins().srem(left, right),
            };
        }
        if constant.is_some_and(|v| v != -1) {
            return self.b.ins().sdiv(left, right);
        }
        // The smallest number divided by -1 is itself; the division instruction would trap.
        let negative = self.test_int(IntCC::Equal, right, -1);
        let one = self.int(1);
        let safe = self.b.ins().select(negative, one, right);
        let quotient = self.b.ins().sdiv(left, safe);
        let negated = self.b.ins().ineg(left);
        self.b.ins().select(negative, negated, quotient)
    }

    /// Jumps to `yes` if an expression is true, else to `no`.
    pub fn condition(&mut self, expr: &Expr, yes: Block, no: Block) {
        match expr {
            Expr::Const(v) => self.go(if *v != 0 { yes } else { no }),
            Expr::Unary(UnaryOp::Not, e) => self.condition(e, no, yes),
            Expr::Binary(BinaryOp::And, a, b) => {
                let next = self.block();
                self.condition(a, next, no);
                self.enter(next);
                self.condition(b, yes, no);
            }
            Expr::Binary(BinaryOp::Or, a, b) => {
                let next = self.block();
                self.condition(a, yes, next);
                self.enter(next);
                self.condition(b, yes, no);
            }
            Expr::Binary(op, a, b) if comparison(*op).is_some() => {
                let cc = comparison(*op).expect("tested by the guard");
                let (a, b) = (self.value(a), self.value(b));
                let truth = self.test(cc, a, b);
                self.branch(truth, yes, no);
            }
            Expr::Poll(c, random, fields) => {
                let channel = self.channel(c);
                let capacity = self.channel_capacity(&channel);
                let none = self.test_int(IntCC::Equal, capacity, 0);
                self.fault_if(none, code::POLLED_RENDEZVOUS, None);
                self.find_message(&channel, *random, fields, yes, no);
            }
            _ => {
                let value = self.value(expr);
                self.branch(value, yes, no);
            }
        }
    }

    /// A value that depends on the process of a pid, or 0. `ask` gets the frame of the process and a block for 0, which is
    /// also the value if the process does not exist.
    fn of_process(&mut self, number: &Expr, ask: impl FnOnce(&mut Self, Value, Block) -> Value) -> Value {
        let number = self.value(number);
        let (missing, join) = (self.block(), self.block());
        let result = self.b.append_block_param(join, I32);
        let count = self.register(I32, field!(process_count));
        let inside = self.test(IntCC::UnsignedLessThan, number, count);
        self.leave_unless(inside, missing);
        let frame = self.frame_of(number);
        let answer = ask(self, frame, missing);
        self.go_with(join, answer);
        self.enter(missing);
        let zero = self.int(0);
        self.go_with(join, zero);
        self.enter(join);
        result
    }

    fn read(&mut self, place: &Place) -> Value {
        let header = self.unit.facts.layout.process_header() as i64;
        match &place.frame {
            Frame::Local if self.pid.is_none() => self.int(0),
            Frame::Process(number, ty) => self.of_process(number, |emit, frame, missing| {
                let kind = emit.word(frame, 0);
                let same = emit.test_int(IntCC::Equal, kind, i32::from(ty.0));
                emit.leave_unless(same, missing);
                let (base, offset) = emit.indexed(frame, header, place);
                emit.load(place.scalar, base, offset)
            }),
            Frame::Global | Frame::Local => {
                let (base, offset) = self.address(place).expect("a place of this frame");
                self.load(place.scalar, base, offset)
            }
        }
    }

    /// The address of a place of the globals or of the current process.
    pub fn address(&mut self, place: &Place) -> Option<(Value, i32)> {
        let (base, offset) = match &place.frame {
            Frame::Global => (self.bytes(), self.unit.facts.layout.globals_at() as i64),
            Frame::Local if self.pid.is_some() => (self.frame(), self.unit.facts.layout.process_header() as i64),
            _ => return None,
        };
        Some(self.indexed(base, offset, place))
    }

    fn indexed(&mut self, base: Value, offset: i64, place: &Place) -> (Value, i32) {
        let mut offset = offset + i64::from(place.offset);
        let mut base = base;
        for index in &place.indices {
            if let Expr::Const(i) = index.expr
                && (i as u32) < index.count
            {
                offset += i64::from(i as u32) * i64::from(index.stride);
                continue;
            }
            let i = self.index(&index.expr, index.count);
            base = self.element(base, i, i64::from(index.stride));
        }
        match i32::try_from(offset) {
            Ok(offset) => (base, offset),
            Err(_) => (self.add_long(base, offset), 0),
        }
    }

    /// The value of an index; faults if it is out of bounds.
    pub fn index(&mut self, expr: &Expr, count: u32) -> Value {
        let i = self.value(expr);
        let bound = self.int(count as i32);
        let outside = self.test(IntCC::UnsignedGreaterThanOrEqual, i, bound);
        self.fault_if(outside, code::INDEX_OUT_OF_BOUNDS, Some((i, bound)));
        i
    }
}

fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Gt => IntCC::SignedGreaterThan,
        BinaryOp::Lt => IntCC::SignedLessThan,
        BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::Le => IntCC::SignedLessThanOrEqual,
        BinaryOp::Eq => IntCC::Equal,
        BinaryOp::Ne => IntCC::NotEqual,
        _ => return None,
    })
}
