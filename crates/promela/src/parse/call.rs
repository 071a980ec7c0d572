//! Calls of inlines.

use lurcher_syntax::{Diagnostic, Span};

use super::inline::Argument;
use super::token::{T, Token};
use super::{P, Parser};
use crate::ast::{Block, Stmt, StmtKind, VarRef};

impl<'a> Parser<'a> {
    /// `f(args)` or `v = f(args)`: the expansion is parsed in its place.
    pub(super) fn inline_call(&mut self, result: Option<VarRef>, start: Span) -> P<Box<Stmt>> {
        let (id, site) = self.inline_header(result, start)?;
        if id == 0 {
            return Ok(self.made(start, StmtKind::Block(Block { span: site, ..Block::default() })));
        }
        let end = self.previous;
        let mut block = self.nested(Self::block)?;
        block.inline_id = id;
        self.previous = end;
        Ok(self.made(start, StmtKind::Block(block)))
    }

    /// The call itself: the number of its expansion, which is read next, or 0 if the call is wrong; and its span.
    fn inline_header(&mut self, result: Option<VarRef>, start: Span) -> P<(u32, Span)> {
        let name = self.bump();
        self.expect(T::ParenOpen, "`(` and the arguments")?;
        let arguments = self.inline_arguments()?;
        let close = self.expect(T::ParenClose, "`,` or `)`")?;
        let site = start.to(close.span);
        Ok((self.stream.call_inline(name, arguments, result, site).unwrap_or(0), site))
    }

    /// The arguments: expressions, of which the tokens are kept.
    fn inline_arguments(&mut self) -> P<Vec<Argument<'a>>> {
        if self.at(T::ParenClose) {
            return Ok(Vec::new());
        }
        self.list(|p| Ok(Argument::new(&p.recorded(Self::expr)?)))
    }

    /// The tokens a rule takes.
    fn recorded<X>(&mut self, rule: impl FnOnce(&mut Self) -> P<X>) -> P<Vec<Token<'a>>> {
        self.recording = Some(Vec::new());
        let result = rule(self);
        let tokens = self.recording.take().unwrap_or_default();
        result.map(|_| tokens)
    }

    /// `return e` in an inline called as `v = f(…)`: assigns to `v`.
    pub(super) fn return_value(&mut self) -> P<Box<Stmt>> {
        let word = self.bump();
        let target = self.stream.call().and_then(|c| c.result.clone());
        let value = self.full_expr()?;
        let Some(target) = target else {
            let message = "`return` is only allowed in an inline whose call is assigned to a variable";
            self.report(Diagnostic::error(word.span, message));
            return Ok(self.made(word.span, StmtKind::Expr(value)));
        };
        let span = target.span;
        Ok(Box::new(Stmt { kind: StmtKind::Assign(target, value), span }))
    }
}
