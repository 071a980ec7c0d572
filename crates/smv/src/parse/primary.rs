//! Primary expressions: names, constants, parentheses, calls, `case`.

use lurcher_syntax::Diagnostic;

use super::advice::similar_among;
use super::cursor::{Abort, P, Parser};
use crate::ast::{Branch, Expr, ExprKind, Function};
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
        let near = similar_among(&name.name, |k| Function::from_name(k.text()).is_some());
        self.fail(error.suggest(near.map(Keyword::text)))
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

    pub(super) fn call(&mut self, function: Function) -> P<ExprKind> {
        let name = self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let arguments = self.list(Self::expr)?;
        self.expect(T::ParenClose, "an operator, `,` or `)`")?;
        let found = arguments.len();
        if let Some(wanted) = function.arity().filter(|&n| n != found) {
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("`{}` takes {wanted} argument{plural}, not {found}", function.name());
            self.report(Diagnostic::error(self.since(name.span), message));
        }
        Ok(ExprKind::Call(function, arguments))
    }

    pub(super) fn next_value(&mut self) -> P<ExprKind> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let inner = self.expr()?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(ExprKind::Next(Box::new(inner)))
    }

    /// `CONSTARRAY(typeof(a), value)`.
    pub(super) fn const_array(&mut self) -> P<ExprKind> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        self.expect(T::Key(Keyword::TypeOf), "`typeof`")?;
        self.expect(T::ParenOpen, "`(`")?;
        let of = self.path("the name of an array")?;
        self.expect(T::ParenClose, "`)`")?;
        self.expect(T::Comma, "`,`")?;
        let value = self.expr()?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(ExprKind::ConstArray(Box::new(of), Box::new(value)))
    }

    pub(super) fn case(&mut self) -> P<ExprKind> {
        let start = self.bump().span;
        let mut branches = Vec::new();
        if self.at_key(Keyword::Esac) {
            return self.unexpected("a branch of the `case`");
        }
        while self.eat(T::Key(Keyword::Esac)).is_none() {
            if self.at_section() {
                let message = format!("expected a branch or `esac`, found {}", self.peek().describe());
                return self.fail(Diagnostic::error(self.here(), message).also(start, "of this `case`"));
            }
            match self.branch() {
                Ok(branch) => branches.push(branch),
                Err(Abort) if self.skip_branch() => {}
                Err(Abort) => return Err(Abort),
            }
        }
        Ok(ExprKind::Case(branches))
    }

    fn branch(&mut self) -> P<Branch> {
        let condition = self.expr()?;
        self.expect(T::Colon, "an operator or `:`")?;
        let value = self.expr()?;
        if self.at_key(Keyword::Esac) {
            let error = Diagnostic::error(self.previous().end(), "expected `;` before `esac`");
            let _ = self.fail::<()>(error.at("a `;` is missing here"));
        } else {
            self.expect(T::Semi, "an operator or `;`")?;
        }
        Ok(Branch { condition, value })
    }
}
