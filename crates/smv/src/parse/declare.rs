//! Declarations of variables, definitions and symbolic constants.

use super::class::ExprClass;
use super::cursor::{P, Parser};
use crate::ast::{Define, DefineBody, Path, Variable, VariableKind};
use crate::token::T;

impl Parser<'_> {
    pub(super) fn variables(&mut self, kind: VariableKind) -> Vec<Variable> {
        self.declarations(|p| p.variable(kind))
    }

    fn variable(&mut self, kind: VariableKind) -> P<Variable> {
        let name = self.declared_path("the name of a variable or a section")?;
        self.expect(T::Colon, "`:`")?;
        let ty = match kind {
            VariableKind::State => self.variable_type()?,
            VariableKind::Input => self.plain_type("`IVAR`")?,
            VariableKind::Frozen => self.plain_type("`FROZENVAR`")?,
        };
        self.semicolon("`;`")?;
        Ok(Variable { name, ty })
    }

    /// The definitions of a section; those of `MDEFINE` are all arrays.
    pub(super) fn defines(&mut self, arrays: bool) -> Vec<Define> {
        self.declarations(|p| p.define(arrays))
    }

    fn define(&mut self, array: bool) -> P<Define> {
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
}
