//! Steps: statements, and declarations among them.

use lurcher_syntax::{Diagnostic, Span};

use super::expr::constant;
use super::inline::Argument;
use super::recover::{starts_step, starts_unit};
use super::token::{T, Token};
use super::{Abort, P, Parser};
use crate::ast::{Block, Expr, ExprKind, Stmt, StmtKind, VarRef};

impl<'a> Parser<'a> {
    /// Steps up to the mark that ends the sequence, which stays. At least one is needed.
    pub(super) fn sequence(&mut self) -> P<Vec<Stmt>> {
        let mut stmts = Vec::new();
        loop {
            let before = self.taken;
            let parens = self.stream.modes.parens;
            match self.nested(Self::step) {
                Ok(step) => stmts.push(step),
                Err(Abort) => {
                    self.skip_to_step(parens);
                    if starts_unit(self.peek().kind) || self.at(T::Eof) {
                        return Err(Abort);
                    }
                }
            }
            if !self.separators(before)? {
                return Ok(stmts);
            }
        }
    }

    /// Takes the separators after a step; `false` if the sequence ends here.
    fn separators(&mut self, before: usize) -> P<bool> {
        let mut count = 0;
        while matches!(self.peek().kind, T::Semi | T::Arrow) {
            self.bump();
            count += 1;
        }
        let next = self.peek();
        if matches!(next.kind, T::BraceClose | T::Sep | T::Fi | T::Od | T::Eof) || starts_unit(next.kind) {
            if count > 1 {
                let message = "more than one separator before the end of a sequence";
                self.report(Diagnostic::error(next.span, message).note("Spin accepts one here, or none"));
            }
            return Ok(false);
        }
        if count == 0 {
            let missing = self.unexpected::<()>("`;`, `->` or the end of the sequence");
            if self.taken == before || !starts_step(&next) {
                let parens = self.stream.modes.parens;
                self.bump();
                self.skip_to_step(parens);
                return self.separators(self.taken);
            }
            debug_assert!(missing.is_err());
        }
        Ok(true)
    }

    fn step(&mut self) -> P<Stmt> {
        let token = self.peek();
        match token.kind {
            T::Type | T::TypedefName | T::Hidden | T::Show | T::Local => {
                let decl = self.decl("a declaration")?;
                let span = decl.span;
                return Ok(Stmt { kind: StmtKind::Decl(decl), span });
            }
            T::Xr | T::Xs => return self.exclusive(),
            _ => {}
        }
        let stmt = self.stmt()?;
        if self.eat(T::Unless).is_none() {
            return Ok(stmt);
        }
        let escape = self.stmt()?;
        let span = stmt.span.to(escape.span);
        Ok(Stmt { kind: StmtKind::Unless(Box::new(stmt), Box::new(escape)), span })
    }

    /// `xr a, b` or `xs a, b`.
    fn exclusive(&mut self) -> P<Stmt> {
        let word = self.bump();
        let mut chans = vec![self.varref()?];
        while self.eat(T::Comma).is_some() {
            chans.push(self.varref()?);
        }
        Ok(self.made(word.span, StmtKind::Exclusive { send: word.kind == T::Xs, chans }))
    }

    /// A statement that began at `start` and ends with the last token taken.
    fn made(&self, start: Span, kind: StmtKind) -> Stmt {
        Stmt { kind, span: start.to(self.previous) }
    }

    fn stmt(&mut self) -> P<Stmt> {
        let token = self.peek();
        let start = token.span;
        let kind = match token.kind {
            T::If => StmtKind::If(self.options(T::Fi, "`::` or `fi`")?),
            T::Do => StmtKind::Do(self.options(T::Od, "`::` or `od`")?),
            T::Atomic => {
                self.bump();
                StmtKind::Atomic(self.block()?)
            }
            T::DStep => {
                self.bump();
                StmtKind::DStep(self.block()?)
            }
            T::BraceOpen => StmtKind::Block(self.block()?),
            T::For => self.for_loop()?,
            T::Select => self.select()?,
            T::Break => {
                self.bump();
                StmtKind::Break
            }
            T::Else => {
                self.bump();
                StmtKind::Else
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
                StmtKind::Expr(Expr { kind: ExprKind::Const(1), span: start })
            }
            T::InlineName => return self.inline_call(None, start),
            T::Return => return self.return_value(),
            T::Name => return self.starting_with_name(),
            _ => StmtKind::Expr(self.condition()?),
        };
        Ok(self.made(start, kind))
    }

