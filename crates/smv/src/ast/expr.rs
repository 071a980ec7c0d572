//! Expressions and formulas: one tree for both, as in NuSMV's grammar.

use lurcher_syntax::Span;

use super::{BinaryOp, Function, Ident, LtlOp, Path, PathOp, Quantifier, UnaryOp};

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A variable, definition, parameter, instance or symbolic constant.
    Name(String),
    SelfRef,
    Boolean(bool),
    /// An integer without sign.
    Integer(i64),
    /// `0ud8_255`.
    Word(WordConstant),
    /// `a.b[1][7:4]`; never empty.
    Select(Box<Expr>, Vec<Selector>),
    /// `!a` or `-a`.
    Unary(UnaryOp, Box<Expr>),
    /// Left-associative operators of one level: `a + b - c` is `a`, then `+ b`, then `- c`. At least one operation, and
    /// never `->`.
    Chain(Box<Expr>, Vec<Operation>),
    /// `a -> b`.
    Implies(Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `case c : a; … esac`.
    Case(Vec<Branch>),
    /// `{a, b}`; never empty.
    Set(Vec<Expr>),
    /// `1..3`.
    Range(Bounds),
    /// `next(a)`.
    Next(Box<Expr>),
    /// `max(a, b)` and so on.
    Call(Function, Vec<Expr>),
    /// `CONSTARRAY(typeof(a), value)`.
    ConstArray(Box<Path>, Box<Expr>),
    /// `EX a`, `AG a`; with bounds `EBF 0..3 a`.
    Ctl(Quantifier, PathOp, Option<Bounds>, Box<Expr>),
    /// `A [a U b]`, `E [a BU 0..3 b]`.
    CtlUntil(Quantifier, Option<Bounds>, Box<Expr>, Box<Expr>),
    /// `F a`, `G [0,3] a`.
    Ltl(LtlOp, Option<Bounds>, Box<Expr>),
}

impl Expr {
    /// The operands, left to right.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Name(_) | ExprKind::SelfRef | ExprKind::Boolean(_) | ExprKind::Integer(_) => Vec::new(),
            ExprKind::Word(_) | ExprKind::Range(_) => Vec::new(),
            ExprKind::Select(base, selectors) => {
                std::iter::once(&**base).chain(selectors.iter().flat_map(Selector::operands)).collect()
            }
            ExprKind::Unary(_, a) | ExprKind::Next(a) | ExprKind::ConstArray(_, a) => vec![a],
            ExprKind::Ctl(.., a) | ExprKind::Ltl(.., a) => vec![a],
            ExprKind::Chain(first, operations) => {
                std::iter::once(&**first).chain(operations.iter().map(|o| &o.operand)).collect()
            }
            ExprKind::Implies(a, b) | ExprKind::CtlUntil(.., a, b) => vec![a, b],
            ExprKind::Conditional(c, a, b) => vec![c, a, b],
            ExprKind::Case(branches) => branches.iter().flat_map(|b| [&b.condition, &b.value]).collect(),
            ExprKind::Set(list) | ExprKind::Call(_, list) => list.iter().collect(),
        }
    }
}

/// `op operand` in a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub op: BinaryOp,
    pub operand: Expr,
}

/// `condition : value;` in a `case`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub condition: Expr,
    pub value: Expr,
}

/// A selection from a name or value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// `.name`.
    Field(Ident),
    /// `.3`: NuSMV flattens arrays of instances to such names.
    Number(i64, Span),
    /// `[i]`.
    Index(Box<Expr>),
    /// `[high:low]`.
    Bits(Box<Expr>, Box<Expr>),
}

impl Selector {
    pub(crate) fn operands(&self) -> Vec<&Expr> {
        match self {
            Selector::Field(_) | Selector::Number(..) => Vec::new(),
            Selector::Index(index) => vec![index],
            Selector::Bits(high, low) => vec![high, low],
        }
    }
}

/// Two integers in written order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub lower: i64,
    pub upper: i64,
}

/// A constant of a `word` type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordConstant {
    /// Whether its type is `signed`.
    pub signed: bool,
    /// Number of bits, 1 to 64.
    pub width: u32,
    /// The bits; above `width` all zero.
    pub bits: u64,
}
