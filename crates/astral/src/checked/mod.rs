//! A checked specification: names are resolved, every term has a type, and all rules of [`check`](crate::check()) hold.
//!
//! Tables of declarations are flat and refer to each other by index; `process` is `None` for global declarations. Terms stand
//! in one arena ([`Terms`]), operands before the terms that contain them. What is relied on:
//!
//! * every index is valid, every argument list fits its declaration, and types agree;
//! * primed terms occur in exit assertions and constraints only, outside `past` and `Change`; `BECOMES`, `NOCHANGE` and `ALT`
//!   occur in exit assertions only and name own variables;
//! * axioms, conditions of types and durations do not depend on time; definitions are not circular;
//! * bound variables range over finite types or over instants; parameters of constants and variables have finite types;
//! * a product has at most one factor that changes, and no divisor changes. What must have a value for the terms to be
//!   linear, or for a type to be finite, is listed in [`Specification::required`].

mod id;
mod term;
mod text;
mod types;

pub use id::{BoundId, ConstantId, DefineId, InstancesId, ProcessId, TermId, TransitionId, TypeId, VariableId};
pub use term::{Event, Owner, Rational, Term, TermKind, Terms};
pub use types::{IndexRange, Limit, Range, Type, TypeDefinition, TypeKind};

use lurcher_syntax::Span;

pub use crate::ast::{BinaryOp, EventKind, FormulaKind, Quantifier};

/// A checked specification.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// Its name.
    pub name: String,
    /// Process types.
    pub processes: Vec<Process>,
    /// Instances and arrays of instances.
    pub instances: Vec<Instances>,
    /// Declared types.
    pub types: Vec<TypeDefinition>,
    /// Constants, their values unknown.
    pub constants: Vec<Constant>,
    /// Variables.
    pub variables: Vec<Variable>,
    /// Definitions.
    pub defines: Vec<Define>,
    /// Transitions, in the order of the file.
    pub transitions: Vec<Transition>,
    /// Bound variables, parameters of definitions and transitions, and variables of `TYPEDEF`.
    pub bound: Vec<Bound>,
    /// All terms.
    pub terms: Terms,
    /// The clauses of the global specification.
    pub clauses: Vec<Clause>,
    /// What must have a value.
    pub required: Vec<Required>,
}

/// A process type: the top level of a process specification.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Its name in the file.
    pub span: Span,
    /// What it reads of other instances.
    pub imports: Vec<Import>,
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// Its further assumptions.
    pub further: Vec<Further>,
}

/// An imported variable or transition of an instance, or of all instances of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    /// The instances.
    pub instances: InstancesId,
    /// One element of the array.
    pub index: Option<i64>,
    /// What is imported.
    pub item: Exported,
}

/// What a process exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// Its values can be read.
    Variable(VariableId),
    /// It starts when it is called; its starts, ends and calls can be read.
    Transition(TransitionId),
}

/// An instance, or an array of instances, of a process type.
#[derive(Clone, Debug)]
pub struct Instances {
    /// Its name.
    pub name: String,
    /// The process type.
    pub process: ProcessId,
    /// First and last index of an array.
    pub array: Option<(IndexRange, IndexRange)>,
}

/// A constant, perhaps with parameters of finite types.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its name in the file.
    pub span: Span,
    /// The process that declares it.
    pub process: Option<ProcessId>,
    /// Types of its parameters.
    pub parameters: Vec<Type>,
    /// Its type.
    pub ty: Type,
}

/// A variable of a process, perhaps with parameters of finite types.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its name in the file.
    pub span: Span,
    /// The process that declares it.
    pub process: ProcessId,
    /// Types of its parameters.
    pub parameters: Vec<Type>,
    /// Its type.
    pub ty: Type,
    /// Whether other processes may import it.
    pub exported: bool,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its name.
    pub name: String,
    /// Its name in the file.
    pub span: Span,
    /// The process that declares it.
    pub process: Option<ProcessId>,
    /// Its parameters.
    pub parameters: Vec<BoundId>,
    /// Its type.
    pub ty: Type,
    /// Its body.
    pub body: TermId,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// Its name in the file.
    pub span: Span,
    /// The process that declares it.
    pub process: ProcessId,
    /// Its parameters.
    pub parameters: Vec<BoundId>,
    /// Whether it starts only when it is called.
    pub exported: bool,
    /// The `ENTRY` and the `EXCEPT` cases; never empty.
    pub cases: Vec<Case>,
}

/// One case of a transition.
#[derive(Clone, Debug)]
pub struct Case {
    /// How long it takes.
    pub duration: Duration,
    /// When it may start.
    pub entry: TermId,
    /// What holds when it ends.
    pub exit: TermId,
}

/// A duration in instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duration {
    /// A constant without parameters. Its type or an axiom must make it positive.
    Constant(ConstantId),
    /// A positive number.
    Instants(i64),
}

/// A bound variable or parameter.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Its name.
    pub name: String,
    /// Its declaration in the file.
    pub span: Span,
    /// Its type.
    pub ty: Type,
}

/// A clause that is a formula.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its kind.
    pub kind: FormulaKind,
    /// Its word in the file.
    pub span: Span,
    /// Its conjuncts; conjunct *i* of `SCHEDULE` of `P` is the property `P.schedule.i`, counted from 1.
    pub conjuncts: Vec<TermId>,
}

/// `FURTHER ASSUMPTIONS #k`: advice to implementers, which no property may rely on unless it is asked for.
#[derive(Clone, Debug)]
pub struct Further {
    /// Its number.
    pub number: i64,
    /// What is assumed of calls.
    pub environment: Vec<TermId>,
    /// What is assumed of constants.
    pub constants: Vec<TermId>,
    /// Which of several enabled transitions start.
    pub selection: Vec<SelectionRule>,
}

/// Of the enabled transitions, if they are these and the condition holds, only the selected ones may start.
#[derive(Clone, Debug)]
pub struct SelectionRule {
    /// The enabled transitions.
    pub enabled: Vec<TransitionId>,
    /// The condition.
    pub condition: Option<TermId>,
    /// Those that may start.
    pub selected: Vec<TransitionId>,
}

/// Constants that must have a value before a specification can be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Required {
    /// It suffices that all constants of one of these lists have a value.
    pub any_of: Vec<Vec<ConstantId>>,
    /// Why.
    pub reason: Reason,
    /// The place that needs the value.
    pub span: Span,
}

/// Why a constant must have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is the size of an array of instances.
    ArraySize,
    /// It limits a type that must be finite.
    FiniteType,
    /// Something is divided by it.
    Divisor,
    /// It is multiplied by something unknown.
    Factor,
}

impl Specification {
    /// The clause of a kind, of a process or of the global specification.
    pub fn clause(&self, process: Option<ProcessId>, kind: FormulaKind) -> Option<&Clause> {
        let clauses = process.map_or(&self.clauses, |p| &self.processes[p.index()].clauses);
        clauses.iter().find(|c| c.kind == kind)
    }
}