    /// An expression as a statement.
    fn condition(&mut self) -> P<Expr> {
        let token = self.peek();
        if !starts_step(&token) && !matches!(token.kind, T::Minus | T::Tilde | T::PcValue | T::GetPriority | T::NonProgress) {
            return self.unexpected("a statement");
        }
        self.full_expr()
    }

    /// A label, an assignment, a send or receive, or an expression.
    fn starting_with_name(&mut self) -> P<Stmt> {
        let var = self.varref()?;
        let start = var.span;
        let operator = self.peek();
        let kind = match operator.kind {
            T::Colon if var.parts.len() == 1 && var.parts[0].index.is_none() => return self.labelled(var),
            T::Assign => {
                self.bump();
                if self.at(T::InlineName) {
                    return self.inline_call(Some(var), start);
                }
                StmtKind::Assign(var, self.full_expr()?)
            }
            T::Increment => {
                self.bump();
                StmtKind::Increment(var)
            }
            T::Decrement => {
                self.bump();
                StmtKind::Decrement(var)
            }
            T::Bang | T::BangBang => {
                self.bump();
                let args = self.send_args()?;
                StmtKind::Send { chan: var, sorted: operator.kind == T::BangBang, args }
            }
            T::Query | T::QueryQuery => {
                self.bump();
                return self.receive(var, operator.kind == T::QueryQuery);
            }
            _ => {
                let first = self.after_varref(var)?;
                StmtKind::Expr(self.full_expr_from(first)?)
            }
        };
        Ok(self.made(start, kind))
    }

    /// What follows `q?` or `q??`: a receive, or a poll that starts an expression.
    fn receive(&mut self, chan: VarRef, random: bool) -> P<Stmt> {
        let start = chan.span;
        if self.at(T::BracketOpen) {
            let first = self.poll(chan, random)?;
            let expr = self.full_expr_from(first)?;
            return Ok(self.made(start, StmtKind::Expr(expr)));
        }
        let copy = self.eat(T::Lt).is_some();
        let args = self.recv_args()?;
        if copy {
            self.expect(T::Gt, "`,` or `>`")?;
        }
        Ok(self.made(start, StmtKind::Receive { chan, random, copy, args }))
    }

    /// Fields of a send: `a, b` or `a(b, c)`.
    fn send_args(&mut self) -> P<Vec<Expr>> {
        let first = self.expr()?;
        if self.eat(T::ParenOpen).is_some() {
            let mut args = vec![first];
            args.extend(self.expr_list()?);
            self.expect(T::ParenClose, "`,` or `)`")?;
            return Ok(args);
        }
        let mut args = vec![first];
        if self.eat(T::Comma).is_some() {
            args.extend(self.expr_list()?);
        }
        Ok(args)
    }

    /// `name:` and perhaps a statement.
    fn labelled(&mut self, var: VarRef) -> P<Stmt> {
        self.bump();
        let start = var.span;
        let Some(label) = var.parts.into_iter().next().map(|p| p.name) else { return Err(Abort) };
        let next = self.peek();
        let stmt = match next.kind {
            T::Type | T::TypedefName | T::Hidden | T::Show | T::Local | T::Xr | T::Xs => {
                let message = "a label cannot stand before a declaration";
                return self.fail(Diagnostic::error(next.span, message).also(label.span, "the label"));
            }
            T::Semi | T::Arrow | T::Sep | T::BraceClose | T::Fi | T::Od | T::Unless | T::Eof => None,
            _ => Some(Box::new(self.nested(Self::stmt)?)),
        };
        Ok(self.made(start, StmtKind::Labelled(label, stmt)))
    }

    /// `{ sequence }`.
    pub(super) fn block(&mut self) -> P<Block> {
        let open = self.expect(T::BraceOpen, "`{`")?;
        let stmts = self.sequence()?;
        let close = self.close_brace(&open)?;
        Ok(Block { span: open.span.to(close.span), stmts, inline_id: 0 })
    }

