//! Types and declarations.

use lurcher_syntax::Span;

use super::{Expr, Ident};

/// A use of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    pub kind: TypeNameKind,
    pub span: Span,
}

/// Built-in types, and names of declared ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeNameKind {
    Boolean,
    Integer,
    Real,
    Time,
    Id,
    Named(String),
}

/// `x, y: type` of parameters, bound variables and fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub names: Vec<Ident>,
    pub ty: TypeName,
}

/// `a, b(types): type` under `CONSTANT` or `VARIABLE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub names: Vec<Declared>,
    pub ty: TypeName,
}

/// One declared name, perhaps with parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: Ident,
    pub parameters: Vec<TypeName>,
}

/// One declaration under `TYPE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDeclaration {
    pub name: Ident,
    pub body: TypeBody,
}

/// The right side of a type declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeBody {
    /// `name` alone.
    Uninterpreted,
    /// `name: type`.
    Alias(TypeName),
    /// `name SUBTYPE type`.
    Subtype(TypeName),
    /// `name: LIST OF type`.
    List(TypeName),
    /// `name: SET OF type`.
    Set(TypeName),
    /// `name: STRUCTURE OF (fields)`.
    Structure(Vec<Binding>),
    /// `name: (a, b)`.
    Enumeration(Vec<Ident>),
    /// `name: TYPEDEF x: type (condition)`.
    Typedef { variable: Ident, base: TypeName, condition: Box<Expr> },
}
