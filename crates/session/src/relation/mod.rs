//! Jobs on models that are a relation.

mod confirm;
mod job;
mod load;

pub use confirm::{kind_of, shows};
pub use job::{StateEngine, StateJob};
pub use load::LoadedRelation;
