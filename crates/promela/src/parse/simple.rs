//! Basic statements.

use super::primary::constant;
use super::token::{T, starts_step};
use super::{P, Parser};
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, VarRef};

impl Parser<'_> {
    pub(super) fn simple(&mut self) -> P<Box<Stmt>> {
        let token = self.peek();
        let kind = match token.kind {
            T::Select => self.select()?,
            T::Break | T::Else => {
                self.bump();
                if token.kind == T::Break { StmtKind::Break } else { StmtKind::Else }
            }
            T::Goto => {
                self.bump();
                StmtKind::Goto(Self::ident(&self.expect(T::Name, "the name of a label")?))
            }
            T::Printf => self.printf()?,
            T::Printm => self.printm()?,
            T::Assert => {
                self.bump();
                StmtKind::Assert(self.full_expr()?)
            }
            T::SetPriority => self.set_priority()?,
            T::CCode | T::CDecl => {
                self.bump();
                StmtKind::Expr(Expr { kind: ExprKind::Const(1), span: token.span })
            }
            _ => StmtKind::Expr(self.condition()?),
        };
        Ok(self.stmt_since(token.span, kind))
    }

    /// An expression as a statement.
    fn condition(&mut self) -> P<Expr> {
        let token = self.peek();
        if !starts_step(token.kind)
            && !matches!(token.kind, T::Minus | T::Tilde | T::PcValue | T::GetPriority | T::NonProgress)
        {
            return self.unexpected("a statement");
        }
        self.full_expr()
    }

    pub(super) fn assign(&mut self, var: VarRef) -> P<Box<Stmt>> {
        let start = var.span;
        let value = self.full_expr()?;
        Ok(self.stmt_since(start, StmtKind::Assign(var, value)))
    }

    pub(super) fn on_variable(&mut self, var: VarRef) -> P<Box<Stmt>> {
        let operator = self.peek();
        let start = var.span;
        let kind = match operator.kind {
            T::Increment | T::Decrement => {
                self.bump();
                if operator.kind == T::Increment { StmtKind::Increment(var) } else { StmtKind::Decrement(var) }
            }
            T::Bang | T::BangBang => {
                self.bump();
                let args = self.send_args()?;
                StmtKind::Send { chan: var, sorted: operator.kind == T::BangBang, args }
            }
            T::Query | T::QueryQuery => {
                self.bump();
                self.receive(var, operator.kind == T::QueryQuery)?
            }
            _ => {
                let first = self.after_varref(var)?;
                StmtKind::Expr(self.full_expr_from(first)?)
            }
        };
        Ok(self.stmt_since(start, kind))
    }

    /// What follows `q?` or `q??`: a receive, or a poll that starts an expression.
    fn receive(&mut self, chan: VarRef, random: bool) -> P<StmtKind> {
        if self.at(T::BracketOpen) {
            let first = self.poll(chan, random)?;
            return Ok(StmtKind::Expr(self.full_expr_from(first)?));
        }
        let copy = self.eat(T::Lt).is_some();
        let args = self.recv_args()?;
        if copy {
            self.expect(T::Gt, "`,` or `>`")?;
        }
        Ok(StmtKind::Receive { chan, random, copy, args })
    }

    /// Fields of a send: `a, b` or `a(b, c)`.
    fn send_args(&mut self) -> P<Vec<Expr>> {
        let mut args = vec![self.expr()?];
        if self.eat(T::ParenOpen).is_some() {
            args.extend(self.expr_list()?);
            self.expect(T::ParenClose, "`,` or `)`")?;
        } else if self.eat(T::Comma).is_some() {
            args.extend(self.expr_list()?);
        }
        Ok(args)
    }

    pub(super) fn range(&mut self) -> P<(Expr, Expr)> {
        let from = self.expr()?;
        self.expect(T::DotDot, "an operator or `..`")?;
        Ok((from, self.expr()?))
    }

    fn select(&mut self) -> P<StmtKind> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let var = self.varref()?;
        self.expect(T::Colon, "`:` and a range")?;
        let (from, to) = self.range()?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(StmtKind::Select { var, from, to })
    }

    fn printf(&mut self) -> P<StmtKind> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let text = self.expect(T::Str, "a format string")?.text;
        let format = text.get(1..text.len().saturating_sub(1)).unwrap_or("").to_owned();
        let args = if self.eat(T::Comma).is_some() { self.expr_list()? } else { Vec::new() };
        self.expect(T::ParenClose, "`,` or `)`")?;
        Ok(StmtKind::Printf(format, args))
    }

    fn printm(&mut self) -> P<StmtKind> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let token = self.peek();
        let kind = match token.kind {
            T::Name => ExprKind::Var(self.varref()?),
            T::Const => {
                self.bump();
                constant(&token)
            }
            _ => return self.unexpected("a variable or an mtype constant"),
        };
        let span = token.span.to(self.previous);
        self.expect(T::ParenClose, "`)`")?;
        Ok(StmtKind::Printm(Expr { kind, span }))
    }

    fn set_priority(&mut self) -> P<StmtKind> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let pid = self.expr()?;
        self.expect(T::Comma, "an operator or `,`")?;
        let value = self.expr()?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(StmtKind::SetPriority(pid, value))
    }
}