    /// Options of `if` or `do`, up to `fi` or `od`.
    fn options(&mut self, end: T, what: &str) -> P<Vec<Block>> {
        let open = self.bump();
        let mut options = Vec::new();
        if !self.at(T::Sep) {
            return self.unexpected("`::` and an option");
        }
        while let Some(sep) = self.eat(T::Sep) {
            let stmts = self.sequence()?;
            options.push(Block { span: sep.span.to(self.previous), stmts, inline_id: 0 });
        }
        let next = self.peek();
        if self.eat(end).is_none() {
            let diagnostic = Diagnostic::error(next.span, format!("expected `;`, {what}, found {}", next.describe()));
            return self.fail(diagnostic.also(open.span, "opened here"));
        }
        Ok(options)
    }

    fn for_loop(&mut self) -> P<StmtKind> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        self.stream.modes.in_for = true;
        let var = self.varref()?;
        let header = match self.peek().kind {
            T::Colon => {
                self.bump();
                let (from, to) = self.range()?;
                Ok((from, to))
            }
            T::In => {
                self.bump();
                Err(self.varref()?)
            }
            _ => return self.unexpected("`:` and a range, or `in` and an array or channel"),
        };
        self.expect(T::ParenClose, "`)`")?;
        self.stream.modes.in_for = false;
        self.eat(T::Semi);
        let body = self.block()?;
        Ok(match header {
            Ok((from, to)) => StmtKind::For { var, from, to, body },
            Err(over) => StmtKind::ForIn { var, over, body },
        })
    }

    fn range(&mut self) -> P<(Expr, Expr)> {
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
        let (kind, span) = match token.kind {
            T::Name => {
                let var = self.varref()?;
                let span = var.span;
                (ExprKind::Var(var), span)
            }
            T::Const => {
                self.bump();
                (constant(&token), token.span)
            }
            _ => return self.unexpected("a variable or an mtype constant"),
        };
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

    /// `f(args)` or `v = f(args)`: the expansion is parsed in its place.
    fn inline_call(&mut self, result: Option<VarRef>, start: Span) -> P<Stmt> {
        let name = self.bump();
        self.expect(T::ParenOpen, "`(` and the arguments")?;
        let arguments = self.inline_arguments()?;
        let close = self.expect(T::ParenClose, "`,` or `)`")?;
        let site = start.to(close.span);
        let Some(id) = self.stream.call_inline(name, arguments, result, site) else {
            return Ok(Stmt { kind: StmtKind::Block(Block { span: site, stmts: Vec::new(), inline_id: 0 }), span: site });
        };
        let mut block = self.nested(Self::block)?;
        block.inline_id = id;
        self.previous = close.span;
        Ok(Stmt { kind: StmtKind::Block(block), span: site })
    }

    /// Arguments must be expressions, but it is their tokens that are kept.
    fn inline_arguments(&mut self) -> P<Vec<Argument<'a>>> {
        let mut arguments = Vec::new();
        if self.at(T::ParenClose) {
            return Ok(arguments);
        }
        loop {
            let tokens: Vec<Token<'a>> = self.recorded(Self::expr)?;
            arguments.push(Argument::new(&tokens));
            if self.eat(T::Comma).is_none() {
                return Ok(arguments);
            }
        }
    }

    /// The tokens a rule takes.
    fn recorded<X>(&mut self, rule: impl FnOnce(&mut Self) -> P<X>) -> P<Vec<Token<'a>>> {
        self.recording.push(Vec::new());
        let result = rule(self);
        let tokens = self.recording.pop().unwrap_or_default();
        result.map(|_| tokens)
    }

    /// `return e` in an inline called as `v = f(…)`: assigns to `v`.
    fn return_value(&mut self) -> P<Stmt> {
        let word = self.bump();
        let target = self.stream.call().and_then(|c| c.result.clone());
        let value = self.full_expr()?;
        let Some(target) = target else {
            let message = "`return` is only allowed in an inline whose call is assigned to a variable";
            self.report(Diagnostic::error(word.span, message));
            return Ok(self.made(word.span, StmtKind::Expr(value)));
        };
        let span = target.span;
        Ok(Stmt { kind: StmtKind::Assign(target, value), span })
    }
}
