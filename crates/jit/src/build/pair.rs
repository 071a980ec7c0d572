//! Locations with two branches that are tested both at once, without a jump.
//!
//! Trying two branches in random order is a jump to the one drawn, and one away from it when it is not possible: a machine
//! can guess neither. Where the tests are a few instructions, it is cheaper to make both and to find the branch that is
//! taken by arithmetic. Then one jump is left, and where only one branch is possible (a condition and `else`, say) it
//! depends on the state alone. More branches than two need more draws the more of them fail, and gain nothing where several
//! are possible; `exclusive.rs` has those where at most one is.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use lurcher_ir::{ActionKind, BinaryOp, Expr, Frame, Location, Place, ReceiveField, UnaryOp};

use super::emit::{Emit, OnFault};
use crate::facts::{always_possible, is_else};
use crate::run::field;

impl<'m> Emit<'_, '_, 'm> {
    /// Can a location have its branches tested both at once?
    pub fn is_pair(&self, location: &Location) -> bool {
        let ty = self.ty();
        let flat = |kind: &ActionKind| is_else(kind) || self.flat_test(kind);
        location.branches.len() == 2
            && !ty.deterministic
            && location.branches.iter().all(|b| b.escape == 0 && flat(&ty.action(b.action).kind))
    }

    fn flat_test(&self, kind: &ActionKind) -> bool {
        match kind {
            ActionKind::Guard(e) => flat(e),
            ActionKind::Send(c, ..) => self.flat_channel(c),
            ActionKind::Receive { channel, random: false, copy: false, fields } => {
                let field = |f: &ReceiveField| match f {
                    ReceiveField::Match(e) | ReceiveField::Eval(e) => flat(e),
                    _ => true,
                };
                self.flat_channel(channel) && fields.iter().all(field) && self.carries(fields.len())
            }
            ActionKind::DStep(sequence) => match sequence.guards.as_slice() {
                [] => true,
                [guard @ ActionKind::Guard(_)] => self.flat_test(guard),
                _ => false,
            },
            _ => always_possible(kind),
        }
    }

    /// Is this a channel of the only type that there is, one that holds messages?
    fn flat_channel(&self, channel: &Expr) -> bool {
        let types = &self.unit.facts.model.channel_types;
        let one = matches!(types.as_slice(), [only] if only.capacity > 0);
        let fixed = match channel {
            Expr::Read(place) => self.unit.facts.fixed_channels(place),
            _ => None,
        };
        flat(channel) && fixed.map_or(one, |f| self.channel_type(f.ty).capacity > 0)
    }

    /// Do messages of all channels have so many fields?
    fn carries(&self, fields: usize) -> bool {
        self.unit.facts.model.channel_types.iter().all(|t| t.fields.len() >= fields)
    }

    pub fn flat_truth(&mut self, kind: &ActionKind) -> Value {
        match kind {
            ActionKind::Guard(e) => self.truth(e),
            ActionKind::DStep(sequence) if !sequence.guards.is_empty() => self.flat_truth(&sequence.guards[0]),
            ActionKind::Send(c, ..) if !self.unit.facts.message_loss => {
                let channel = self.channel(c);
                let (len, slots) = (self.channel_len(&channel), self.channel_slots(&channel));
                self.test(IntCC::UnsignedLessThan, len, slots)
            }
            ActionKind::Send(c, ..) => {
                self.channel(c);
                self.b.ins().iconst(I8, 1)
            }
            ActionKind::Receive { channel: c, fields, .. } => {
                let channel = self.channel(c);
                let len = self.channel_len(&channel);
                let mut truth = self.test_int(IntCC::NotEqual, len, 0);
                let (ty, first) = (channel.types[0], self.int(0));
                let at = self.message_at(&channel, ty, first);
                let mut offset = 0;
                for (wanted, scalar) in fields.iter().zip(&self.channel_type(ty).fields) {
                    if let ReceiveField::Match(e) | ReceiveField::Eval(e) = wanted {
                        let (expected, value) = (self.value(e), self.load(*scalar, at, offset));
                        let equal = self.test(IntCC::Equal, expected, value);
                        truth = self.b.ins().band(truth, equal);
                    }
                    offset += scalar.size() as i32;
                }
                truth
            }
            _ => self.b.ins().iconst(I8, 1),
        }
    }

