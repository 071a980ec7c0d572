//! The syntax tree of an SMV file, section by section as written.
//!
//! It follows NuSMV 2.6's grammar: names are not resolved, and constant expressions are not evaluated. Chains of operators
//! and of selections are flat lists, so that a tree is only as deep as its source is nested.
#![allow(missing_docs, reason = "fields and variants are named after the syntax they hold")]

mod expr;
mod operator;
mod types;

pub use expr::{Bounds, Branch, Expr, ExprKind, Operation, Selector, WordConstant};
pub(crate) use operator::level;
pub use operator::{BinaryOp, Function, LtlOp, PathOp, Quantifier, UnaryOp};
pub use types::{Type, TypeKind, Value, ValueKind};

pub use lurcher_ir::relation::VariableRole;
use lurcher_syntax::Span;

/// A name and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: String,
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    pub modules: Vec<Module>,
}

/// `MODULE name(parameters)` and its sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub name: Ident,
    pub parameters: Vec<Ident>,
    pub sections: Vec<Section>,
}

/// One section of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub kind: SectionKind,
    pub span: Span,
}

/// The contents of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// `VAR`, `IVAR` or `FROZENVAR`.
    Variables(VariableRole, Vec<Variable>),
    /// `DEFINE`, or `MDEFINE`, its old spelling for arrays.
    Define(Vec<Define>),
    Constants(Vec<Path>),
    Assign(Vec<Assignment>),
    /// `INIT`, `INVAR` or `TRANS`.
    Constraint(ConstraintKind, Expr),
    /// `FAIRNESS` or `JUSTICE`.
    Justice(Expr),
    /// `COMPASSION (p, q)`.
    Compassion(Expr, Expr),
    /// `ISA module`.
    Isa(Ident),
    /// `SPEC`, `CTLSPEC`, `LTLSPEC`, `INVARSPEC` or `COMPUTE`.
    Spec(Spec),
}

/// `name : type;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name; flattened models declare `a.b` and `a[3]`.
    pub name: Path,
    pub ty: Type,
}

/// `name := body;` under `DEFINE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    pub name: Path,
    pub body: DefineBody,
}

/// The body of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefineBody {
    Expr(Expr),
    /// `[a, b, …]`: an array of definitions.
    Array(Vec<DefineBody>),
}

/// `target := value;` under `ASSIGN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    pub moment: Moment,
    pub target: Path,
    /// The value, or the set it is chosen from.
    pub value: Expr,
    /// From the target to the end of the value.
    pub span: Span,
}

/// Which value of a variable an assignment sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// `x := …`: in every state.
    Current,
    /// `init(x) := …`.
    Initial,
    /// `next(x) := …`.
    Next,
}

/// Kinds of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// `INIT`: the first state.
    Init,
    /// `INVAR`: every state.
    Invar,
    /// `TRANS`: every transition.
    Trans,
}

/// `LTLSPEC NAME name := formula IN context` and its relatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// `NAME name :=`.
    pub name: Option<Path>,
    pub body: SpecBody,
    /// `IN context`: the instance whose names the property uses.
    pub context: Option<Path>,
}

/// A property, by its logic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecBody {
    /// `SPEC` or `CTLSPEC`.
    Ctl(Expr),
    /// `LTLSPEC`.
    Ltl(Expr),
    /// `INVARSPEC`.
    Invariant(Expr),
    /// `COMPUTE MIN [from, to]`.
    ShortestDistance(Expr, Expr),
    /// `COMPUTE MAX [from, to]`.
    LongestDistance(Expr, Expr),
}

/// A name outside expressions: `a`, `self.b[3].c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The first name; `None` for `self`.
    pub root: Option<Ident>,
    /// Selectors; no bit ranges.
    pub selectors: Vec<Selector>,
    pub span: Span,
}
