//! Expressions and formulas, by precedence climbing.
//!
//! All binary operators associate to the left, implication too; `operator` has Spin's precedences. Unary operators bind
//! tightest, temporal ones included.
//!
//! Channel tests (`full(q)` and so on) can be combined with `&&` and `||` only, so that `!full(q)`, which partial-order
//! reduction cannot handle, is not an expression.

use lurcher_syntax::{Diagnostic, Span};

use super::token::T;
use super::{P, Parser, limits};
use crate::ast::{BinaryOp, Expr, ExprKind, TemporalBinaryOp, TemporalOp, UnaryOp};

/// An expression with facts for the grammar.
pub(super) struct Operand {
    pub expr: Expr,
    pub height: u32,
    /// The span of a channel test in it.
    pub probe: Option<Span>,
}

impl Operand {
    pub(super) fn leaf(kind: ExprKind, span: Span) -> Self {
        Operand { expr: Expr { kind, span }, height: 1, probe: None }
    }
}

/// Binary operators.
#[derive(Clone, Copy)]
pub(super) enum Operator {
    Plain(BinaryOp),
    Temporal(TemporalBinaryOp),
}

/// A binary operator and its precedence.
pub(super) fn operator(kind: T) -> Option<(Operator, u8)> {
    use Operator::{Plain, Temporal};
    Some(match kind {
        T::Implies => (Temporal(TemporalBinaryOp::Implies), 1),
        T::Iff => (Temporal(TemporalBinaryOp::Iff), 1),
        T::Or => (Plain(BinaryOp::Or), 2),
        T::And => (Plain(BinaryOp::And), 3),
        T::Until => (Temporal(TemporalBinaryOp::Until), 4),
        T::WeakUntil => (Temporal(TemporalBinaryOp::WeakUntil), 4),
        T::Release => (Temporal(TemporalBinaryOp::Release), 4),
        T::Pipe => (Plain(BinaryOp::BitOr), 5),
        T::Caret => (Plain(BinaryOp::BitXor), 6),
        T::Amp => (Plain(BinaryOp::BitAnd), 7),
        T::Eq => (Plain(BinaryOp::Eq), 8),
        T::Ne => (Plain(BinaryOp::Ne), 8),
        T::Lt => (Plain(BinaryOp::Lt), 9),
        T::Gt => (Plain(BinaryOp::Gt), 9),
        T::Le => (Plain(BinaryOp::Le), 9),
        T::Ge => (Plain(BinaryOp::Ge), 9),
        T::Shl => (Plain(BinaryOp::Shl), 10),
        T::Shr => (Plain(BinaryOp::Shr), 10),
        T::Plus => (Plain(BinaryOp::Add), 11),
        T::Minus => (Plain(BinaryOp::Sub), 11),
        T::Star => (Plain(BinaryOp::Mul), 12),
        T::Slash => (Plain(BinaryOp::Div), 12),
        T::Percent => (Plain(BinaryOp::Mod), 12),
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    /// An expression in which channel tests are allowed.
    pub(super) fn full_expr(&mut self) -> P<Expr> {
        Ok(self.operand()?.expr)
    }

    /// An expression without channel tests.
    pub(super) fn expr(&mut self) -> P<Expr> {
        let operand = self.operand()?;
        self.no_probe(&operand);
        Ok(operand.expr)
    }

    pub(super) fn operand(&mut self) -> P<Operand> {
        let left = self.unary()?;
        self.binary(left, 0)
    }

    /// An expression whose first operand is given.
    pub(super) fn full_expr_from(&mut self, left: Operand) -> P<Expr> {
        Ok(self.binary(left, 0)?.expr)
    }

    pub(super) fn no_probe(&mut self, operand: &Operand) {
        if let Some(probe) = operand.probe {
            self.report(
                Diagnostic::error(probe, "a channel test can only be combined with `&&` and `||` here")
                    .note("write `nfull(q)` for `!full(q)` and `nempty(q)` for `!empty(q)`, or use `len(q)`"),
            );
        }
    }

    fn binary(&mut self, mut left: Operand, minimum: u8) -> P<Operand> {
        while let Some((operator, power)) = operator(self.peek().kind).filter(|&(_, power)| power > minimum) {
            self.bump();
            let right = self.nested(Self::unary)?;
            let right = self.binary(right, power)?;
            left = self.combine(operator, left, right)?;
        }
        Ok(left)
    }

    fn combine(&mut self, operator: Operator, left: Operand, right: Operand) -> P<Operand> {
        let probe = left.probe.or(right.probe);
        let keeps_probes = matches!(operator, Operator::Plain(BinaryOp::And | BinaryOp::Or));
        if !keeps_probes {
            self.no_probe(&left);
            self.no_probe(&right);
        }
        let span = left.expr.span.to(right.expr.span);
        let height = left.height.max(right.height) + 1;
        self.check_height(height, span)?;
        let (l, r) = (Box::new(left.expr), Box::new(right.expr));
        let kind = match operator {
            Operator::Plain(op) => ExprKind::Binary(op, l, r),
            Operator::Temporal(op) => ExprKind::TemporalBinary(op, l, r),
        };
        Ok(Operand { expr: Expr { kind, span }, height, probe: probe.filter(|_| keeps_probes) })
    }

    pub(super) fn check_height(&mut self, height: u32, span: Span) -> P<()> {
        if height <= limits::EXPRESSION_HEIGHT {
            return Ok(());
        }
        let message = format!("this expression has more than {} operators in a row", limits::EXPRESSION_HEIGHT);
        self.fail(Diagnostic::error(span, message))
    }

    fn unary(&mut self) -> P<Operand> {
        let token = self.peek();
        let build: fn(Box<Expr>) -> ExprKind = match token.kind {
            T::Bang => |e| ExprKind::Unary(UnaryOp::Not, e),
            T::Minus => |e| ExprKind::Unary(UnaryOp::Minus, e),
            T::Tilde => |e| ExprKind::Unary(UnaryOp::Complement, e),
            T::Always => |e| ExprKind::Temporal(TemporalOp::Always, e),
            T::Eventually => |e| ExprKind::Temporal(TemporalOp::Eventually, e),
            T::Next => |e| ExprKind::Temporal(TemporalOp::Next, e),
            _ => return self.nested(Self::primary),
        };
        self.bump();
        let inner = self.nested(Self::unary)?;
        self.no_probe(&inner);
        let span = token.span.to(inner.expr.span);
        let height = inner.height + 1;
        self.check_height(height, span)?;
        Ok(Operand { expr: Expr { kind: build(Box::new(inner.expr)), span }, height, probe: None })
    }
}
