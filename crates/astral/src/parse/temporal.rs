//! Events of transitions, `Change` and `past`.

use lurcher_syntax::Diagnostic;

use super::cursor::{P, Parser};
use crate::ast::{Event, EventKind, Expr, ExprKind};
use crate::token::{Keyword, T};

impl Parser<'_> {
    /// `Start[k](T(arguments), t)`.
    pub(super) fn event(&mut self, owner: Option<Expr>) -> P<Event> {
        let kind = match self.bump().kind {
            T::Key(Keyword::Start) => EventKind::Start,
            T::Key(Keyword::End) => EventKind::End,
            _ => EventKind::Call,
        };
        let nth = self.nth()?;
        self.expect(T::ParenOpen, if nth.is_some() { "`(`" } else { "`[` or `(`" })?;
        let transition = self.ident("the name of a transition")?;
        let arguments = self.optional_list(Self::expr)?;
        let at = self.instant("`,` or `)`")?;
        Ok(Event { owner: owner.map(Box::new), kind, nth, transition, arguments, at })
    }

    /// `Change[k](a, t)`.
    pub(super) fn change(&mut self) -> P<ExprKind> {
        self.bump();
        let nth = self.nth()?;
        self.expect(T::ParenOpen, if nth.is_some() { "`(`" } else { "`[` or `(`" })?;
        let of = Box::new(self.expr()?);
        let at = self.instant("an operator, `,` or `)`")?;
        Ok(ExprKind::Change { of, nth, at })
    }

    /// `past(a, t)`.
    pub(super) fn past(&mut self) -> P<ExprKind> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let of = self.expr()?;
        self.expect(T::Comma, "an operator or `,`")?;
        let at = self.expr()?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(ExprKind::Past(Box::new(of), Box::new(at)))
    }

    /// `[k]`, counted back from the last event, which is 1.
    fn nth(&mut self) -> P<Option<i64>> {
        if self.eat(T::BracketOpen).is_none() {
            return Ok(None);
        }
        let span = self.here();
        let nth = self.number("an integer")?;
        if nth == 0 {
            self.report(Diagnostic::error(span, "events are counted from 1, the last one"));
        }
        self.expect(T::BracketClose, "`]`")?;
        Ok(Some(nth))
    }

    /// `, t)` or `)`.
    fn instant(&mut self, expected: &str) -> P<Option<Box<Expr>>> {
        let at = match self.eat(T::Comma) {
            Some(_) => Some(Box::new(self.expr()?)),
            None => None,
        };
        self.expect(T::ParenClose, if at.is_some() { "an operator or `)`" } else { expected })?;
        Ok(at)
    }
}
