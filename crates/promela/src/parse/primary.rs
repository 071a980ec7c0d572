//! Primary expressions.

use lurcher_syntax::Span;

use super::expr::Operand;
use super::token::{T, Token};
use super::{P, Parser};
use crate::ast::{Expr, ExprKind, Probe, RefPart, VarRef};

impl<'a> Parser<'a> {
    pub(super) fn primary(&mut self) -> P<Operand> {
        let token = self.peek();
        match token.kind {
            T::ParenOpen => self.parenthesised(),
            T::Name => {
                let var = self.varref()?;
                self.after_varref(var)
            }
            T::ProctypeName => self.remote(),
            T::Const | T::Timeout | T::NonProgress | T::CExpr => {
                self.bump();
                let kind = match token.kind {
                    T::Const => constant(&token),
                    T::Timeout => ExprKind::Timeout,
                    T::NonProgress => ExprKind::NonProgress,
                    _ => ExprKind::Const(1),
                };
                Ok(Operand::leaf(kind, token.span))
            }
            T::Run => self.run_expr(),
            T::Len => {
                let (var, span) = self.channel_argument()?;
                Ok(Operand::leaf(ExprKind::Len(var), span))
            }
            T::Full | T::Empty | T::Nfull | T::Nempty => self.probe(),
            T::Enabled | T::PcValue | T::GetPriority => self.process_function(),
            _ => self.unexpected("an expression"),
        }
    }

    /// `(e)` or `(c -> a : b)`.
    fn parenthesised(&mut self) -> P<Operand> {
        let open = self.bump();
        let inner = self.operand()?;
        if self.at(T::Arrow) {
            return self.conditional(open, inner);
        }
        let close = self.expect(T::ParenClose, "an operator or `)`")?;
        let expr = Expr { span: open.span.to(close.span), ..inner.expr };
        Ok(Operand { expr, ..inner })
    }

    fn conditional(&mut self, open: Token<'a>, test: Operand) -> P<Operand> {
        self.no_probe(&test);
        self.bump();
        let yes = self.operand()?;
        self.no_probe(&yes);
        self.expect(T::Colon, "`:` and the value otherwise")?;
        let no = self.operand()?;
        self.no_probe(&no);
        let close = self.expect(T::ParenClose, "an operator or `)`")?;
        let span = open.span.to(close.span);
        let height = test.height.max(yes.height).max(no.height) + 1;
        self.check_height(height, span)?;
        let kind = ExprKind::Cond(Box::new(test.expr), Box::new(yes.expr), Box::new(no.expr));
        Ok(Operand { expr: Expr { kind, span }, height, probe: None })
    }

    /// A variable in an expression, perhaps followed by a poll.
    pub(super) fn after_varref(&mut self, var: VarRef) -> P<Operand> {
        let token = self.peek();
        if !matches!(token.kind, T::Query | T::QueryQuery) {
            let span = var.span;
            return Ok(Operand::leaf(ExprKind::Var(var), span));
        }
        self.bump();
        if !self.at(T::BracketOpen) {
            return self.unexpected("`[`: inside an expression a channel can only be polled");
        }
        self.poll(var, token.kind == T::QueryQuery)
    }

    /// `P@label`, `P[i]@label`, `P:var`, `P[i]:var`.
    fn remote(&mut self) -> P<Operand> {
        let name = self.bump();
        let pid = self.index(Self::expr)?;
        let process = Self::ident(&name);
        let kind = match self.peek().kind {
            T::At => {
                self.bump();
                let label = Self::ident(&self.expect(T::Name, "the name of a label")?);
                ExprKind::RemoteLabel { process, pid, label }
            }
            T::Colon => {
                self.bump();
                ExprKind::RemoteVar { process, pid, var: self.ref_part("the name of a variable")? }
            }
            _ => return self.unexpected("`@` and a label, or `:` and a variable, after the name of a proctype"),
        };
        Ok(Operand::leaf(kind, name.span.to(self.previous)))
    }

    fn run_expr(&mut self) -> P<Operand> {
        let run = self.bump();
        let name = match self.peek().kind {
            T::Name | T::ProctypeName => self.bump(),
            _ => return self.unexpected("the name of a proctype"),
        };
        self.expect(T::ParenOpen, "`(` and the arguments")?;
        let args = if self.at(T::ParenClose) { Vec::new() } else { self.expr_list()? };
        self.expect(T::ParenClose, "`,` or `)`")?;
        let priority = self.priority()?;
        let kind = ExprKind::Run { name: Self::ident(&name), args, priority };
        Ok(Operand::leaf(kind, run.span.to(self.previous)))
    }

    /// One or more expressions.
    pub(super) fn expr_list(&mut self) -> P<Vec<Expr>> {
        self.list(Self::expr)
    }

    /// A keyword and `(channel)`.
    fn channel_argument(&mut self) -> P<(VarRef, Span)> {
        let word = self.bump();
        self.expect(T::ParenOpen, "`(` and a channel")?;
        let var = self.varref()?;
        let close = self.expect(T::ParenClose, "`)`")?;
        Ok((var, word.span.to(close.span)))
    }

    fn probe(&mut self) -> P<Operand> {
        let probe = match self.peek().kind {
            T::Full => Probe::Full,
            T::Empty => Probe::Empty,
            T::Nfull => Probe::NotFull,
            _ => Probe::NotEmpty,
        };
        let (var, span) = self.channel_argument()?;
        Ok(Operand { expr: Expr { kind: ExprKind::Probe(probe, var), span }, height: 1, probe: Some(span) })
    }

    fn process_function(&mut self) -> P<Operand> {
        let word = self.bump();
        self.expect(T::ParenOpen, "`(` and a process number")?;
        let pid = self.operand()?;
        self.no_probe(&pid);
        let close = self.expect(T::ParenClose, "an operator or `)`")?;
        let span = word.span.to(close.span);
        let inner = Box::new(pid.expr);
        let kind = match word.kind {
            T::Enabled => ExprKind::Enabled(inner),
            T::PcValue => ExprKind::PcValue(inner),
            _ => ExprKind::GetPriority(inner),
        };
        Ok(Operand { expr: Expr { kind, span }, height: pid.height + 1, probe: None })
    }
}

/// A constant; the name of an mtype constant stays a name.
pub(super) fn constant(token: &Token<'_>) -> ExprKind {
    if !token.is_mtype_constant() {
        return ExprKind::Const(token.value);
    }
    let name = crate::ast::Ident { name: token.text.to_owned(), span: token.span };
    ExprKind::Var(VarRef { parts: vec![RefPart { name, index: None }], span: token.span })
}
