//! Instances, imports, types, constants, variables and definitions.

use super::cursor::{P, Parser};
use crate::ast::{
    Binding, Bound, Declaration, Declared, Define, Import, Instances, TypeBody, TypeDeclaration, TypeName, TypeNameKind,
};
use crate::token::{Keyword, T};

impl Parser<'_> {
    /// `names: Process` or `names: ARRAY [n] OF Process`.
    pub(super) fn instances(&mut self) -> P<Instances> {
        let names = self.list(|p| p.ident("the name of an instance"))?;
        self.expect(T::Colon, "`,` or `:`")?;
        let array = if self.at_key(Keyword::Array) { Some(self.array()?) } else { None };
        Ok(Instances { names, array, process: self.ident("the name of a process or `ARRAY`")? })
    }

    /// `ARRAY [n] OF` or `ARRAY [m..n] OF`.
    fn array(&mut self) -> P<(Bound, Bound)> {
        self.bump();
        self.expect(T::BracketOpen, "`[`")?;
        let first = self.bound()?;
        let bounds = match self.eat(T::DotDot) {
            Some(_) => (first, self.bound()?),
            None => (Bound::Integer(1, self.previous().span), first),
        };
        self.expect(T::BracketClose, "`..` or `]`")?;
        self.expect_key(Keyword::Of)?;
        Ok(bounds)
    }

    fn bound(&mut self) -> P<Bound> {
        if self.at(T::Name) {
            return Ok(Bound::Constant(self.ident("a constant")?));
        }
        let span = self.here();
        Ok(Bound::Integer(self.number("a constant or an integer")?, span))
    }

    /// `name`, `name.member` or `name[k].member`.
    pub(super) fn import(&mut self) -> P<Import> {
        let name = self.ident("a name to import")?;
        let mut index = None;
        if self.eat(T::BracketOpen).is_some() {
            let span = self.here();
            index = Some((self.number("an integer")?, span));
            self.expect(T::BracketClose, "`]`")?;
        }
        let member = match self.eat(T::Dot) {
            Some(_) => Some(self.ident("a variable or transition")?),
            None if index.is_some() => return self.unexpected("`.`"),
            None => None,
        };
        Ok(Import { name, index, member })
    }

    pub(super) fn type_name(&mut self) -> P<TypeName> {
        let token = self.peek();
        let kind = match token.kind {
            T::Name => TypeNameKind::Named(token.text.to_owned()),
            T::Key(Keyword::Boolean) => TypeNameKind::Boolean,
            T::Key(Keyword::Integer) => TypeNameKind::Integer,
            T::Key(Keyword::Real) => TypeNameKind::Real,
            T::Key(Keyword::Time) => TypeNameKind::Time,
            T::Key(Keyword::Id) => TypeNameKind::Id,
            _ => return self.unexpected("a type"),
        };
        self.bump();
        Ok(TypeName { kind, span: token.span })
    }

    pub(super) fn type_declaration(&mut self) -> P<TypeDeclaration> {
        let name = self.ident("the name of a type")?;
        let body = match self.peek().kind {
            T::Colon | T::Key(Keyword::Is) => {
                self.bump();
                self.type_body()?
            }
            T::Key(Keyword::Subtype) => {
                self.bump();
                TypeBody::Subtype(self.type_name()?)
            }
            _ => TypeBody::Uninterpreted,
        };
        Ok(TypeDeclaration { name, body })
    }

    fn type_body(&mut self) -> P<TypeBody> {
        match self.peek().kind {
            T::Key(Keyword::List) => self.collection(TypeBody::List),
            T::Key(Keyword::Set) => self.collection(TypeBody::Set),
            T::Key(Keyword::Structure) => {
                self.bump();
                self.expect_key(Keyword::Of)?;
                self.expect(T::ParenOpen, "`(`")?;
                let fields = self.bindings("the name of a field")?;
                self.expect(T::ParenClose, "`,` or `)`")?;
                Ok(TypeBody::Structure(fields))
            }
            T::Key(Keyword::Typedef) => self.typedef(),
            T::ParenOpen => {
                self.bump();
                let values = self.list(|p| p.ident("the name of a value"))?;
                self.expect(T::ParenClose, "`,` or `)`")?;
                Ok(TypeBody::Enumeration(values))
            }
            _ => Ok(TypeBody::Alias(self.type_name()?)),
        }
    }

    fn collection(&mut self, body: fn(TypeName) -> TypeBody) -> P<TypeBody> {
        self.bump();
        self.expect_key(Keyword::Of)?;
        Ok(body(self.type_name()?))
    }

    /// `TYPEDEF x: type (condition)`.
    fn typedef(&mut self) -> P<TypeBody> {
        self.bump();
        let variable = self.ident("a name")?;
        if !self.eat_key(Keyword::Is) {
            self.expect(T::Colon, "`:`")?;
        }
        let base = self.type_name()?;
        self.expect(T::ParenOpen, "`(`")?;
        let condition = Box::new(self.expr()?);
        self.expect(T::ParenClose, "an operator or `)`")?;
        Ok(TypeBody::Typedef { variable, base, condition })
    }

    /// `a, b(types): type`.
    pub(super) fn declaration(&mut self, what: &str) -> P<Declaration> {
        let names = self.list(|p| {
            let name = p.ident(what)?;
            let parameters = p.optional_list(Self::type_name)?;
            Ok(Declared { name, parameters })
        })?;
        self.expect(T::Colon, "`,` or `:`")?;
        Ok(Declaration { names, ty: self.type_name()? })
    }

    /// `x, y: type, z: type`.
    pub(super) fn bindings(&mut self, what: &str) -> P<Vec<Binding>> {
        self.list(|p| {
            let names = p.list(|p| p.ident(what))?;
            p.expect(T::Colon, "`,` or `:`")?;
            Ok(Binding { names, ty: p.type_name()? })
        })
    }

    /// The parameters of a definition or transition, or nothing.
    pub(super) fn parameters(&mut self) -> P<Vec<Binding>> {
        if self.eat(T::ParenOpen).is_none() {
            return Ok(Vec::new());
        }
        let parameters = self.bindings("the name of a parameter")?;
        self.expect(T::ParenClose, "`,` or `)`")?;
        Ok(parameters)
    }

    /// `name(parameters): type == body`.
    pub(super) fn define(&mut self) -> P<Define> {
        let name = self.ident("the name of a definition")?;
        let parameters = self.parameters()?;
        self.expect(T::Colon, "`:`")?;
        let ty = self.type_name()?;
        self.expect(T::Defined, "`==`")?;
        Ok(Define { name, parameters, ty, body: self.expr()? })
    }
}
