//! Variables, definitions, symbolic constants, assignments and specifications.

use super::class::ExprClass;
use super::cursor::{P, Parser};
use crate::ast::{Assignment, Define, DefineBody, Moment, Path, Spec, SpecBody, Variable, VariableRole};
use crate::token::{Keyword, T};

impl Parser<'_> {
    pub(super) fn variable(&mut self, role: VariableRole) -> P<Variable> {
        let name = self.declared_path("the name of a variable or a section")?;
        self.expect(T::Colon, "`:`")?;
        let ty = match role {
            VariableRole::State => self.variable_type()?,
            VariableRole::Input => self.plain_type("`IVAR`")?,
            VariableRole::Frozen => self.plain_type("`FROZENVAR`")?,
        };
        self.semicolon("`;`")?;
        Ok(Variable { name, ty })
    }

    pub(super) fn define(&mut self, array: bool) -> P<Define> {
        let name = self.declared_path("the name of a definition or a section")?;
        self.expect(T::Becomes, "`:=`")?;
        if array && !self.at(T::BracketOpen) {
            return self.unexpected("`[`");
        }
        let body = self.define_body()?;
        self.semicolon("an operator or `;`")?;
        Ok(Define { name, body })
    }

    fn define_body(&mut self) -> P<DefineBody> {
        if self.at(T::BracketOpen) {
            return self.nested(Self::define_array);
        }
        Ok(DefineBody::Expr(self.classed(ExprClass::Next, "under `DEFINE`")?))
    }

    /// `[…]`: either all elements are arrays or none is.
    fn define_array(&mut self) -> P<DefineBody> {
        self.expect(T::BracketOpen, "`[`")?;
        let nested = self.at(T::BracketOpen);
        let elements = self.list(|p| match p.at(T::BracketOpen) == nested {
            true => p.define_body(),
            false if nested => p.unexpected("`[`, as for the first element"),
            false => p.unexpected("an expression, as for the first element"),
        })?;
        self.expect(T::BracketClose, "an operator, `,` or `]`")?;
        Ok(DefineBody::Array(elements))
    }

    pub(super) fn constants(&mut self) -> P<Vec<Path>> {
        let mut constants = Vec::new();
        if self.at(T::Name) {
            constants.push(self.symbol("a symbolic constant")?);
        }
        while self.eat(T::Comma).is_some() {
            constants.push(self.symbol("a symbolic constant")?);
        }
        self.semicolon("`,` or `;`")?;
        Ok(constants)
    }

    pub(super) fn assignment(&mut self) -> P<Assignment> {
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
    fn wrapped_target(&mut self) -> P<Path> {
        self.bump();
        self.expect(T::ParenOpen, "`(`")?;
        let target = self.path("the name of a variable")?;
        self.expect(T::ParenClose, "`)`")?;
        Ok(target)
    }

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
