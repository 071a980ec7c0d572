//! References to variables, and the fields of receives.

use lurcher_syntax::Diagnostic;

use super::expr::Operand;
use super::primary::constant;
use super::token::T;
use super::{P, Parser, limits};
use crate::ast::{Expr, ExprKind, RecvArg, RefPart, VarRef};

impl Parser<'_> {
    /// `[args]` after `q?` or `q??`.
    pub(super) fn poll(&mut self, chan: VarRef, random: bool) -> P<Operand> {
        self.expect(T::BracketOpen, "`[`")?;
        let args = self.recv_args()?;
        let close = self.expect(T::BracketClose, "`,` or `]`")?;
        let span = chan.span.to(close.span);
        Ok(Operand::leaf(ExprKind::Poll { chan, random, args }, span))
    }

    /// Fields of a receive: `a, b`, `a(b)`, `(a, b)`.
    pub(super) fn recv_args(&mut self) -> P<Vec<RecvArg>> {
        let mut args = Vec::new();
        let mut closing = 0usize;
        loop {
            if self.eat(T::ParenOpen).is_some() {
                closing += 1;
                if closing > limits::NESTING {
                    return self.unexpected("fewer parentheses");
                }
                continue;
            }
            args.push(self.recv_arg()?);
            match self.peek().kind {
                T::Comma => {
                    self.bump();
                }
                T::ParenOpen => {}
                _ => break,
            }
        }
        for _ in 0..closing {
            self.expect(T::ParenClose, "`,` or `)`")?;
        }
        Ok(args)
    }

    fn recv_arg(&mut self) -> P<RecvArg> {
        let token = self.peek();
        match token.kind {
            T::Name => Ok(RecvArg::Var(self.varref()?)),
            T::Const => {
                self.bump();
                Ok(match constant(&token) {
                    ExprKind::Var(var) => RecvArg::Var(var),
                    _ => RecvArg::Const(token.value, token.span),
                })
            }
            T::Minus => {
                self.bump();
                let number = self.expect(T::Const, "a number")?;
                Ok(RecvArg::Const(number.value.wrapping_neg(), token.span.to(number.span)))
            }
            T::Eval => {
                self.bump();
                self.expect(T::ParenOpen, "`(`")?;
                let value = self.expr()?;
                self.expect(T::ParenClose, "an operator or `)`")?;
                Ok(RecvArg::Eval(value))
            }
            _ => self.unexpected("a variable, a constant or `eval`"),
        }
    }

    /// `a.b[i].c`.
    pub(super) fn varref(&mut self) -> P<VarRef> {
        let first = self.ref_part("the name of a variable")?;
        let start = first.name.span;
        if first.name.name == "STDIN" {
            self.report(
                Diagnostic::warning(start, "`STDIN` is read as a channel like any other, as in Spin's verifier")
                    .note("only simulations of Spin read their standard input from it"),
            );
        }
        let mut parts = vec![first];
        while self.eat(T::Dot).is_some() {
            parts.push(self.ref_part("the name of a field")?);
        }
        Ok(VarRef { parts, span: start.to(self.previous) })
    }

    pub(super) fn ref_part(&mut self, what: &str) -> P<RefPart> {
        let name = self.expect(T::Name, what)?;
        let index = self.index(|p| p.nested(Self::expr))?;
        Ok(RefPart { name: Self::ident(&name), index })
    }

    /// `[e]`, if it follows.
    pub(super) fn index(&mut self, rule: impl FnOnce(&mut Self) -> P<Expr>) -> P<Option<Box<Expr>>> {
        if self.eat(T::BracketOpen).is_none() {
            return Ok(None);
        }
        let index = rule(self)?;
        self.expect(T::BracketClose, "an operator or `]`")?;
        Ok(Some(Box::new(index)))
    }
}
