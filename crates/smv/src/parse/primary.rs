//! Primary expressions: names, constants, parentheses.

use lurcher_syntax::Diagnostic;

use super::advice::similar_among;
use super::cursor::{P, Parser};
use crate::ast::{Expr, ExprKind, Function};
use crate::token::{Keyword, T};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> P<Expr> {
        let start = self.here();
        let kind = match self.peek().kind {
            T::Name => self.name()?,
            T::Number => ExprKind::Integer(self.number()?),
            T::Plus if self.look(1).kind == T::Number => ExprKind::Integer(self.integer()?),
            T::WordConstant => self.word_constant()?,
            T::BadWordConstant | T::Real | T::Exponential | T::Fraction => return self.refused_number(),
            T::ParenOpen => self.parentheses()?,
            T::Key(word) => self.keyword_operand(word)?,
            _ => return self.unexpected("an expression"),
        };
        let span = self.since(start);
        self.selections(Expr { kind, span })
    }

    fn name(&mut self) -> P<ExprKind> {
        let name = self.ident("a name")?;
        if !self.at(T::ParenOpen) {
            return Ok(ExprKind::Name(name.name));
        }
        let error = Diagnostic::error(name.span, format!("there is no function `{}`", name.name));
        let error = match similar_among(&name.name, |k| Function::from_name(k.text()).is_some()) {
            Some(keyword) => error.note(format!("did you mean `{}`?", keyword.text())),
            None => error,
        };
        self.fail(error)
    }

    fn parentheses(&mut self) -> P<ExprKind> {
        self.bump();
        let inner = self.expr()?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(inner.kind)
    }

    fn keyword_operand(&mut self, word: Keyword) -> P<ExprKind> {
        let simple = match word {
            Keyword::True => ExprKind::Boolean(true),
            Keyword::False => ExprKind::Boolean(false),
            Keyword::SelfRef => ExprKind::SelfRef,
            Keyword::Case => return self.case(),
            Keyword::Next => return self.next_value(),
            Keyword::ConstArray => return self.const_array(),
            _ => match Function::from_name(word.text()) {
                Some(function) => return self.call(function),
                None => return self.unexpected("an expression"),
            },
        };
        self.bump();
        Ok(simple)
    }
}
