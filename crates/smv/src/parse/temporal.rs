//! Temporal prefix operators.

use lurcher_syntax::Diagnostic;

use super::cursor::{P, Parser};
use super::expr::Operand;
use crate::ast::{Bounds, Expr, ExprKind, LtlOp, PathOp, Quantifier, level};
use crate::token::{Keyword, T};

impl Parser<'_> {
    pub(super) fn temporal(&mut self, word: Keyword) -> P<Operand> {
        let quantifier = if word.text().starts_with('E') { Quantifier::Exists } else { Quantifier::All };
        let bounded = word.text().len() == 3;
        match word {
            Keyword::E | Keyword::A => self.ctl_until(quantifier),
            Keyword::Ex | Keyword::Ax => self.ctl(quantifier, PathOp::Next, bounded),
            Keyword::Ef | Keyword::Af | Keyword::Ebf | Keyword::Abf => self.ctl(quantifier, PathOp::Finally, bounded),
            Keyword::Eg | Keyword::Ag | Keyword::Ebg | Keyword::Abg => self.ctl(quantifier, PathOp::Globally, bounded),
            Keyword::X => self.ltl(LtlOp::Next, false),
            Keyword::Y => self.ltl(LtlOp::Previous, false),
            Keyword::Z => self.ltl(LtlOp::NotPreviousNot, false),
            Keyword::F => self.ltl(LtlOp::Finally, true),
            Keyword::G => self.ltl(LtlOp::Globally, true),
            Keyword::H => self.ltl(LtlOp::Historically, true),
            Keyword::O => self.ltl(LtlOp::Once, true),
            _ => self.unexpected("a temporal operator"),
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

    fn ltl(&mut self, op: LtlOp, may_be_bounded: bool) -> P<Operand> {
        let start = self.bump().span;
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
