//! Expressions, by precedence climbing.
//!
//! `ast::level` has the precedences. `~` binds tighter than relations: `~x = y` is `(~x) = y`. `->` groups to the left.
//! Relations do not chain. A prefix operator takes everything that binds at least as tightly as itself, also where it is the
//! operand of a tighter operator: `a * ~b + c` is `a * (~(b + c))`.

use lurcher_syntax::{Diagnostic, Span};

use super::cursor::{P, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Operation, UnaryOp, level};
use crate::token::{T, Token};

/// The text of an operator as in the tables of operators.
fn symbol<'a>(token: &Token<'a>) -> &'a str {
    match token.kind {
        T::Key(keyword) => keyword.text(),
        _ => token.text,
    }
}

/// A binary operator that follows, with its tokens.
#[derive(Clone, Copy)]
struct Following {
    op: BinaryOp,
    negated: bool,
    span: Span,
}

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> P<Expr> {
        self.nested(|p| p.climb(level::ALT))
    }

    /// An expression of at least precedence `minimum`.
    pub(super) fn climb(&mut self, minimum: u8) -> P<Expr> {
        let mut left = self.prefix()?;
        let mut last: Option<BinaryOp> = None;
        while let Some(next) = self.operator().filter(|next| next.op.level() >= minimum) {
            let again = last.filter(|op| op.level() == next.op.level());
            if let Some(op) = again.filter(|op| !op.associates()) {
                return self.chained_relation(op, next);
            }
            if again == Some(BinaryOp::Implies) {
                self.warn_of_implication(next.span);
            }
            left = self.operation(left, next, again.is_some())?;
            last = Some(next.op);
        }
        Ok(left)
    }

    /// The binary operator that is next, perhaps with a leading `~`.
    fn operator(&self) -> Option<Following> {
        let token = self.peek();
        if matches!(token.kind, T::Tilde | T::Bang) {
            let op = BinaryOp::from_symbol(symbol(&self.look(1))).filter(|op| op.has_negation())?;
            return Some(Following { op, negated: true, span: token.span.to(self.look(1).span) });
        }
        BinaryOp::from_symbol(symbol(&token)).map(|op| Following { op, negated: false, span: token.span })
    }

    /// An operand and the operator before it; `extends` if the left side is a chain that it continues.
    fn operation(&mut self, left: Expr, next: Following, extends: bool) -> P<Expr> {
        let Following { op, negated, span } = next;
        self.bump();
        if negated {
            self.bump();
        }
        let operand = self.nested(|p| p.climb(op.level() + 1))?;
        let whole = left.span.to(operand.span);
        let operation = Operation { op, negated, operand, span };
        let kind = match left.kind {
            ExprKind::Chain(first, mut operations) if extends => {
                operations.push(operation);
                ExprKind::Chain(first, operations)
            }
            kind => ExprKind::Chain(Box::new(Expr { kind, span: left.span }), vec![operation]),
        };
        Ok(Expr { kind, span: whole })
    }

    fn prefix(&mut self) -> P<Expr> {
        let token = self.peek();
        let Some(op) = UnaryOp::from_symbol(symbol(&token)) else { return self.primary() };
        self.bump();
        let operand = self.nested(|p| p.climb(op.level()))?;
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span: self.since(token.span) })
    }

    fn chained_relation<X>(&mut self, op: BinaryOp, next: Following) -> P<X> {
        let message = format!("`{}` after `{}` needs parentheses or `&`", next.op.symbol(), op.symbol());
        let error = Diagnostic::error(next.span, message);
        self.fail(error.note("relations do not chain: write `a < b & b < c` for `a < b < c`"))
    }

    fn warn_of_implication(&mut self, span: Span) {
        let warning = Diagnostic::warning(span, "`a -> b -> c` means `(a -> b) -> c` in ASTRAL");
        self.report(warning.note("parentheses make the grouping plain"));
    }
}
