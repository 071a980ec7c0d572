//! Specifications.

use super::class::ExprClass;
use super::cursor::{P, Parser};
use crate::ast::{Path, Spec, SpecBody};
use crate::token::{Keyword, T};

impl Parser<'_> {
    /// A specification after its keyword.
    pub(super) fn spec(&mut self, keyword: Keyword) -> P<Spec> {
        let name = self.spec_name()?;
        let place = format!("under `{}`", keyword.text());
        let body = match keyword {
            Keyword::LtlSpec => SpecBody::Ltl(self.classed(ExprClass::Ltl, &place)?),
            Keyword::InvarSpec => SpecBody::Invariant(self.classed(ExprClass::Next, &place)?),
            Keyword::Compute => self.distance(&place)?,
            _ => SpecBody::Ctl(self.classed(ExprClass::Ctl, &place)?),
        };
        let context = match self.eat(T::Key(Keyword::In)) {
            Some(_) => Some(self.path("the name of an instance")?),
            None => None,
        };
        self.eat(T::Semi);
        Ok(Spec { name, body, context })
    }

    /// `NAME name :=`, if it follows.
    fn spec_name(&mut self) -> P<Option<Path>> {
        if self.eat(T::Key(Keyword::Name)).is_none() {
            return Ok(None);
        }
        let name = self.path("the name of the property")?;
        self.expect(T::Becomes, "`:=`")?;
        Ok(Some(name))
    }

    /// `MIN [from, to]` or `MAX [from, to]`.
    fn distance(&mut self, place: &str) -> P<SpecBody> {
        let shortest = match self.peek().kind {
            T::Key(Keyword::MinDistance) => true,
            T::Key(Keyword::MaxDistance) => false,
            _ => return self.unexpected("`MIN` or `MAX`"),
        };
        self.bump();
        self.expect(T::BracketOpen, "`[`")?;
        let from = self.classed(ExprClass::Ctl, place)?;
        self.expect(T::Comma, "an operator or `,`")?;
        let to = self.classed(ExprClass::Ctl, place)?;
        self.expect(T::BracketClose, "an operator or `]`")?;
        let body = if shortest { SpecBody::ShortestDistance } else { SpecBody::LongestDistance };
        Ok(body(from, to))
    }
}
