//! Calls of functions.

use lurcher_syntax::Diagnostic;

use super::cursor::{P, Parser};
use crate::ast::{ExprKind, Function};
use crate::token::{Keyword, T};

impl Parser<'_> {
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
}
