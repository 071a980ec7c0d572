//! Expressions and formulas, by precedence climbing.
//!
//! `ast::level` has the precedences. A temporal operator takes a whole comparison (`AG a = b` is `AG (a = b)`), while `!`
//! takes one operand only (`!a = b` is `(!a) = b`) unless a temporal operator follows. The right operand of an operator
//! must bind tighter: `a = AG b` and `1 + {2}` are refused.

use lurcher_syntax::{Diagnostic, Span};

use super::class::ExprClass;
use super::cursor::{P, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Operation, level};
use crate::token::T;

/// An expression and its precedence as written.
pub(super) struct Operand {
    pub expr: Expr,
    pub level: u8,
}

impl Operand {
    pub(super) fn new(kind: ExprKind, span: Span, level: u8) -> Self {
        Operand { expr: Expr { kind, span }, level }
    }
}

impl Parser<'_> {
    /// An expression with operators of a class only.
    pub(super) fn classed(&mut self, class: ExprClass, place: &str) -> P<Expr> {
        let expr = self.expr()?;
        self.check_class(&expr, class, place);
        Ok(expr)
    }

    /// Any expression.
    pub(super) fn expr(&mut self) -> P<Expr> {
        let outer = std::mem::take(&mut self.in_until);
        let operand = self.nested(|p| p.climb(level::IMPLIES));
        self.in_until = outer;
        Ok(operand?.expr)
    }

    /// An expression of at least precedence `minimum`.
    pub(super) fn climb(&mut self, minimum: u8) -> P<Operand> {
        let mut left = self.prefix(minimum)?;
        loop {
            if self.at(T::Query) && minimum <= level::CONDITIONAL && !self.in_until {
                left = self.conditional(left.expr)?;
                continue;
            }
            match self.operator().filter(|op| op.level() >= minimum) {
                Some(op) if op.level() > left.level => return self.loose_operand(&left, op),
                Some(BinaryOp::Implies) => left = self.implication(left.expr)?,
                Some(op) => left = self.operation(left, op)?,
                None => return Ok(left),
            }
        }
    }

    fn operator(&self) -> Option<BinaryOp> {
        BinaryOp::from_symbol(self.peek().text).filter(|op| !self.in_until || op.level() != level::LTL_BINARY)
    }

    fn operation(&mut self, left: Operand, op: BinaryOp) -> P<Operand> {
        self.bump();
        let right = self.nested(|p| p.climb(op.level() + 1))?.expr;
        let span = left.expr.span.to(right.span);
        let operation = Operation { op, operand: right };
        let kind = match left.expr.kind {
            ExprKind::Chain(first, mut operations) if left.level == op.level() => {
                operations.push(operation);
                ExprKind::Chain(first, operations)
            }
            kind => ExprKind::Chain(Box::new(Expr { kind, span: left.expr.span }), vec![operation]),
        };
        Ok(Operand::new(kind, span, op.level()))
    }

    fn implication(&mut self, left: Expr) -> P<Operand> {
        self.bump();
        let right = self.nested(|p| p.climb(level::IMPLIES))?.expr;
        let span = left.span.to(right.span);
        Ok(Operand::new(ExprKind::Implies(Box::new(left), Box::new(right)), span, level::IMPLIES))
    }

    fn conditional(&mut self, condition: Expr) -> P<Operand> {
        self.bump();
        let then = self.expr()?;
        self.expect(T::Colon, "an operator or `:`")?;
        let otherwise = self.nested(|p| p.climb(level::CONDITIONAL))?.expr;
        let span = condition.span.to(otherwise.span);
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(Operand::new(kind, span, level::CONDITIONAL))
    }

    /// Reports a set or range as the operand of a tighter operator.
    fn loose_operand<X>(&mut self, left: &Operand, op: BinaryOp) -> P<X> {
        let message = format!("`{}` needs parentheses around this operand", op.symbol());
        self.fail(Diagnostic::error(left.expr.span, message).also(self.here(), ""))
    }
}
