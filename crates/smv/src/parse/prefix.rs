//! Operands with their prefixes.

use lurcher_syntax::Diagnostic;

use super::cursor::{P, Parser};
use super::expr::Operand;
use super::temporal::Temporal;
use crate::ast::{ExprKind, Function, UnaryOp, level};
use crate::token::{Keyword, T};

impl Parser<'_> {
    /// An operand of at least precedence `minimum`.
    pub(super) fn prefix(&mut self, minimum: u8) -> P<Operand> {
        match self.peek().kind {
            _ if minimum <= level::SET && self.at_bounds() => self.range(),
            T::Bang => self.negation(minimum),
            T::Minus => self.minus(),
            T::BraceOpen => self.set(minimum),
            T::Key(word) if let Some(operator) = Temporal::from_keyword(word) => {
                self.temporal_operand(minimum, operator)
            }
            _ => {
                let primary = self.primary()?;
                Ok(Operand { expr: primary, level: level::PRIMARY })
            }
        }
    }

    /// Whether an operand may start here.
    pub(super) fn starts_operand(&self) -> bool {
        match self.peek().kind {
            T::Name | T::Number | T::WordConstant | T::BadWordConstant | T::Real | T::Exponential | T::Fraction => true,
            T::ParenOpen | T::Bang | T::Minus | T::Plus => true,
            T::Key(Keyword::Case | Keyword::Next | Keyword::SelfRef | Keyword::True | Keyword::False) => true,
            T::Key(word) => Function::from_name(word.text()).is_some(),
            _ => false,
        }
    }

    /// `!` before a temporal operator takes the whole formula, otherwise one operand.
    fn negation(&mut self, minimum: u8) -> P<Operand> {
        let start = self.bump().span;
        let temporal = match self.peek().kind {
            T::Bang => true,
            T::Key(word) => Temporal::from_keyword(word).is_some(),
            _ => false,
        };
        let inner = self.nested(|p| p.prefix(if temporal { minimum } else { level::UNARY }))?;
        let kind = ExprKind::Unary(UnaryOp::Not, Box::new(inner.expr));
        Ok(Operand::new(kind, self.since(start), inner.level.min(level::UNARY)))
    }

    fn minus(&mut self) -> P<Operand> {
        let start = self.bump().span;
        let inner = self.nested(|p| p.prefix(level::UNARY))?;
        let kind = ExprKind::Unary(UnaryOp::Minus, Box::new(inner.expr));
        Ok(Operand::new(kind, self.since(start), level::UNARY))
    }

    fn range(&mut self) -> P<Operand> {
        let start = self.here();
        let kind = ExprKind::Range(self.bounds()?);
        Ok(Operand::new(kind, self.since(start), level::SET))
    }

    fn set(&mut self, minimum: u8) -> P<Operand> {
        if minimum > level::SET {
            return self.needs_parentheses("a set");
        }
        let start = self.bump().span;
        let elements = self.list(Self::expr)?;
        self.expect(T::BraceClose, "an operator, `,` or `}`")?;
        Ok(Operand::new(ExprKind::Set(elements), self.since(start), level::SET))
    }

    fn temporal_operand(&mut self, minimum: u8, operator: Temporal) -> P<Operand> {
        if minimum > operator.level() || (self.in_until && operator.level() == level::LTL_UNARY) {
            let word = self.peek().text;
            return self.needs_parentheses(&format!("`{word}`"));
        }
        self.temporal(operator)
    }

    fn needs_parentheses<X>(&mut self, what: &str) -> P<X> {
        let operator = self.previous();
        let message = format!("{what} needs parentheses after {}", operator.describe());
        self.fail(Diagnostic::error(self.here(), message))
    }
}
