//! Searches through the states of a relation.
//!
//! [`RelationSpace`] makes a relation a state space for the searches that every model shares. [`fair_run`] looks for fair
//! runs.

mod fair;
mod space;
mod states;

pub use fair::{FairOutcome, fair_run};
pub(crate) use fair::{fair_inputs, fair_terms};
pub use space::{RelationSpace, RelationStep};
