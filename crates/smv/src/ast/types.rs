//! Types of variables.

use lurcher_syntax::Span;

use super::{Expr, Ident, Path};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

/// Kinds of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    Boolean,
    /// `word[n]`, `unsigned word[n]` or `signed word[n]`.
    Word {
        signed: bool,
        /// Number of bits, a constant expression.
        width: Box<Expr>,
    },
    /// `a..b`, both constant expressions.
    Range(Box<Expr>, Box<Expr>),
    /// `{a, 1, TRUE}`.
    Enumeration(Vec<Value>),
    /// `array a..b of element`.
    Array {
        lower: Box<Expr>,
        upper: Box<Expr>,
        element: Box<Type>,
    },
    /// `array word[n] of element`.
    WordArray {
        /// Number of bits of an index.
        width: Box<Expr>,
        element: Box<Type>,
    },
    /// `M(arguments)` or `process M(arguments)`.
    Instance {
        process: bool,
        module: Ident,
        arguments: Vec<Expr>,
    },
}

/// One value of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub kind: ValueKind,
    pub span: Span,
}

/// Kinds of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A symbolic constant; flattened models have some with dots.
    Symbol(Path),
    Integer(i64),
    Boolean(bool),
}
