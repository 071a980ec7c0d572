//! Timed models: one process of a real-time specification, with its environment left open.
//!
//! A [`Model`] is what ASTRAL calls *modular checking*: one instance of a process type, whose transitions are known, while
//! the variables and transitions that it imports, and the calls that it gets, are arbitrary. Instances of arrays, parameters
//! of finite types, quantifiers over finite types and definitions are expanded; numbers are integers without limits, and
//! constants are unknown unless a value is given.
//!
//! # Values
//!
//! Every value is an `i64`: truth values are 0 and 1, a value of an enumeration is its position, an instance its place in
//! [`Model::instances`]. [`Domain`] tells which. Quotients are exact: comparisons are cleared of denominators.
//!
//! # Runs
//!
//! Time is the instants 0, 1, …. A **run** up to the instant *n* assigns values to the constants, and to every instant up to
//! *n* the values of all variables, the calls of exported transitions, the starts and ends of own transitions, and the calls,
//! starts and ends of imported ones. A transition starts in one of its [cases](Case), with values of its parameters. A run is
//! legal if the [axioms](Model::axioms) hold, every value lies in its domain and satisfies the conditions of its type, and:
//!
//! 1. **Initial.** [`Model::initial`] holds at 0.
//! 2. **Entry.** A case that starts at *t* has an entry assertion that holds at *t*.
//! 3. **Exit.** If a case starts at *t*, its exit assertion holds at *t* + duration, where [`Moment::Start`] is *t*. The rule
//!    that a variable keeps its value unless it is mentioned is part of the exit assertions of the model.
//! 4. **Call.** An exported transition that starts has a pending call: one that no start has served. A call counts unless the
//!    same one (the same transition with the same values) is pending already. A start serves the pending call.
//! 5. **Exclusion.** Own transitions do not overlap. One may start at the instant at which another one ends.
//! 6. **Progress.** Where nothing is executing and something is enabled (its entry assertion is true and, if it is exported,
//!    its call is pending), something starts; [`Model::selection`] may restrict what.
//! 7. **Frame.** Own variables change only at the ends of own transitions; imported ones at any instant but 0.
//! 8. **Parameters.** An exported transition starts with the values of its call, another one with any of their types.
//!
//! The transitions of one imported instance do not overlap either; an end has a start, a start is called, and its end comes
//! later than it.
//!
//! At one instant, first come ends, changes of variables, imported events and calls; then entry assertions are read; then own
//! transitions start. Exit assertions and constraints are read before the starts as well, so that `Start(T)` in them is an
//! earlier start. Everything else is read after the starts.
//!
//! # Properties
//!
//! Each conjunct of an invariant, a schedule or a constraint is a [`Property`]. Invariants and schedules are about every
//! instant; a constraint is about every end of an own transition, where [`Moment::Start`] is its start. What a property may
//! assume at all instants up to that one, [`Model::assumptions`] tells.
//!
//! # No value
//!
//! A term may have **no value**: the instant of an event that has not occurred, the past of an instant before 0 or after the
//! one at which it is read, a number between two instants. Formulas have three values, in Kleene's logic: a conjunction with a
//! false part is false, a disjunction with a true part is true; everything else without a value in it has none. [`term::Term`]
//! says for every term when it has a value. A clause without a value at a reachable instant is a mistake to report.
//!
//! Read on: [`term`] (what clauses say), [`reads`](Model::reads) (which histories they read), [`check`] (what engines rely on).

pub mod check;
mod clause;
mod domain;
mod linear;
mod reads;
pub mod term;
mod terms;
mod text;
mod transition;

use lurcher_syntax::Span;

pub use clause::{Clause, Property, PropertyKind, SelectionRule};
pub use domain::Domain;
pub use linear::Linear;
pub use reads::{Reads, ReadsAt};
pub use term::{Event, Moment, Occurrence, Source, Term, TermId, TransitionRef};
pub use terms::Terms;
pub use transition::{Case, ImportedTransition, Parameter, Transition};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub u32);

            impl $name {
                /// The index into its table.
                pub fn index(self) -> usize {
                    self.0 as usize
                }
            }
        )*
    };
}

