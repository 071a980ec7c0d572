//! Branch selection at locations with three mutually exclusive guards.
//!
//! As in `if :: a > b … :: a < b … :: else … fi`. The order in which the branches are tried decides the number of tries and
//! draws, but not which branch is executed. So the branch is selected by arithmetic, as for pairs (`pair.rs`), with one
//! jump instead of two per try. If several branches could be enabled, the jump would be unpredictable anyway.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder};
use lurcher_ir::{ActionKind, BinaryOp, Expr, Location};

use super::emit::{Emit, OnFault};
use super::pair::branchless;
use crate::run::field;

impl<'m> Emit<'_, '_, 'm> {
    fn kinds(&self, location: &Location) -> Vec<&'m ActionKind> {
        let ty = self.ty();
        location.branches.iter().map(|b| &ty.action(b.action).kind).collect()
    }

    /// Whether a location has three mutually exclusive guards.
    pub fn is_exclusive(&self, location: &Location) -> bool {
        let kinds = self.kinds(location);
        let [one, two, three] = kinds.as_slice() else { return false };
        let simple = |kind: &ActionKind| kind.is_else() || matches!(kind, ActionKind::Guard(e) if branchless(e));
        let apart = |a: &ActionKind, b: &ActionKind| b.is_else() || excludes(a, b);
        !self.ty().deterministic
            && location.branches.iter().all(|b| b.escape == 0)
            && kinds.iter().all(|kind| simple(kind))
            && apart(one, two)
            && apart(one, three)
            && apart(two, three)
    }

    /// Selects a branch of such a location: jumps to its block, or to `none`. On a fault, jumps to `faulted` before anything
    /// is drawn.
    pub fn choose_of_three(&mut self, location: &Location, takes: [Block; 3], none: Block, faulted: Block) {
        self.on_fault = OnFault::Jump(faulted);
        let mut truths = Vec::new();
        let mut any = self.b.ins().iconst(cranelift_codegen::ir::types::I8, 0);
        for kind in self.kinds(location) {
            let truth = if kind.is_else() { self.b.ins().bxor_imm_s(any, 1) } else { self.branchless_truth(kind) };
            any = self.b.ins().bor(any, truth);
            truths.push(truth);
        }
        // The enabled branch, or 3.
        let [second, third] = [1, 2].map(|i: usize| self.b.ins().uextend(I32, truths[i]));
        let third = self.b.ins().ishl_imm_s(third, 1);
        let number = self.b.ins().bor(second, third);
        let nothing = self.int(3);
        let number = self.b.ins().select(any, number, nothing);

        let bound = self.int(3);
        let drawn = self.below(bound);
        let hit = self.test(IntCC::Equal, drawn, number);
        let once = self.random();
        // The second draw is from a pool of two; branch 2 has taken the place of the first one drawn.
        let two = self.int(2);
        let next = self.below(two);
        let gone = self.test(IntCC::Equal, next, drawn);
        let next = self.b.ins().select(gone, two, next);
        let hit_next = self.test(IntCC::Equal, next, number);
        self.restore_random_if(hit, once);

        let [hit, hit_next] = [hit, hit_next].map(|h| self.b.ins().uextend(I64, h));
        let saved = self.b.ins().ishl_imm_s(hit, 1);
        let saved = self.b.ins().iadd(saved, hit_next);
        let tries = self.register(I64, field!(tries));
        let tries = self.b.ins().iadd_imm_s(tries, 3);
        let tries = self.b.ins().isub(tries, saved);
        self.set_register(field!(tries), tries);

        let cases: Vec<(u32, Block)> = takes.iter().enumerate().map(|(i, block)| (i as u32, *block)).collect();
        self.dispatch(number, &cases, none);
    }
}

/// Whether two guards are never true together.
fn excludes(one: &ActionKind, other: &ActionKind) -> bool {
    let (ActionKind::Guard(Expr::Binary(p, a, b)), ActionKind::Guard(Expr::Binary(q, c, d))) = (one, other) else {
        return false;
    };
    let constants =
        matches!((&**b, &**d), (Expr::Const(b) | Expr::Symbol(b, _), Expr::Const(d) | Expr::Symbol(d, _)) if b != d);
    a == c && (b == d && relation(*p) & relation(*q) == 0 || constants && (*p, *q) == (BinaryOp::Eq, BinaryOp::Eq))
}

/// The outcomes of a comparison for which an operator is true, as bits: less, equal, greater. All for other operators.
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
