//! Linear temporal logic: temporal operators become a formula, and what lies between them its atoms.

use lurcher_ir::{Atom, Formula, PropertyKind};

use super::Lowering;
use crate::ast::{self, BinaryOp, ExprKind, TemporalBinaryOp, TemporalOp, UnaryOp};

impl Lowering<'_> {
    pub(super) fn ltl_kind(&mut self, e: &ast::Expr) -> PropertyKind {
        let mut atoms = Vec::new();
        let formula = self.formula(e, &mut atoms);
        PropertyKind::Ltl { formula, atoms }
    }

    fn formula(&mut self, e: &ast::Expr, atoms: &mut Vec<Atom>) -> Formula {
        let mut sub = |l: &mut Self, e: &ast::Expr| Box::new(l.formula(e, atoms));
        match &e.kind {
            ExprKind::Const(0) => Formula::False,
            ExprKind::Const(_) => Formula::True,
            ExprKind::Unary(UnaryOp::Not, a) => Formula::Not(sub(self, a)),
            ExprKind::Binary(BinaryOp::And, a, b) => Formula::And(sub(self, a), sub(self, b)),
            ExprKind::Binary(BinaryOp::Or, a, b) => Formula::Or(sub(self, a), sub(self, b)),
            ExprKind::Temporal(TemporalOp::Always, a) => Formula::Always(sub(self, a)),
            ExprKind::Temporal(TemporalOp::Eventually, a) => Formula::Eventually(sub(self, a)),
            ExprKind::Temporal(TemporalOp::Next, a) => Formula::Next(sub(self, a)),
            ExprKind::TemporalBinary(op, a, b) => {
                let (a, b) = (sub(self, a), sub(self, b));
                match op {
                    TemporalBinaryOp::Until => Formula::Until(a, b),
                    TemporalBinaryOp::WeakUntil => Formula::WeakUntil(a, b),
                    TemporalBinaryOp::Release => Formula::Release(a, b),
                    TemporalBinaryOp::Implies => Formula::Implies(a, b),
                    TemporalBinaryOp::Iff => Formula::Iff(a, b),
                }
            }
            _ => {
                let atom = Atom::Expr(self.expr(e));
                Formula::atom(atoms, atom)
            }
        }
    }
}
