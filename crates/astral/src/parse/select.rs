//! Names and selections.

use super::cursor::{P, Parser};
use crate::ast::{Applied, Expr, ExprKind, Selector};
use crate::token::{Keyword, T};

impl Parser<'_> {
    /// `x'(arguments)`.
    pub(super) fn applied(&mut self) -> P<Applied> {
        let name = self.ident("a name")?;
        let primed = self.eat(T::Prime).is_some();
        Ok(Applied { name, primed, arguments: self.optional_list(Self::expr)? })
    }

    /// The selections from an operand.
    pub(super) fn selections(&mut self, base: Expr) -> P<Expr> {
        let start = base.span;
        let mut selectors = Vec::new();
        loop {
            match self.peek().kind {
                T::BracketOpen => {
                    self.bump();
                    selectors.push(Selector::Index(self.expr()?));
                    self.expect(T::BracketClose, "an operator or `]`")?;
                }
                T::Dot if self.at_event(1) => {
                    self.bump();
                    let owner = select(base, selectors, self.since(start));
                    let event = self.event(Some(owner))?;
                    return Ok(Expr { kind: ExprKind::Event(event), span: self.since(start) });
                }
                T::Dot => {
                    self.bump();
                    selectors.push(Selector::Member(self.applied()?));
                }
                _ => return Ok(select(base, selectors, self.since(start))),
            }
        }
    }

    /// Whether the token at a distance is `Start`, `End` or `Call`.
    fn at_event(&self, distance: usize) -> bool {
        matches!(self.look(distance).kind, T::Key(Keyword::Start | Keyword::End | Keyword::Call))
    }
}

/// A selection; the base alone if there are no selectors.
fn select(base: Expr, selectors: Vec<Selector>, span: lurcher_syntax::Span) -> Expr {
    if selectors.is_empty() {
        return base;
    }
    Expr { kind: ExprKind::Select(Box::new(base), selectors), span }
}
