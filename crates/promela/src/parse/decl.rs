//! Declarations.

use lurcher_syntax::{Diagnostic, Span};

use super::token::{T, starts_declaration};
use super::{P, Parser};
use crate::ast::{ChannelInit, Decl, Declarator, Ident, Initialiser, MtypeDecl, TypeName, Unit, Visibility};

/// The most constants of an mtype set: their values are bytes, and 0 is not used.
const MTYPE_CONSTANTS: usize = 255;
const TOO_MANY_CONSTANTS: &str = "more than 255 mtype constants in one set";

/// The start of a declaration: mtype constants, or the type of variables.
enum Start {
    Mtype(MtypeDecl),
    Vars { visibility: Option<Visibility>, ty: TypeName, start: Span },
}

impl<'a> Parser<'a> {
    pub(super) fn global_decl(&mut self) -> P<Unit> {
        match self.decl_start()? {
            Start::Mtype(decl) => Ok(Unit::Mtype(decl)),
            Start::Vars { visibility, ty, start } => Ok(Unit::Decl(self.decl_vars(visibility, ty, start)?)),
        }
    }

    /// A declaration of variables, where `mtype = { … }` is not allowed.
    pub(super) fn decl(&mut self, what: &str) -> P<Decl> {
        if !starts_declaration(self.peek().kind) {
            return self.unexpected(what);
        }
        match self.decl_start()? {
            Start::Vars { visibility, ty, start } => self.decl_vars(visibility, ty, start),
            Start::Mtype(decl) => {
                let span = decl.span;
                self.report(Diagnostic::error(span, "mtype constants can only be declared outside of any body"));
                let ty = TypeName::Mtype(None);
                Ok(Decl { span, visibility: None, ty, vars: Vec::new() })
            }
        }
    }

    fn decl_start(&mut self) -> P<Start> {
        let first = self.peek();
        let start = first.span;
        let visibility = match first.kind {
            T::Hidden => Some(Visibility::Hidden),
            T::Show => Some(Visibility::Show),
            T::Local => Some(Visibility::Local),
            _ => None,
        };
        if visibility.is_some() {
            self.bump();
        }
        if let Some(name) = self.eat(T::TypedefName) {
            return Ok(Start::Vars { visibility, ty: TypeName::User(Self::ident(&name)), start });
        }
        let word = self.expect(T::Type, "a type")?;
        let subtype = self.subtype(word.text)?;
        let constants = self.at(T::Assign) || (subtype.is_none() && self.at(T::BraceOpen));
        if !constants {
            let ty = type_name(word.text, subtype);
            return Ok(Start::Vars { visibility, ty, start });
        }
        if word.text != "mtype" {
            return self.unexpected("the name of a variable");
        }
        if let Some(visibility) = visibility {
            let message = format!("`{}` does not apply to mtype constants", spell(visibility));
            self.report(Diagnostic::error(first.span, message));
        }
        self.eat(T::Assign);
        let names = self.mtype_names()?;
        let span = start.to(self.previous);
        let set = subtype.as_ref().map(|s| s.name.as_str());
        let count = self.stream.names.add_mtype_constants(set, names.iter().map(|n| n.name.as_str()));
        if count > MTYPE_CONSTANTS {
            self.report(Diagnostic::error(span, TOO_MANY_CONSTANTS));
        }
        Ok(Start::Mtype(MtypeDecl { span, subtype, names }))
    }

    /// `{ a, b c }`: commas are optional, but not first.
    fn mtype_names(&mut self) -> P<Vec<Ident>> {
        self.expect(T::BraceOpen, "`{` and the names of constants")?;
        let mut names: Vec<Ident> = Vec::new();
        loop {
            let token = self.peek();
            match token.kind {
                T::Name => {
                    self.bump();
                    if let Some(twice) = names.iter().find(|n| n.name == token.text) {
                        let message = format!("mtype constant `{}` is declared twice", token.text);
                        let first = twice.span;
                        self.report(Diagnostic::error(token.span, message).also(first, "first declared here"));
                    } else if names.len() > MTYPE_CONSTANTS {
                        return self.fail(Diagnostic::error(token.span, TOO_MANY_CONSTANTS));
                    } else {
                        names.push(Self::ident(&token));
                    }
                }
                T::Comma if !names.is_empty() => {
                    self.bump();
                }
                T::BraceClose if !names.is_empty() => {
                    self.bump();
                    return Ok(names);
                }
                T::Const if token.is_mtype_constant() => {
                    let message = format!("mtype constant `{}` is declared twice", token.text);
                    return self.fail(Diagnostic::error(token.span, message));
                }
                _ => return self.unexpected("the name of an mtype constant"),
            }
        }
    }

