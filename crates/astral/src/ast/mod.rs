//! The syntax tree of an ASTRAL file, clause by clause as written.
//!
//! It holds the whole grammar, also what [`check`](crate::check()) refuses. Names are not resolved. Chains of operators and
//! of selections are flat lists, so that a tree is only as deep as its source is nested.
#![allow(missing_docs, reason = "fields and variants are named after the syntax they hold")]

mod expr;
mod operator;
mod types;

pub use expr::{Applied, Event, Expr, ExprKind, Operation, Selector};
pub(crate) use operator::level;
pub use operator::{BinaryOp, EventKind, Quantifier, UnaryOp};
pub use types::{Binding, Declaration, Declared, TypeBody, TypeDeclaration, TypeName, TypeNameKind};

use lurcher_syntax::Span;

/// A name and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: String,
    pub span: Span,
}

/// A whole file: one specification or one composition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// `None` after an error.
    pub unit: Option<Unit>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    Specification(Specification),
    Composition(Composition),
}

/// `SPECIFICATION name … END name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    pub name: Ident,
    /// `None` after an error.
    pub global: Option<Global>,
    pub processes: Vec<Process>,
}

/// `COMPOSITION OF … AS name … END name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition {
    pub of: Vec<Ident>,
    pub name: Ident,
    pub clauses: Vec<Clause>,
    pub specifications: Vec<Specification>,
    /// The word `COMPOSITION`.
    pub span: Span,
}

/// `GLOBAL SPECIFICATION name … END name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    pub name: Ident,
    pub clauses: Vec<Clause>,
}

/// `PROCESS SPECIFICATION name … END name`, the top level first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub name: Ident,
    pub levels: Vec<Level>,
}

/// `LEVEL name … END name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    pub name: Ident,
    /// `REFINES name`.
    pub refines: Option<Ident>,
    pub clauses: Vec<Clause>,
    /// The word `LEVEL`.
    pub span: Span,
}

/// One clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub kind: ClauseKind,
    /// Its first word.
    pub span: Span,
}

/// The contents of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    Processes(Vec<Instances>),
    Import(Vec<Import>),
    Export(Vec<Ident>),
    Type(Vec<TypeDeclaration>),
    Constant(Vec<Declaration>),
    Variable(Vec<Declaration>),
    Define(Vec<Define>),
    Formula(FormulaKind, Expr),
    Further(Further),
    Transition(Transition),
    Implementation(Vec<Mapping>),
    CallGeneration { instance: Ident, transition: Ident, formula: Expr },
}

/// Clauses that hold one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormulaKind {
    Axiom,
    Environment,
    ImportedVariable,
    Initial,
    Invariant,
    Constraint,
    Schedule,
}

impl FormulaKind {
    /// Its words.
    pub fn text(self) -> &'static str {
        match self {
            FormulaKind::Axiom => "AXIOM",
            FormulaKind::Environment => "ENVIRONMENT",
            FormulaKind::ImportedVariable => "IMPORTED VARIABLE",
            FormulaKind::Initial => "INITIAL",
            FormulaKind::Invariant => "INVARIANT",
            FormulaKind::Constraint => "CONSTRAINT",
            FormulaKind::Schedule => "SCHEDULE",
        }
    }
}

/// `names: Process` or `names: ARRAY [1..n] OF Process`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instances {
    pub names: Vec<Ident>,
    /// First and last index of an array; `ARRAY [n]` starts at 1.
    pub array: Option<(Bound, Bound)>,
    pub process: Ident,
}

/// An end of the index range of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    Constant(Ident),
    Integer(i64, Span),
}

/// `name`, `name.member` or `name[2].member` under `IMPORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub name: Ident,
    pub index: Option<(i64, Span)>,
    pub member: Option<Ident>,
}

/// `name(parameters): type == body`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    pub name: Ident,
    pub parameters: Vec<Binding>,
    pub ty: TypeName,
    pub body: Expr,
}

/// `TRANSITION name(parameters)` with its `ENTRY` and `EXCEPT` cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    pub name: Ident,
    pub parameters: Vec<Binding>,
    /// The `ENTRY` first; never empty.
    pub cases: Vec<Case>,
}

/// `ENTRY [TIME: duration] entry EXIT exit`, or the same with `EXCEPT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub label: Option<Ident>,
    pub duration: Duration,
    pub entry: Expr,
    pub exit: Expr,
}

/// The duration of a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duration {
    Constant(Ident),
    Integer(i64, Span),
    /// A decimal fraction as written.
    Real(String, Span),
}

/// `FURTHER ASSUMPTIONS #k`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Further {
    pub number: i64,
    /// `FURTHER ENVIRONMENT`.
    pub environment: Option<Expr>,
    /// `CONSTANT REFINEMENT`.
    pub constants: Option<Expr>,
    /// `TRANSITION SELECTION`.
    pub selection: Vec<SelectionRule>,
}

/// `{enabled} & condition -> {selected}`: which of the enabled transitions may start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionRule {
    pub enabled: Vec<Ident>,
    pub condition: Option<Expr>,
    pub selected: Vec<Ident>,
}

/// `name == …` under `IMPLEMENTATION`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub name: Ident,
    /// `.k`: the case of a transition.
    pub case: Option<i64>,
    pub parameters: Vec<Ident>,
    pub body: MappingBody,
}

/// What an entity of the upper level becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappingBody {
    Formula(Expr),
    Sequence(Sequence),
}

/// Transitions of the lower level in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// `T(arguments)`.
    Transition(Ident, Vec<Expr>),
    /// `WHEN condition DO sequence OD`; without a condition `DO sequence OD`.
    When(Option<Expr>, Box<Sequence>),
    /// `a BEFORE b`; two or more.
    Before(Vec<Sequence>),
    /// `a OR b`; two or more.
    Or(Vec<Sequence>),
}