    /// The value of a flat condition, as a truth.
    fn truth(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Unary(UnaryOp::Not, e) => {
                let truth = self.truth(e);
                self.b.ins().bxor_imm_s(truth, 1)
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                if *op == BinaryOp::And { self.b.ins().band(a, b) } else { self.b.ins().bor(a, b) }
            }
            _ => {
                let value = self.value(expr);
                self.test_int(IntCC::NotEqual, value, 0)
            }
        }
    }

    /// Where a channel is empty, both branches that receive from it are tried in vain, whatever they want.
    fn leave_if_empty(&mut self, channel: &Expr, none: Block) {
        let channel = self.channel(channel);
        let len = self.channel_len(&channel);
        let (some, empty) = (self.block(), self.block());
        self.branch(len, some, empty);
        self.enter(empty);
        let two = self.int(2);
        self.pass_draw(two);
        let tries = self.register(I64, field::TRIES);
        let tries = self.b.ins().iadd_imm_s(tries, 2);
        self.set_register(field::TRIES, tries);
        self.go(none);
        self.enter(some);
    }

    /// Tries the branches of a pair: goes to the block of the one that is taken, or to `none`. When a fault is met, control
    /// goes to `faulted`, and nothing was drawn.
    pub fn choose_of_two(&mut self, location: &Location, [first, second]: [Block; 2], none: Block, faulted: Block) {
        let ty = self.ty();
        let [one, other] = [0, 1].map(|i| &ty.action(location.branches[i].action).kind);
        self.on_fault = OnFault::Go(faulted);
        if let Some(channel) = received_from(one, other) {
            self.leave_if_empty(channel, none);
        }
        // There is nothing before the first that could make it impossible, should it be an `else`.
        let one = if is_else(one) { self.b.ins().iconst(I8, 1) } else { self.flat_truth(one) };
        let other = if is_else(other) { self.b.ins().bxor_imm_s(one, 1) } else { self.flat_truth(other) };
        let two = self.int(2);
        let drawn = self.below(two);
        let hit = self.b.ins().select(drawn, other, one);

        let hit_count = self.wide(hit);
        let tries = self.register(I64, field::TRIES);
        let tries = self.b.ins().iadd_imm_s(tries, 2);
        let tries = self.b.ins().isub(tries, hit_count);
        self.set_register(field::TRIES, tries);

        let (some, any) = (self.block(), self.b.ins().bor(one, other));
        self.branch(any, some, none);
        self.enter(some);
        // Nothing is drawn to find the second: it is the one that is left.
        let left = self.b.ins().bxor_imm_s(drawn, 1);
        let taken = self.b.ins().select(hit, drawn, left);
        self.branch(taken, second, first);
    }
}

/// The channel that two branches both receive from.
fn received_from<'a>(one: &'a ActionKind, other: &ActionKind) -> Option<&'a Expr> {
    match (one, other) {
        (ActionKind::Receive { channel, .. }, ActionKind::Receive { channel: same, .. }) => {
            (channel == same).then_some(channel)
        }
        _ => None,
    }
}

/// Is the value of an expression computed without a jump, faults aside?
pub(super) fn flat(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Symbol(..) | Expr::Pid | Expr::Timeout => true,
        Expr::Read(place) => flat_place(place),
        Expr::Unary(_, e) | Expr::Len(e) | Expr::Probe(_, e) => flat(e),
        Expr::Binary(BinaryOp::Div | BinaryOp::Mod, ..) => false,
        Expr::Binary(_, a, b) => flat(a) && flat(b),
        _ => false,
    }
}

fn flat_place(place: &Place) -> bool {
    matches!(place.frame, Frame::Global | Frame::Local) && place.indices.iter().all(|i| flat(&i.expr))
}
