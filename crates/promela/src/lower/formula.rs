//! Linear temporal logic: temporal operators become a formula, and what lies between them its atoms.

use lurcher_ir::{Atom, Expr, Formula, PropertyKind};
use lurcher_syntax::Diagnostic;

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

    /// A temporal operator as an operand of an expression, as in `<> x == 1`, which is `(<> x) == 1`. Spin 6.5.2
    /// takes the number of the operator's token for its value, as bison assigns it.
    pub(super) fn temporal_operand(&mut self, e: &ast::Expr) -> Expr {
        use TemporalBinaryOp::{Iff, Implies, Release, Until, WeakUntil};
        let (number, operands) = match &e.kind {
            ExprKind::TemporalBinary(Implies, a, b) => {
                let not_a = Expr::Unary(UnaryOp::Not, Box::new(self.expr(a)));
                return Expr::binary(BinaryOp::Or, not_a, self.expr(b));
            }
            ExprKind::TemporalBinary(Iff, a, b) => (330, [Some(a), Some(b)]),
            ExprKind::Temporal(TemporalOp::Always, a) => (333, [Some(a), None]),
            ExprKind::Temporal(TemporalOp::Eventually, a) => (334, [Some(a), None]),
            ExprKind::TemporalBinary(Until, a, b) => (335, [Some(a), Some(b)]),
            ExprKind::TemporalBinary(Release, a, b) => (337, [Some(a), Some(b)]),
            ExprKind::Temporal(TemporalOp::Next, a) => (338, [Some(a), None]),
            // `[] a || a U b`
            ExprKind::TemporalBinary(WeakUntil, a, b) => (1, [Some(a), Some(b)]),
            _ => unreachable!("the caller has matched a temporal operator"),
        };
        for operand in operands.into_iter().flatten() {
            self.expr(operand);
        }
        let text = self.text(e.span);
        let message = format!("`{text}` is an operand here, and Spin takes {number} for its value, whatever the run");
        let note =
            "temporal operators of one operand bind tighter than comparisons: write `<> (x == 1)` for `<> x == 1`";
        self.diagnostics.push(Diagnostic::warning(e.span, message).note(note));
        Expr::Const(number)
    }
}
