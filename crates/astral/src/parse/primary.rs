//! Operands: constants, parentheses, conditionals, quantifiers, lists and sets.

use super::cursor::{P, Parser};
use crate::ast::{Expr, ExprKind, Quantifier};
use crate::token::{Keyword, T};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> P<Expr> {
        let start = self.here();
        let kind = match self.peek().kind {
            T::Name => ExprKind::Name(self.applied()?),
            T::Number => ExprKind::Integer(self.number("an integer")?),
            T::Real => ExprKind::Real(self.bump().text.to_owned()),
            T::ParenOpen => self.parentheses()?,
            T::BraceOpen => self.set()?,
            T::Key(word) if !self.at_part() => self.keyword_operand(word)?,
            _ => return self.unexpected("an expression"),
        };
        let span = self.since(start);
        self.selections(Expr { kind, span })
    }

    fn keyword_operand(&mut self, word: Keyword) -> P<ExprKind> {
        let simple = match word {
            Keyword::True => ExprKind::Boolean(true),
            Keyword::False => ExprKind::Boolean(false),
            Keyword::Empty => ExprKind::Empty,
            Keyword::Nil => ExprKind::Nil,
            Keyword::Now => ExprKind::Now,
            Keyword::SelfRef => ExprKind::SelfRef,
            Keyword::If => return self.conditional(),
            Keyword::Forall => return self.quantified(Quantifier::Forall),
            Keyword::Exists => return self.quantified(Quantifier::Exists),
            Keyword::Unique => return self.quantified(Quantifier::Unique),
            Keyword::Start | Keyword::End | Keyword::Call => return Ok(ExprKind::Event(self.event(None)?)),
            Keyword::Change => return self.change(),
            Keyword::Past => return self.past(),
            Keyword::NoChange => return Ok(ExprKind::NoChange(self.call_arguments()?)),
            Keyword::ListDef => return Ok(ExprKind::ListDef(self.call_arguments()?)),
            Keyword::IdType => return self.id_type(),
            _ => return self.unexpected("an expression"),
        };
        self.bump();
        Ok(simple)
    }

    fn parentheses(&mut self) -> P<ExprKind> {
        self.bump();
        let inner = self.expr()?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(inner.kind)
    }

    /// A word and its arguments in parentheses.
    fn call_arguments(&mut self) -> P<Vec<Expr>> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let arguments = self.list(Self::expr)?;
        self.expect(T::ParenClose, "an operator, `,` or `)`")?;
        Ok(arguments)
    }

    fn id_type(&mut self) -> P<ExprKind> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let inner = self.expr()?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(ExprKind::IdType(Box::new(inner)))
    }

    /// `IF c THEN a ELSE b FI`.
    fn conditional(&mut self) -> P<ExprKind> {
        self.bump();
        let condition = self.expr()?;
        self.expect(T::Key(Keyword::Then), "an operator or `THEN`")?;
        let then = self.expr()?;
        self.expect(T::Key(Keyword::Else), "an operator or `ELSE`")?;
        let otherwise = self.expr()?;
        self.expect(T::Key(Keyword::Fi), "an operator or `FI`")?;
        Ok(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    /// `FORALL x: type (body)`.
    fn quantified(&mut self, quantifier: Quantifier) -> P<ExprKind> {
        self.bump();
        let bindings = self.bindings("the name of a bound variable")?;
        self.expect(T::ParenOpen, "`,` or `(`")?;
        let body = self.expr()?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(ExprKind::Quantified(quantifier, bindings, Box::new(body)))
    }

    /// `{a, b}` or `{SETDEF x: type (condition)}`.
    fn set(&mut self) -> P<ExprKind> {
        self.bump();
        let kind = match self.eat_key(Keyword::SetDef) {
            true => {
                let bindings = self.bindings("the name of a bound variable")?;
                self.expect(T::ParenOpen, "`,` or `(`")?;
                let condition = self.expr()?;
                self.expect(T::ParenClose, "an operator or `)`")?;
                ExprKind::SetDef(bindings, Box::new(condition))
            }
            false => ExprKind::Set(self.list(Self::expr)?),
        };
        self.expect(T::BraceClose, "an operator, `,` or `}`")?;
        Ok(kind)
    }
}
