//! Expressions and formulas: one tree for both, as in the grammar.

use lurcher_syntax::Span;

use super::{BinaryOp, Binding, EventKind, Ident, Quantifier, UnaryOp};

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Boolean(bool),
    Integer(i64),
    /// A decimal fraction as written.
    Real(String),
    /// `EMPTY`, the empty set.
    Empty,
    /// `NIL`, the empty list.
    Nil,
    Now,
    SelfRef,
    /// `x'(arguments)`.
    Name(Applied),
    /// `a[i].b'(x)`; never empty.
    Select(Box<Expr>, Vec<Selector>),
    Unary(UnaryOp, Box<Expr>),
    /// Operators of one level, grouped to the left: `a + b - c` is `a`, then `+ b`, then `- c`. At least one operation;
    /// exactly one where the operators of the level do not associate.
    Chain(Box<Expr>, Vec<Operation>),
    /// `IF c THEN a ELSE b FI`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `FORALL x, y: type (body)`.
    Quantified(Quantifier, Vec<Binding>, Box<Expr>),
    Event(Event),
    /// `Change[k](a, t)`.
    Change {
        of: Box<Expr>,
        nth: Option<i64>,
        at: Option<Box<Expr>>,
    },
    /// `past(a, t)`.
    Past(Box<Expr>, Box<Expr>),
    /// `NOCHANGE(a, b(x))`.
    NoChange(Vec<Expr>),
    /// `IDTYPE(a)`.
    IdType(Box<Expr>),
    /// `{a, b}`.
    Set(Vec<Expr>),
    /// `{SETDEF x: type (condition)}`.
    SetDef(Vec<Binding>, Box<Expr>),
    /// `LISTDEF(a, b)`.
    ListDef(Vec<Expr>),
}

/// A name, perhaps primed, perhaps with arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    pub name: Ident,
    pub primed: bool,
    pub arguments: Vec<Expr>,
}

/// A selection from an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// `.name'(arguments)`.
    Member(Applied),
    /// `[i]`.
    Index(Expr),
}

/// `op operand` in a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub op: BinaryOp,
    /// Whether the operator is written with a leading `~`.
    pub negated: bool,
    pub operand: Expr,
    /// The operator.
    pub span: Span,
}

/// `owner.Start[k](T(arguments), t)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub owner: Option<Box<Expr>>,
    pub kind: EventKind,
    pub nth: Option<i64>,
    pub transition: Ident,
    pub arguments: Vec<Expr>,
    pub at: Option<Box<Expr>>,
}