    fn decl_vars(&mut self, visibility: Option<Visibility>, ty: TypeName, start: Span) -> P<Decl> {
        let vars = self.list(Self::declarator)?;
        Ok(Decl { span: start.to(self.previous), visibility, ty, vars })
    }

    fn declarator(&mut self) -> P<Declarator> {
        let name = self.expect(T::Name, "the name of a variable")?;
        let (mut width, mut size) = (None, None);
        match self.peek().kind {
            T::Colon => {
                self.bump();
                let bits = self.expect(T::Const, "a width in bits")?;
                width = Some((bits.value, bits.span));
            }
            T::BracketOpen => {
                self.bump();
                size = Some(self.size_or_name()?);
                self.expect(T::BracketClose, "`]`")?;
            }
            _ => {}
        }
        let init = if self.eat(T::Assign).is_some() { Some(self.initialiser()?) } else { None };
        Ok(Declarator { name: Self::ident(&name), width, size, init })
    }

    fn initialiser(&mut self) -> P<Initialiser> {
        match self.peek().kind {
            T::BraceOpen => self.initial_list(),
            T::BracketOpen => Ok(Initialiser::Channel(self.channel_init()?)),
            T::InlineName => {
                let name = self.peek();
                let message = format!("inline `{}` cannot be called in a declaration", name.text);
                self.fail(Diagnostic::error(name.span, message).note("declare the variable first, then assign to it"))
            }
            _ => Ok(Initialiser::Expr(self.expr()?)),
        }
    }

    /// `{ 1, 2, 3 }`: plain constants only.
    fn initial_list(&mut self) -> P<Initialiser> {
        let open = self.bump();
        let values = self.list(|p| Ok(p.expect(T::Const, "a constant")?.value))?;
        let close = self.expect(T::BraceClose, "`,` or `}`")?;
        Ok(Initialiser::List(values, open.span.to(close.span)))
    }

    fn channel_init(&mut self) -> P<ChannelInit> {
        let open = self.bump();
        let (capacity, _) = self.const_expr()?;
        self.expect(T::BracketClose, "`]`")?;
        self.expect(T::Of, "`of`")?;
        self.expect(T::BraceOpen, "`{` and the types of the message fields")?;
        let fields = self.list(Self::message_type)?;
        let close = self.expect(T::BraceClose, "`,` or `}`")?;
        Ok(ChannelInit { capacity, fields, span: open.span.to(close.span) })
    }

    fn message_type(&mut self) -> P<TypeName> {
        if let Some(name) = self.eat(T::TypedefName) {
            return Ok(TypeName::User(Self::ident(&name)));
        }
        let word = self.expect(T::Type, "a type")?;
        if word.text == "unsigned" {
            self.report(Diagnostic::error(word.span, "`unsigned` cannot be the type of a message field"));
            if self.eat(T::Colon).is_some() {
                self.eat(T::Const);
            }
            return Ok(TypeName::Int);
        }
        let subtype = self.subtype(word.text)?;
        Ok(type_name(word.text, subtype))
    }

    /// `:set` after `mtype`, if it follows.
    fn subtype(&mut self, word: &str) -> P<Option<Ident>> {
        if self.eat(T::Colon).is_none() {
            return Ok(None);
        }
        let name = self.expect(T::Name, "the name of an mtype set")?;
        if word != "mtype" {
            let message = format!("`{word}` cannot be followed by `:` and a name; only `mtype` can");
            self.report(Diagnostic::error(name.span, message));
        }
        Ok(Some(Self::ident(&name)))
    }
}

fn spell(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Hidden => "hidden",
        Visibility::Show => "show",
        Visibility::Local => "local",
    }
}

fn type_name(word: &str, subtype: Option<Ident>) -> TypeName {
    match word {
        "bit" => TypeName::Bit,
        "bool" => TypeName::Bool,
        "byte" => TypeName::Byte,
        "pid" => TypeName::Pid,
        "short" => TypeName::Short,
        "int" => TypeName::Int,
        "unsigned" => TypeName::Unsigned,
        "chan" => TypeName::Chan,
        _ => TypeName::Mtype(subtype),
    }
}
