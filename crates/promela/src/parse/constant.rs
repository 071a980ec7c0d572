//! Constant expressions, evaluated by the parser.

use lurcher_syntax::{Diagnostic, Span};

use super::token::T;
use super::{P, Parser};
use crate::ast::ArraySize;

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
        let (mut value, mut span) = self.const_product()?;
        loop {
            let operator = self.peek().kind;
            if !matches!(operator, T::Plus | T::Minus) {
                return Ok((value, span));
            }
            self.bump();
            let (right, end) = self.const_product()?;
            value = if operator == T::Plus { value.wrapping_add(right) } else { value.wrapping_sub(right) };
            span = span.to(end);
        }
    }

    fn const_product(&mut self) -> P<(i32, Span)> {
        let (mut value, mut span) = self.const_factor()?;
        loop {
            let operator = self.peek().kind;
            if !matches!(operator, T::Star | T::Slash | T::Percent) {
                return Ok((value, span));
            }
            self.bump();
            let (right, end) = self.const_factor()?;
            value = match operator {
                T::Star => value.wrapping_mul(right),
                _ if right == 0 => {
                    self.report(Diagnostic::error(end, "division by zero in a constant expression"));
                    1
                }
                T::Slash => value.wrapping_div(right),
                _ => value.wrapping_rem(right),
            };
            span = span.to(end);
        }
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
