//! Relational models: which states may follow which.
//!
//! A [`Relation`] gives each variable an optional assignment (a term for its next value, or a set to choose from), and
//! constraints over current and next values. SMV models are relations. The symbolic engines also turn process models into
//! relations, with one [`Transition`] for each kind of move.
//!
//! A **state** assigns a value to every variable except inputs. An **input** belongs to a step: it has a value in each
//! state that a run leaves, but states that differ only in inputs are equal.
//!
//! A **value** is an `i64`: booleans are 0 and 1, a word is the number it represents (an unsigned 64-bit word has the same
//! bits), and symbolic constants are numbered from [`SYMBOLS`], beyond all integers of a model.

mod block;
pub mod check;
mod cone;
mod dependency;
mod domain;
mod split;
mod term;

use indexmap::IndexSet;
use lurcher_syntax::Span;

use crate::property::Property;

pub use block::{Assignment, Block, Constraint, Transition};
pub use cone::Cone;
pub use dependency::Dependencies;
pub use domain::{Domain, SYMBOLS};
pub use term::{BinaryTerm, Support, Term, TermId, Terms, UnaryTerm, WordShape};

/// Names a variable of a [`Relation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// The role of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableRole {
    /// Part of the state.
    State,
    /// Part of the state, with a constant value.
    Frozen,
    /// Part of a step.
    Input,
}

/// A variable. Arrays and module instances are flattened.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its full name, such as `ring.node[2].leader`.
    pub name: String,
    /// Its role.
    pub role: VariableRole,
    /// Its domain.
    pub domain: Domain,
    /// Where it is declared.
    pub span: Span,
}

/// A relational model. [`check`] lists its invariants.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// Names of symbolic constants; constant `i` has the value `SYMBOLS + i`.
    pub symbols: IndexSet<String>,
    /// Variables; index by [`VariableId`].
    pub variables: Vec<Variable>,
    /// All terms of the model.
    pub terms: Terms,
    /// Initial values and constraints on initial states.
    pub initial: Block,
    /// Assignments and constraints on every state.
    pub invariant: Block,
    /// The transition relation is the union of these.
    pub transitions: Vec<Transition>,
    /// Justice: each is true infinitely often on a fair run.
    pub justice: Vec<TermId>,
    /// Compassion: if the first is true infinitely often on a fair run, so is the second.
    pub compassion: Vec<(TermId, TermId)>,
    /// Named terms of the source (`DEFINE`).
    pub definitions: Vec<(String, TermId)>,
    /// Properties that the source states.
    pub properties: Vec<Property>,
}

impl Block {
    /// The terms of assignments and constraints.
    pub fn terms(&self) -> impl Iterator<Item = TermId> {
        self.assignments.iter().map(|a| a.value).chain(self.constraints.iter().map(|c| c.term))
    }
}

impl Relation {
    /// The variable of an id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// All variables, with their ids.
    pub fn variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables.iter().enumerate().map(|(i, v)| (VariableId(i as u32), v))
    }

    /// State and frozen variables, with their ids.
    pub fn state_variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables().filter(|(_, v)| v.role != VariableRole::Input)
    }

    /// Inputs, with their ids.
    pub fn inputs(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables().filter(|(_, v)| v.role == VariableRole::Input)
    }

    /// The blocks of initial states, of all states and of each transition.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        [&self.initial, &self.invariant].into_iter().chain(self.transitions.iter().map(|t| &t.block))
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
        SYMBOLS + self.symbols.insert_full(name.to_owned()).0 as i64
    }

    /// A value in the syntax of the source.
    pub fn show(&self, domain: &Domain, value: i64) -> String {
        match domain {
            Domain::Boolean => if value != 0 { "TRUE" } else { "FALSE" }.to_owned(),
            Domain::Word(shape) => shape.show(value),
            Domain::Range(..) | Domain::Values(_) => {
                match self.symbols.get_index((value.wrapping_sub(SYMBOLS)) as usize) {
                    Some(name) if value >= SYMBOLS => name.clone(),
                    _ => value.to_string(),
                }
            }
        }
    }

    /// Parses a value that [`Relation::show`] prints.
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
            Domain::Range(..) | Domain::Values(_) => match self.symbols.get_index_of(text) {
                Some(index) => SYMBOLS + index as i64,
                None => text.parse().ok()?,
            },
        };
        (domain.contains(value) && self.show(domain, value) == text).then_some(value)
    }
}
