//! Models as a relation: variables that take their next values together.
//!
//! Where a [`Model`](crate::Model) is made of processes that move one at a time, a [`Relation`] says which states may
//! follow which: each variable may have an assignment, a term that gives its next value or a set it is chosen from, and
//! constraints cut away what is left over. SMV models are relations; the symbolic engines turn process models into
//! relations as well, one [`Transition`] for each thing that a process can do.
//!
//! A **state** gives a value to every variable that is not an input. An **input** belongs to a step: it has a value in
//! each state that a run leaves, but two states that differ only in inputs are one state.
//!
//! A **value** is an `i64`: integers are themselves, booleans 0 and 1, words the number they stand for (an unsigned
//! word of 64 bits is kept as the same bits), and symbolic constants the numbers from [`SYMBOLS`] on, which no integer
//! of a model comes near.

mod block;
pub mod check;
mod cone;
mod dependency;
mod domain;
mod split;
mod term;

use lurcher_syntax::Span;

use crate::property::Property;

pub use block::{Assignment, Block, Constraint, Transition};
pub use cone::Cone;
pub use dependency::{Dependencies, Layers, Participation};
pub use domain::{Domain, SYMBOLS};
pub use term::{BinaryTerm, Support, Term, TermId, Terms, UnaryTerm, WordShape};

/// Names a variable of a [`Relation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// How a variable behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableRole {
    /// Part of the state.
    State,
    /// Part of the state; it keeps its first value.
    Frozen,
    /// Part of a step.
    Input,
}

/// A variable: one value, as arrays and instances are flattened.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its full name, such as `ring.node[2].leader`.
    pub name: String,
    /// How it behaves.
    pub role: VariableRole,
    /// The values it can have.
    pub domain: Domain,
    /// Where it is declared.
    pub span: Span,
}

/// A whole model. [`check`] lists what may be relied on.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// Names of symbolic constants: number i is the value `SYMBOLS + i`.
    pub symbols: Vec<String>,
    /// Variables; index by [`VariableId`].
    pub variables: Vec<Variable>,
    /// Every term of the model.
    pub terms: Terms,
    /// What is true of the first state.
    pub initial: Block,
    /// What is true of every state.
    pub invariant: Block,
    /// A step is a step of one of these.
    pub transitions: Vec<Transition>,
    /// Along a fair run each of these is true infinitely often.
    pub justice: Vec<TermId>,
    /// Along a fair run, if the first of a pair is true infinitely often, so is the second.
    pub compassion: Vec<(TermId, TermId)>,
    /// Named terms of the source, for people who ask about them.
    pub definitions: Vec<(String, TermId)>,
    /// Properties that the source states.
    pub properties: Vec<Property>,
}

impl Relation {
    /// The variable behind an id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// All variables with their ids.
    pub fn variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables.iter().enumerate().map(|(i, v)| (VariableId(i as u32), v))
    }

    /// Variables that are part of the state, with their ids.
    pub fn state_variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables().filter(|(_, v)| v.role != VariableRole::Input)
    }

    /// The variable of a name.
    pub fn find(&self, name: &str) -> Option<VariableId> {
        self.variables().find(|(_, v)| v.name == name).map(|(id, _)| id)
    }

    /// Adds a variable.
    pub fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() as u32 - 1)
    }

    /// The value of a symbolic constant, which is added if it is new.
    pub fn symbol(&mut self, name: &str) -> i64 {
        let known = self.symbols.iter().position(|s| s == name);
        let index = known.unwrap_or_else(|| {
            self.symbols.push(name.to_owned());
            self.symbols.len() - 1
        });
        SYMBOLS + index as i64
    }

    /// A value as the source would write it.
    pub fn show(&self, domain: &Domain, value: i64) -> String {
        match domain {
            Domain::Boolean => if value != 0 { "TRUE" } else { "FALSE" }.to_owned(),
            Domain::Word(shape) => shape.show(value),
            Domain::Range(..) | Domain::Values(_) => match self.symbols.get((value.wrapping_sub(SYMBOLS)) as usize) {
                Some(name) if value >= SYMBOLS => name.clone(),
                _ => value.to_string(),
            },
        }
    }

    /// The value that [`Relation::show`] would write like this.
    pub fn read(&self, domain: &Domain, text: &str) -> Option<i64> {
        let value = match domain {
            Domain::Boolean => match text {
                "TRUE" => 1,
                "FALSE" => 0,
                _ => return None,
            },
            Domain::Word(shape) => {
                let digits = text.rsplit_once('_')?.1;
                let value = digits.parse::<u64>().ok()? as i64;
                shape.wrap(if text.starts_with('-') { value.wrapping_neg() } else { value })
            }
            Domain::Range(..) | Domain::Values(_) => match self.symbols.iter().position(|s| s == text) {
                Some(index) => SYMBOLS + index as i64,
                None => text.parse().ok()?,
            },
        };
        (domain.contains(value) && self.show(domain, value) == text).then_some(value)
    }
}