ids! {
    /// Names a constant of a [`Model`].
    ConstantId
    /// Names a variable of a [`Model`].
    VariableId
    /// Names an own transition of a [`Model`].
    TransitionId
    /// Names an imported transition of a [`Model`].
    ImportedId
}

/// One process under test. [`check`] lists its invariants.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The process type.
    pub process: String,
    /// The instance.
    pub instance: String,
    /// Names of instances; a value of type `ID` is an index.
    pub instances: Vec<String>,
    /// Constants; index by [`ConstantId`].
    pub constants: Vec<Constant>,
    /// Own and imported variables; index by [`VariableId`].
    pub variables: Vec<Variable>,
    /// Own transitions in the order of the source, one for each choice of parameters of finite types; index by
    /// [`TransitionId`].
    pub transitions: Vec<Transition>,
    /// Transitions of other instances; index by [`ImportedId`].
    pub imported: Vec<ImportedTransition>,
    /// All terms.
    pub terms: Terms,
    /// What is known of the constants: axioms, conditions of their types, and that durations are positive.
    pub axioms: Vec<Clause>,
    /// What holds at the instant 0: the process's own initial clause, and what those of other instances say of imported
    /// variables.
    pub initial: Vec<Clause>,
    /// Environment clause: what schedules may assume of calls.
    pub environment: Vec<Clause>,
    /// Imported variable clause: what schedules may assume of imported variables and transitions.
    pub imported_variable: Vec<Clause>,
    /// Which of several enabled transitions start. Empty unless further assumptions are asked for.
    pub selection: Vec<SelectionRule>,
    /// What the process claims.
    pub properties: Vec<Property>,
}

/// An unknown of the whole run.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name, such as `wait_time` or `rank(customers[1])`.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// The value that was given. Terms contain this number instead of the constant.
    pub value: Option<i64>,
    /// Where it is declared.
    pub span: Span,
}

/// A variable, or an element of a variable with parameters.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, such as `light(north_south)` or `the_sensors[1].train_in_R`.
    pub name: String,
    /// Whether it belongs to the process itself.
    pub owner: Owner,
    /// Its values.
    pub domain: Domain,
    /// What its type says beyond the domain: formulas over constants and the variable.
    pub conditions: Vec<TermId>,
    /// Where it is declared.
    pub span: Span,
}

/// Who changes a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The process under test.
    Own,
    /// An instance that is not known; an index into [`Model::instances`].
    Imported(u32),
}

impl Model {
    /// The constant of an id.
    pub fn constant(&self, id: ConstantId) -> &Constant {
        &self.constants[id.index()]
    }

    /// The variable of an id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The own transition of an id.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// All own transitions with their ids.
    pub fn transitions(&self) -> impl Iterator<Item = (TransitionId, &Transition)> {
        self.transitions.iter().enumerate().map(|(i, t)| (TransitionId(i as u32), t))
    }

    /// All constants with their ids.
    pub fn constants(&self) -> impl Iterator<Item = (ConstantId, &Constant)> {
        self.constants.iter().enumerate().map(|(i, c)| (ConstantId(i as u32), c))
    }

    /// All variables with their ids.
    pub fn variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables.iter().enumerate().map(|(i, v)| (VariableId(i as u32), v))
    }

    /// The variables of the process itself, with their ids.
    pub fn own_variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables().filter(|(_, v)| v.owner == Owner::Own)
    }

    /// The variables of other instances, with their ids.
    pub fn imported_variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables().filter(|(_, v)| v.owner != Owner::Own)
    }

    /// What a property may assume at every instant up to the one that it is about. Invariants and constraints hold in any
    /// environment; schedules may rely on the clauses about it.
    pub fn assumptions(&self, kind: PropertyKind) -> impl Iterator<Item = &Clause> {
        let assumed = kind == PropertyKind::Schedule;
        self.environment.iter().chain(&self.imported_variable).filter(move |_| assumed)
    }
}
