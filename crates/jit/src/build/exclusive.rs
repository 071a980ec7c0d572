//! Locations with three conditions of which at most one holds, tested all at once.
//!
//! `if :: a > b … :: a < b … :: else … fi` and the like. The order in which the three are tried decides how many tries it takes
//! and how many numbers are drawn, but not which one is taken: that depends on the state alone. So it is found by
//! arithmetic, as for pairs (`pair.rs`), and instead of a jump to each branch tried and one away from it there is one jump to the
//! branch that is taken. Where several branches are possible, a machine can guess no jump anyway, and nothing is gained.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder};
use lurcher_ir::{ActionKind, BinaryOp, Expr, Location};

use super::emit::{Emit, OnFault};
use super::pair::flat;
use crate::facts::is_else;
use crate::run::field;

impl<'m> Emit<'_, '_, 'm> {
    fn kinds(&self, location: &Location) -> Vec<&'m ActionKind> {
        let ty = self.ty();
        location.branches.iter().map(|b| &ty.action(b.action).kind).collect()
    }

    /// Does a location have three conditions of which at most one holds?
    pub fn is_exclusive(&self, location: &Location) -> bool {
        let kinds = self.kinds(location);
        let [one, two, three] = kinds.as_slice() else { return false };
        let simple = |kind: &ActionKind| is_else(kind) || matches!(kind, ActionKind::Guard(e) if flat(e));
        let apart = |a: &ActionKind, b: &ActionKind| is_else(b) || excludes(a, b);
        !self.ty().deterministic
            && location.branches.iter().all(|b| b.escape == 0)
            && kinds.iter().all(|kind| simple(kind))
            && apart(one, two)
            && apart(one, three)
            && apart(two, three)
    }

    /// Tries the branches of such a location: goes to the block of the one that is taken, or to `none`. When a fault is
    /// met, control goes to `faulted`, and nothing was drawn.
    pub fn choose_of_three(&mut self, location: &Location, takes: [Block; 3], none: Block, faulted: Block) {
        self.on_fault = OnFault::Go(faulted);
        let mut truths = Vec::new();
        let mut any = self.b.ins().iconst(cranelift_codegen::ir::types::I8, 0);
        for kind in self.kinds(location) {
            let truth = if is_else(kind) { self.b.ins().bxor_imm_s(any, 1) } else { self.flat_truth(kind) };
            any = self.b.ins().bor(any, truth);
            truths.push(truth);
        }
        // The number of the one that is possible, 3 when none is.
        let [second, third] = [1, 2].map(|i: usize| self.b.ins().uextend(I32, truths[i]));
        let third = self.b.ins().ishl_imm_s(third, 1);
        let number = self.b.ins().bor(second, third);
        let nothing = self.int(3);
        let number = self.b.ins().select(any, number, nothing);

        let bound = self.int(3);
        let drawn = self.below(bound);
        let hit = self.test(IntCC::Equal, drawn, number);
        let once = self.random();
        // What is drawn next is one of the first two, or the last in the place of the one drawn before.
        let two = self.int(2);
        let next = self.below(two);
        let gone = self.test(IntCC::Equal, next, drawn);
        let next = self.b.ins().select(gone, two, next);
        let hit_next = self.test(IntCC::Equal, next, number);
        self.restore_random_if(hit, once);

        // Three tries, or two, or one.
        let [hit, hit_next] = [hit, hit_next].map(|h| self.b.ins().uextend(I64, h));
        let saved = self.b.ins().ishl_imm_s(hit, 1);
        let saved = self.b.ins().iadd(saved, hit_next);
        let tries = self.register(I64, field::TRIES);
        let tries = self.b.ins().iadd_imm_s(tries, 3);
        let tries = self.b.ins().isub(tries, saved);
        self.set_register(field::TRIES, tries);

        let cases: Vec<(u32, Block)> = takes.iter().enumerate().map(|(i, block)| (i as u32, *block)).collect();
        self.dispatch(number, &cases, none);
    }
}

/// Can two conditions never hold both?
fn excludes(one: &ActionKind, other: &ActionKind) -> bool {
    let (ActionKind::Guard(Expr::Binary(p, a, b)), ActionKind::Guard(Expr::Binary(q, c, d))) = (one, other) else {
        return false;
    };
    let constants =
        matches!((&**b, &**d), (Expr::Const(b) | Expr::Symbol(b, _), Expr::Const(d) | Expr::Symbol(d, _)) if b != d);
    a == c && (b == d && relation(*p) & relation(*q) == 0 || constants && (*p, *q) == (BinaryOp::Eq, BinaryOp::Eq))
}

/// In which cases two numbers compare as an operator says, one bit each: less, equal, greater. All, where it compares nothing.
fn relation(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Lt => 0b001,
        BinaryOp::Le => 0b011,
        BinaryOp::Eq => 0b010,
        BinaryOp::Ne => 0b101,
        BinaryOp::Gt => 0b100,
        BinaryOp::Ge => 0b110,
        _ => 0b111,
    }
}
