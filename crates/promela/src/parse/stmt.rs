//! Steps: statements and declarations.

use lurcher_syntax::{Diagnostic, Span};

use super::token::{T, Token, starts_declaration, starts_step, starts_unit};
use super::{Abort, P, Parser, limits};
use crate::ast::{Block, Ident, Stmt, StmtKind, VarRef};

/// What starts at a step.
enum Start {
    Label(Ident),
    Stmt(Box<Stmt>),
    /// The end of the step; after a label, this is `skip`.
    Nothing,
}

impl<'a> Parser<'a> {
    /// One or more steps, up to the token that ends the sequence, which is not taken.
    pub(super) fn sequence(&mut self) -> P<Vec<Stmt>> {
        let mut stmts = Vec::new();
        loop {
            let before = self.taken;
            let parens = self.stream.modes.parens;
            match self.nested(Self::step) {
                Ok(step) => stmts.push(*step),
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
            let _ = self.unexpected::<()>("`;`, `->` or the end of the sequence");
            if self.taken == before || !starts_step(next.kind) {
                let parens = self.stream.modes.parens;
                self.bump();
                self.skip_to_step(parens);
                return self.separators(self.taken);
            }
        }
        Ok(true)
    }

    fn step(&mut self) -> P<Box<Stmt>> {
        match self.peek().kind {
            kind if starts_declaration(kind) => return self.decl_step(),
            T::Xr | T::Xs => return self.exclusive(),
            _ => {}
        }
        let main = self.stmt()?;
        if self.eat(T::Unless).is_none() {
            return Ok(main);
        }
        let escape = self.stmt()?;
        let span = main.span.to(escape.span);
        Ok(Box::new(Stmt { kind: StmtKind::Unless(main, escape), span }))
    }

    fn decl_step(&mut self) -> P<Box<Stmt>> {
        let decl = self.decl("a declaration")?;
        let span = decl.span;
        Ok(Box::new(Stmt { kind: StmtKind::Decl(decl), span }))
    }

    /// `xr a, b` or `xs a, b`.
    fn exclusive(&mut self) -> P<Box<Stmt>> {
        let word = self.bump();
        let chans = self.list(Self::varref)?;
        Ok(self.stmt_since(word.span, StmtKind::Exclusive { send: word.kind == T::Xs, chans }))
    }

    /// A statement from `start` to the last token taken.
    pub(super) fn stmt_since(&self, start: Span, kind: StmtKind) -> Box<Stmt> {
        Box::new(Stmt { kind, span: start.to(self.previous) })
    }

    /// A statement, perhaps with labels.
    fn stmt(&mut self) -> P<Box<Stmt>> {
        let mut labels = Vec::new();
        let stmt = loop {
            match self.labelled_or_stmt()? {
                Start::Label(label) if labels.len() >= limits::NESTING => {
                    return self.fail(Diagnostic::error(label.span, "too many labels in a row"));
                }
                Start::Label(label) => labels.push(label),
                Start::Stmt(stmt) => break Some(stmt),
                Start::Nothing => break None,
            }
        };
        let labelled = labels.into_iter().rfold(stmt, |inner, label| {
            let span = label.span.to(self.previous);
            Some(Box::new(Stmt { kind: StmtKind::Labelled(label, inner), span }))
        });
        match labelled {
            Some(stmt) => Ok(stmt),
            None => self.unexpected("a statement"),
        }
    }

    fn labelled_or_stmt(&mut self) -> P<Start> {
        let token = self.peek();
        match token.kind {
            T::Name => self.starting_with_name(),
            T::If | T::Do | T::Atomic | T::DStep | T::BraceOpen | T::For => Ok(Start::Stmt(self.compound(token)?)),
            T::InlineName => Ok(Start::Stmt(self.inline_call(None, token.span)?)),
            T::Return => Ok(Start::Stmt(self.return_value()?)),
            T::Semi | T::Arrow | T::Sep | T::BraceClose | T::Fi | T::Od | T::Unless | T::Eof => Ok(Start::Nothing),
            _ => Ok(Start::Stmt(self.simple()?)),
        }
    }

    /// Compound statements. The parser recurses here; boxed statements keep the stack frames small.
    fn compound(&mut self, word: Token<'a>) -> P<Box<Stmt>> {
        let kind = match word.kind {
            T::For => return self.for_loop(),
            T::If => StmtKind::If(self.options(T::Fi, "`::` or `fi`")?),
            T::Do => StmtKind::Do(self.options(T::Od, "`::` or `od`")?),
            T::BraceOpen => StmtKind::Block(self.block()?),
            _ => {
                self.bump();
                let block = self.block()?;
                if word.kind == T::Atomic { StmtKind::Atomic(block) } else { StmtKind::DStep(block) }
            }
        };
        Ok(self.stmt_since(word.span, kind))
    }

    /// A label, an assignment, a send or receive, or an expression.
    fn starting_with_name(&mut self) -> P<Start> {
        let var = self.varref()?;
        if self.at(T::Colon) && var.parts.len() == 1 && var.parts[0].index.is_none() {
            return self.label(var);
        }
        let start = var.span;
        if self.at(T::Assign) {
            self.bump();
            return Ok(Start::Stmt(if self.at(T::InlineName) {
                self.inline_call(Some(var), start)?
            } else {
                self.assign(var)?
            }));
        }
        Ok(Start::Stmt(self.on_variable(var)?))
    }

    /// `name:`; what follows must not be a declaration.
    fn label(&mut self, var: VarRef) -> P<Start> {
        self.bump();
        let Some(label) = var.parts.into_iter().next().map(|p| p.name) else { return Err(Abort) };
        let next = self.peek();
        if starts_declaration(next.kind) || matches!(next.kind, T::Xr | T::Xs) {
            let message = "a label cannot stand before a declaration";
            return self.fail(Diagnostic::error(next.span, message).also(label.span, "the label"));
        }
        Ok(Start::Label(label))
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

    fn for_loop(&mut self) -> P<Box<Stmt>> {
        let start = self.bump().span;
        let mut stmt = self.for_header()?;
        let block = self.block()?;
        if let StmtKind::For { body, .. } | StmtKind::ForIn { body, .. } = &mut stmt.kind {
            *body = block;
        }
        stmt.span = start.to(self.previous);
        Ok(stmt)
    }

    /// `(v : a .. b)` or `(v in x)`, with an empty body.
    fn for_header(&mut self) -> P<Box<Stmt>> {
        self.expect(T::ParenOpen, "`(`")?;
        self.stream.modes.in_for = true;
        let var = self.varref()?;
        let (start, body) = (var.span, Block::default());
        let kind = match self.peek().kind {
            T::Colon => {
                self.bump();
                let (from, to) = self.range()?;
                StmtKind::For { var, from, to, body }
            }
            T::In => {
                self.bump();
                StmtKind::ForIn { var, over: self.varref()?, body }
            }
            _ => return self.unexpected("`:` and a range, or `in` and an array or channel"),
        };
        self.expect(T::ParenClose, "`)`")?;
        self.stream.modes.in_for = false;
        self.eat(T::Semi);
        Ok(self.stmt_since(start, kind))
    }
}
