//! Branch selection at locations with two branches, without jumps between the tests.
//!
//! Trying two branches in random order takes a jump to the drawn one and a jump away if it is disabled, both
//! unpredictable. If the tests are cheap, both are computed and the branch is selected by arithmetic. One jump is left,
//! and if only one branch can be enabled (a guard and `else`), it depends on the state alone. For three branches this pays
//! only if their guards are mutually exclusive (`exclusive.rs`).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use lurcher_ir::{ActionKind, BinaryOp, Expr, Frame, Location, Place, ReceiveField, UnaryOp};

use super::emit::{Emit, OnFault};
use crate::facts::always_possible;
use crate::run::field;

impl<'m> Emit<'_, '_, 'm> {
    /// Whether both branches of a location can be tested without jumps.
    pub fn is_pair(&self, location: &Location) -> bool {
        let ty = self.ty();
        let branchless = |kind: &ActionKind| kind.is_else() || self.branchless_guard(kind);
        location.branches.len() == 2
            && !ty.deterministic
            && location.branches.iter().all(|b| b.escape == 0 && branchless(&ty.action(b.action).kind))
    }

    fn branchless_guard(&self, kind: &ActionKind) -> bool {
        match kind {
            ActionKind::Guard(e) => branchless(e),
            ActionKind::Send(c, ..) => self.branchless_channel(c),
            ActionKind::Receive { channel, random: false, copy: false, fields } => {
                let patterns = fields.iter().filter_map(ReceiveField::pattern).all(branchless);
                self.branchless_channel(channel) && patterns && self.carries(fields.len())
            }
            ActionKind::DStep(sequence) => match sequence.guards.as_slice() {
                [] => true,
                [guard @ ActionKind::Guard(_)] => self.branchless_guard(guard),
                _ => false,
            },
            _ => always_possible(kind),
        }
    }

    /// Whether the channel has a single possible type, which is buffered.
    fn branchless_channel(&self, channel: &Expr) -> bool {
        let types = &self.unit.facts.model.channel_types;
        let one = matches!(types.as_slice(), [only] if only.capacity > 0);
        let fixed = match channel {
            Expr::Read(place) => self.unit.facts.fixed_channels(place),
            _ => None,
        };
        branchless(channel) && fixed.map_or(one, |f| self.channel_type(f.ty).capacity > 0)
    }

    /// Whether the messages of all channels have so many fields.
    fn carries(&self, fields: usize) -> bool {
        self.unit.facts.model.channel_types.iter().all(|t| t.fields.len() >= fields)
    }

    /// The test of a branch as a truth value.
    pub fn branchless_truth(&mut self, kind: &ActionKind) -> Value {
        match kind {
            ActionKind::Guard(e) => self.truth(e),
            ActionKind::DStep(sequence) if !sequence.guards.is_empty() => self.branchless_truth(&sequence.guards[0]),
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
                    if let Some(e) = wanted.pattern() {
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

    /// The truth value of a condition.
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

    /// If the channel is empty, both receives are disabled: jumps to `none`.
    fn leave_if_empty(&mut self, channel: &Expr, none: Block) {
        let channel = self.channel(channel);
        let len = self.channel_len(&channel);
        let (some, empty) = (self.block(), self.block());
        self.branch(len, some, empty);
        self.enter(empty);
        let two = self.int(2);
        self.skip_draw(two);
        self.add_to_register(I64, field!(tries), 2);
        self.go(none);
        self.enter(some);
    }

    /// Selects a branch of a pair: jumps to its block, or to `none`. On a fault, jumps to `faulted` before anything is
    /// drawn.
    pub fn choose_of_two(&mut self, location: &Location, [first, second]: [Block; 2], none: Block, faulted: Block) {
        let ty = self.ty();
        let [one, other] = [0, 1].map(|i| &ty.action(location.branches[i].action).kind);
        self.on_fault = OnFault::Jump(faulted);
        if let Some(channel) = received_from(one, other) {
            self.leave_if_empty(channel, none);
        }
        // An `else` in first place is always enabled.
        let one = if one.is_else() { self.b.ins().iconst(I8, 1) } else { self.branchless_truth(one) };
        let other = if other.is_else() { self.b.ins().bxor_imm_s(one, 1) } else { self.branchless_truth(other) };
        let two = self.int(2);
        let drawn = self.below(two);
        let hit = self.b.ins().select(drawn, other, one);

        let hit_count = self.wide(hit);
        let tries = self.register(I64, field!(tries));
        let tries = self.b.ins().iadd_imm_s(tries, 2);
        let tries = self.b.ins().isub(tries, hit_count);
        self.set_register(field!(tries), tries);

        let any = self.b.ins().bor(one, other);
        self.leave_unless(any, none);
        // The second try is the remaining branch, without a draw.
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

/// Whether an expression is evaluated without jumps, faults aside.
pub(super) fn branchless(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Symbol(..) | Expr::Pid | Expr::Timeout => true,
        Expr::Read(place) => branchless_place(place),
        Expr::Unary(_, e) | Expr::Len(e) | Expr::Probe(_, e) => branchless(e),
        Expr::Binary(BinaryOp::Div | BinaryOp::Mod, ..) => false,
        Expr::Binary(_, a, b) => branchless(a) && branchless(b),
        _ => false,
    }
}

fn branchless_place(place: &Place) -> bool {
    matches!(place.frame, Frame::Global | Frame::Local) && place.indices.iter().all(|i| branchless(&i.expr))
}
