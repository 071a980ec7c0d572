//! Assignments.

use super::class::ExprClass;
use super::cursor::{P, Parser};
use crate::ast::{Assignment, Moment};
use crate::token::{Keyword, T};

impl Parser<'_> {
    pub(super) fn assignments(&mut self) -> Vec<Assignment> {
        self.declarations(Self::assignment)
    }

    fn assignment(&mut self) -> P<Assignment> {
        let start = self.here();
        let moment = match self.peek().kind {
            T::Key(Keyword::SmallInit) => Moment::Initial,
            T::Key(Keyword::Next) => Moment::Next,
            _ => Moment::Current,
        };
        let target = match moment {
            Moment::Current => self.path("an assignment or a section")?,
            _ => self.wrapped_target()?,
        };
        self.expect(T::Becomes, "`:=`")?;
        let value = match moment {
            Moment::Next => self.classed(ExprClass::Next, "in the value of `next(…)`")?,
            Moment::Initial => self.classed(ExprClass::Simple, "in the value of `init(…)`")?,
            Moment::Current => self.classed(ExprClass::Simple, "in the value of a current variable")?,
        };
        let span = start.to(value.span);
        self.semicolon("an operator or `;`")?;
        Ok(Assignment { moment, target, value, span })
    }

    /// `init(x)` or `next(x)`.
    fn wrapped_target(&mut self) -> P<crate::ast::Path> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let target = self.path("the name of a variable")?;
        self.expect(T::ParenClose, "`)`")?;
        Ok(target)
    }
}
