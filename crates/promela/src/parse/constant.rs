//! Constant expressions, evaluated by the parser.

use lurcher_syntax::{Diagnostic, Span};

use super::expr::{Operator, operator};
use super::token::T;
use super::{P, Parser};
use crate::ast::{ArraySize, BinaryOp};

impl Parser<'_> {
    /// The size in `[ ]` of a declaration.
    pub(super) fn size_or_name(&mut self) -> P<ArraySize> {
        if let Some(name) = self.eat(T::Name) {
            return Ok(ArraySize::Name(Self::ident(&name)));
        }
        let (value, span) = self.const_expr()?;
        Ok(ArraySize::Const(value, span))
    }

    /// A constant expression: numbers, `+ - * / %` and parentheses.
    pub(super) fn const_expr(&mut self) -> P<(i32, Span)> {
        self.const_operation(0)
    }

    fn const_operation(&mut self, minimum: u8) -> P<(i32, Span)> {
        use BinaryOp::{Add, Div, Mod, Mul, Sub};
        let (mut value, mut span) = self.const_factor()?;
        while let Some((Operator::Plain(op @ (Add | Sub | Mul | Div | Mod)), power)) = operator(self.peek().kind)
            && power > minimum
        {
            self.bump();
            let (right, end) = self.const_operation(power)?;
            value = op.apply(value, right).unwrap_or_else(|| {
                self.report(Diagnostic::error(end, "division by zero in a constant expression"));
                1
            });
            span = span.to(end);
        }
        Ok((value, span))
    }

    fn const_factor(&mut self) -> P<(i32, Span)> {
        let token = self.peek();
        match token.kind {
            T::Const => {
                self.bump();
                Ok((token.value, token.span))
            }
            T::Minus => self.nested(|p| {
                p.bump();
                let (value, span) = p.const_factor()?;
                Ok((value.wrapping_neg(), token.span.to(span)))
            }),
            T::ParenOpen => self.nested(|p| {
                p.bump();
                let (value, _) = p.const_expr()?;
                let close = p.expect(T::ParenClose, "`)`")?;
                Ok((value, token.span.to(close.span)))
            }),
            _ => self.unexpected("a constant"),
        }
    }
}
