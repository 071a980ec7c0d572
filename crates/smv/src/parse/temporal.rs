//! Temporal prefix operators.

use lurcher_syntax::Diagnostic;

use super::cursor::{P, Parser};
use super::expr::Operand;
use crate::ast::{Bounds, Expr, ExprKind, LtlOp, PathOp, Quantifier, level};
use crate::token::{Keyword, T};

/// Temporal prefix operators.
#[derive(Clone, Copy)]
pub(super) enum Temporal {
    /// `A [ … ]` and `E [ … ]`.
    Until(Quantifier),
    /// `EX`, and `EBF` with bounds.
    Ctl(Quantifier, PathOp, bool),
    Ltl(LtlOp),
}

impl Temporal {
    /// The operator of a reserved word.
    pub(super) fn from_keyword(word: Keyword) -> Option<Temporal> {
        if let Some(op) = LtlOp::from_symbol(word.text()) {
            return Some(Temporal::Ltl(op));
        }
        let (quantifier, rest) = word.text().split_at(1);
        let quantifier = Quantifier::from_symbol(quantifier)?;
        match rest.strip_prefix('B') {
            _ if rest.is_empty() => Some(Temporal::Until(quantifier)),
            Some(op) => Some(Temporal::Ctl(quantifier, PathOp::from_symbol(op)?, true)),
            None => Some(Temporal::Ctl(quantifier, PathOp::from_symbol(rest)?, false)),
        }
    }

    /// Its precedence.
    pub(super) fn level(self) -> u8 {
        if let Temporal::Ltl(_) = self { level::LTL_UNARY } else { level::CTL }
    }
}

impl Parser<'_> {
    pub(super) fn temporal(&mut self, operator: Temporal) -> P<Operand> {
        match operator {
            Temporal::Until(quantifier) => self.ctl_until(quantifier),
            Temporal::Ctl(quantifier, op, bounded) => self.ctl(quantifier, op, bounded),
            Temporal::Ltl(op) => self.ltl(op),
        }
    }

    fn ctl(&mut self, quantifier: Quantifier, op: PathOp, bounded: bool) -> P<Operand> {
        let start = self.bump().span;
        let bounds = if bounded { Some(self.bounds()?) } else { None };
        let inner = self.nested(|p| p.climb(level::CTL))?.expr;
        let kind = ExprKind::Ctl(quantifier, op, bounds, Box::new(inner));
        Ok(Operand::new(kind, self.since(start), level::CTL))
    }

    /// `A [a U b]`, `A [a BU 0..3 b]`.
    fn ctl_until(&mut self, quantifier: Quantifier) -> P<Operand> {
        let start = self.bump().span;
        self.expect(T::BracketOpen, "`[`")?;
        let left = self.until_operand()?;
        let bounds = match self.peek().kind {
            T::Key(Keyword::U) => {
                self.bump();
                None
            }
            T::Key(Keyword::BoundedUntil) => {
                self.bump();
                Some(self.bounds()?)
            }
            _ => return self.unexpected("an operator, `U` or `BU`"),
        };
        let right = self.until_operand()?;
        self.expect(T::BracketClose, "an operator or `]`")?;
        let kind = ExprKind::CtlUntil(quantifier, bounds, Box::new(left), Box::new(right));
        Ok(Operand::new(kind, self.since(start), level::CTL))
    }

    fn until_operand(&mut self) -> P<Expr> {
        let outer = std::mem::replace(&mut self.in_until, true);
        let operand = self.nested(|p| p.climb(level::IMPLIES));
        self.in_until = outer;
        Ok(operand?.expr)
    }

    fn ltl(&mut self, op: LtlOp) -> P<Operand> {
        let start = self.bump().span;
        let may_be_bounded = !matches!(op, LtlOp::Next | LtlOp::Previous | LtlOp::NotPreviousNot);
        let bounds = if may_be_bounded && self.at(T::BracketOpen) { Some(self.ltl_bounds()?) } else { None };
        let inner = self.nested(|p| p.climb(level::LTL_UNARY))?.expr;
        let kind = ExprKind::Ltl(op, bounds, Box::new(inner));
        Ok(Operand::new(kind, self.since(start), level::LTL_UNARY))
    }

    /// `[0, 3]`.
    fn ltl_bounds(&mut self) -> P<Bounds> {
        self.bump();
        let lower = self.number()?;
        if self.at(T::DotDot) {
            return self.fail(Diagnostic::error(self.here(), "the bounds of an LTL operator are written `[0, 3]`"));
        }
        self.expect(T::Comma, "`,`")?;
        let upper = self.number()?;
        self.expect(T::BracketClose, "`]`")?;
        Ok(Bounds { lower, upper })
    }
}
