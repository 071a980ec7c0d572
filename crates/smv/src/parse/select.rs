//! Selections from names and values, and names outside expressions.

use lurcher_syntax::{Diagnostic, Span};

use super::class::ExprClass;
use super::cursor::{P, Parser};
use crate::ast::{Expr, ExprKind, Ident, Path, Selector};
use crate::token::{Keyword, T};

impl Parser<'_> {
    /// A declared name: no `self`, and only integers as indices.
    pub(super) fn declared_path(&mut self, what: &str) -> P<Path> {
        let root = self.ident(what)?;
        self.selected_path(root.span, Some(root), Self::integer_index)
    }

    /// A used name.
    pub(super) fn path(&mut self, what: &str) -> P<Path> {
        let start = self.here();
        let root = match self.eat(T::Key(Keyword::SelfRef)) {
            Some(_) => None,
            None => Some(self.ident(what)?),
        };
        self.selected_path(start, root, Self::index)
    }

    /// The selectors of a path.
    fn selected_path(&mut self, start: Span, root: Option<Ident>, index: fn(&mut Self) -> P<Selector>) -> P<Path> {
        let mut selectors = Vec::new();
        loop {
            match self.peek().kind {
                T::Dot => selectors.push(self.field()?),
                T::BracketOpen => selectors.push(index(self)?),
                _ => return Ok(Path { root, selectors, span: self.since(start) }),
            }
        }
    }

    /// A symbolic constant; flattened models have some with dots.
    pub(super) fn symbol(&mut self, what: &str) -> P<Path> {
        let root = self.ident(what)?;
        let start = root.span;
        let mut selectors = Vec::new();
        while self.eat(T::Dot).is_some() {
            selectors.push(Selector::Field(self.ident("a name")?));
        }
        Ok(Path { root: Some(root), selectors, span: self.since(start) })
    }

    fn field(&mut self) -> P<Selector> {
        self.bump();
        match self.peek().kind {
            T::Number => {
                let span = self.here();
                Ok(Selector::Number(self.number()?, span))
            }
            _ => Ok(Selector::Field(self.ident("a name or a number")?)),
        }
    }

    fn integer_index(&mut self) -> P<Selector> {
        self.bump();
        let span = self.here();
        if !matches!(self.peek().kind, T::Number | T::Minus) {
            return self.unexpected("an integer");
        }
        let kind = self.literal()?;
        let span = self.since(span);
        self.expect(T::BracketClose, "`]`")?;
        Ok(Selector::Index(Box::new(Expr { kind, span })))
    }

    fn index(&mut self) -> P<Selector> {
        self.bump();
        let index = self.classed(ExprClass::Simple, "in an index")?;
        self.expect(T::BracketClose, "an operator or `]`")?;
        Ok(Selector::Index(Box::new(index)))
    }

    /// The selections from a value in an expression.
    pub(super) fn selections(&mut self, base: Expr) -> P<Expr> {
        let start = base.span;
        let mut selectors = Vec::new();
        loop {
            match self.peek().kind {
                T::Dot => {
                    self.check_dot(&base, selectors.last())?;
                    selectors.push(self.field()?);
                }
                T::BracketOpen => selectors.push(self.index_or_bits()?),
                _ if selectors.is_empty() => return Ok(base),
                _ => break,
            }
        }
        Ok(Expr { kind: ExprKind::Select(Box::new(base), selectors), span: self.since(start) })
    }

    /// Checks that `.` follows a possible instance.
    fn check_dot(&mut self, base: &Expr, last: Option<&Selector>) -> P<()> {
        let named = match (last, &base.kind) {
            (Some(Selector::Bits(..)), _) => false,
            (Some(_), _) | (None, ExprKind::Name(_) | ExprKind::SelfRef) => true,
            (None, ExprKind::Select(_, inner)) => !matches!(inner.last(), Some(Selector::Bits(..))),
            (None, _) => false,
        };
        if named {
            return Ok(());
        }
        self.fail(Diagnostic::error(self.here(), "`.` selects from instances only, not from values"))
    }

    fn index_or_bits(&mut self) -> P<Selector> {
        self.bump();
        let first = self.expr()?;
        let selector = match self.eat(T::Colon) {
            Some(_) => Selector::Bits(Box::new(first), Box::new(self.expr()?)),
            None => Selector::Index(Box::new(first)),
        };
        let expected =
            if matches!(selector, Selector::Index(_)) { "an operator, `:` or `]`" } else { "an operator or `]`" };
        self.expect(T::BracketClose, expected)?;
        Ok(selector)
    }
}
