//! Units: the top level of a program.

use lurcher_syntax::{Diagnostic, Span};

use super::token::{T, Token, starts_declaration, starts_unit};
use super::{Abort, P, Parser, limits};
use crate::ast::{ArraySize, Block, Claim, EventTrace, Init, Ltl, Proctype, Program, Typedef, Unit};

impl<'a> Parser<'a> {
    /// The whole program. Formulas come last, as in Spin.
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program::default();
        if self.at(T::Eof) && self.stream.deferred.is_empty() && self.stream.diagnostics.is_empty() {
            let end = self.peek().span;
            self.report(Diagnostic::error(end, "the program is empty"));
        }
        while !self.at(T::Eof) {
            let before = self.taken;
            match self.unit() {
                Ok(unit) => program.units.extend(unit),
                Err(_) => {
                    if self.taken == before {
                        self.bump();
                    }
                    self.skip_to_unit();
                }
            }
        }
        self.stream.defer_formulas = false;
        for deferred in std::mem::take(&mut self.stream.deferred) {
            if self.stream.exhausted {
                break;
            }
            self.stream.restart(deferred.tokens);
            self.peeked = None;
            if let Ok(ltl) = self.ltl(deferred.keyword) {
                program.units.push(Unit::Ltl(ltl));
            }
        }
        program
    }

    fn unit(&mut self) -> P<Option<Unit>> {
        let unit = match self.peek().kind {
            T::Semi | T::Arrow => {
                self.bump();
                return Ok(None);
            }
            T::Active | T::Proctype | T::DProctype => Unit::Proctype(self.proctype()?),
            T::Init => Unit::Init(self.init()?),
            T::Never => Unit::Never(self.never()?),
            T::Trace | T::NoTrace => Unit::Trace(self.trace()?),
            T::Typedef => Unit::Typedef(self.typedef()?),
            T::Inline => {
                self.inline_definition()?;
                return Ok(None);
            }
            T::CCode | T::CDecl | T::CState | T::CTrack => {
                self.bump();
                return Ok(None);
            }
            kind if starts_declaration(kind) => self.global_decl()?,
            T::Ltl => {
                self.bump();
                let _ = self.eat(T::Name);
                return self.unexpected("`{` and a formula");
            }
            _ => return self.unexpected("a declaration, `proctype`, `init` or another unit"),
        };
        Ok(Some(unit))
    }

    fn proctype(&mut self) -> P<Proctype> {
        let active = match self.eat(T::Active) {
            Some(_) if self.at(T::BracketOpen) => {
                self.bump();
                let size = self.size_or_name()?;
                self.expect(T::BracketClose, "`]`")?;
                Some(size)
            }
            Some(active) => Some(ArraySize::Const(1, active.span)),
            None => None,
        };
        let deterministic = self.at(T::DProctype);
        if !deterministic && !self.at(T::Proctype) {
            return self.unexpected("`proctype`");
        }
        self.bump();
        let name = self.peek();
        if name.kind == T::ProctypeName {
            return self.fail(Diagnostic::error(name.span, format!("proctype `{}` is defined twice", name.text)));
        }
        let name = self.expect(T::Name, "the name of the proctype")?;
        self.stream.names.proctypes.insert(name.text.to_owned());
        let params = self.params()?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let body = self.body()?;
        Ok(Proctype { active, deterministic, name: Self::ident(&name), params, priority, provided, body })
    }

    fn params(&mut self) -> P<Vec<crate::ast::Decl>> {
        self.expect(T::ParenOpen, "`(` and the parameters")?;
        let mut params = Vec::new();
        if !self.at(T::ParenClose) {
            loop {
                let decl = self.decl("a parameter")?;
                if let Some(var) = decl.vars.iter().find(|v| v.init.is_some()) {
                    self.report(Diagnostic::error(var.name.span, "a parameter cannot have an initial value"));
                }
                params.push(decl);
                if self.eat(T::Semi).is_none() {
                    break;
                }
            }
        }
        self.expect(T::ParenClose, "`;` or `)`")?;
        Ok(params)
    }

    pub(super) fn priority(&mut self) -> P<Option<i32>> {
        if self.eat(T::Priority).is_none() {
            return Ok(None);
        }
        Ok(Some(self.expect(T::Const, "a number")?.value))
    }

    fn provided(&mut self) -> P<Option<crate::ast::Expr>> {
        if self.eat(T::Provided).is_none() {
            return Ok(None);
        }
        self.expect(T::ParenOpen, "`(` and a condition")?;
        let condition = self.full_expr()?;
        self.expect(T::ParenClose, "`)`")?;
        Ok(Some(condition))
    }

    fn init(&mut self) -> P<Init> {
        let span = self.bump().span;
        let priority = self.priority()?;
        let body = self.body()?;
        Ok(Init { span, priority, body })
    }

    fn never(&mut self) -> P<Claim> {
        let span = self.bump().span;
        let name = self.eat(T::Name).map(|t| Self::ident(&t));
        let body = self.body()?;
        Ok(Claim { span, name, body })
    }

    fn trace(&mut self) -> P<EventTrace> {
        let keyword = self.bump();
        let body = self.body()?;
        Ok(EventTrace { span: keyword.span, negated: keyword.kind == T::NoTrace, body })
    }

    /// `name { formula }`, after the keyword.
    fn ltl(&mut self, span: Span) -> P<Ltl> {
        let name = self.eat(T::Name).map(|t| Self::ident(&t));
        self.expect(T::BraceOpen, "`{` and a formula")?;
        self.stream.modes.formula = true;
        let formula = self.full_expr()?;
        if !self.at(T::BraceClose) && self.eat(T::Semi).is_none() {
            return self.unexpected("an operator or `}`");
        }
        self.expect(T::BraceClose, "`}`")?;
        Ok(Ltl { span, name, formula })
    }

    /// `{ sequence }` of a process or claim, in which line ends may stand for `;`.
    fn body(&mut self) -> P<Block> {
        let open = self.expect(T::BraceOpen, "`{` and a body")?;
        self.stream.modes.in_sequence = true;
        let stmts = self.sequence()?;
        let close = self.close_brace(&open)?;
        self.stream.modes.in_sequence = false;
        Ok(Block { span: open.span.to(close.span), stmts, inline_id: 0 })
    }

    /// The `}` of a block. If the file ends or a unit starts instead, the error also shows the `{`.
    pub(super) fn close_brace(&mut self, open: &Token<'a>) -> P<Token<'a>> {
        let next = self.peek();
        if next.kind == T::Eof || starts_unit(next.kind) {
            let diagnostic = Diagnostic::error(next.span, format!("expected `}}`, found {}", next.describe()));
            return self.fail(diagnostic.also(open.span, "opened here"));
        }
        self.expect(T::BraceClose, "`;` or `}`")
    }

    fn typedef(&mut self) -> P<Typedef> {
        self.bump();
        let name = self.expect(T::Name, "a name for the type")?;
        let open = self.expect(T::BraceOpen, "`{` and the fields")?;
        self.stream.modes.in_sequence = true;
        let mut fields = Vec::new();
        loop {
            match self.decl("a field") {
                Ok(field) => fields.push(field),
                Err(Abort) => self.skip_to_step(0),
            }
            if self.eat(T::Semi).is_none() {
                break;
            }
        }
        let close = self.close_brace(&open);
        self.stream.modes.in_sequence = false;
        self.stream.names.typedefs.insert(name.text.to_owned());
        close?;
        Ok(Typedef { name: Self::ident(&name), fields })
    }

    fn inline_definition(&mut self) -> P<()> {
        self.bump();
        let name = match self.peek().kind {
            T::Name | T::InlineName => self.bump(),
            _ => return self.unexpected("a name for the inline"),
        };
        self.expect(T::ParenOpen, "`(` and the parameters")?;
        let mut params: Vec<&'a str> = Vec::new();
        while !self.at(T::ParenClose) {
            if !params.is_empty() {
                self.expect(T::Comma, "`,` or `)`")?;
            }
            let param = self.expect(T::Name, "the name of a parameter")?;
            params.push(param.text);
            if params.len() > limits::INLINE_PARAMETERS {
                return self.fail(Diagnostic::error(param.span, "too many parameters"));
            }
        }
        self.bump();
        self.stream.define_inline(name, params)
    }
}
