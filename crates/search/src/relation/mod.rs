//! Searches through the states of a relation.
//!
//! [`RelationSpace`] makes a relation a space for the searches that every model shares; [`RelationRun`] is what they find,
//! as valuations that the oracle can judge.

mod run;
mod space;

pub use run::RelationRun;
pub use space::{RelationSpace, RelationStep};
