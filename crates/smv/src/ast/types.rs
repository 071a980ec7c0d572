//! Types of variables.

use lurcher_syntax::Span;

use super::{Expr, Ident, Path};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// Kinds of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `boolean`.
    Boolean,
    /// `word[n]`, `unsigned word[n]` or `signed word[n]`.
    Word {
        /// `signed`.
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
        /// Smallest index.
        lower: Box<Expr>,
        /// Largest index.
        upper: Box<Expr>,
        /// Type of the elements.
        element: Box<Type>,
    },
    /// `array word[n] of element`.
    WordArray {
        /// Number of bits of an index.
        width: Box<Expr>,
        /// Type of the elements.
        element: Box<Type>,
    },
    /// `M(arguments)` or `process M(arguments)`.
    Instance {
        /// Instances of processes take turns.
        process: bool,
        /// The module.
        module: Ident,
        /// What its parameters stand for.
        arguments: Vec<Expr>,
    },
}

/// One value of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// What it is.
    pub kind: ValueKind,
    /// Its place.
    pub span: Span,
}

/// Kinds of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A symbolic constant; flattened models have some with dots.
    Symbol(Path),
    /// An integer.
    Integer(i64),
    /// `TRUE` or `FALSE`.
    Boolean(bool),
}
