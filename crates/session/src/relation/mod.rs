//! Jobs on models that are a relation.

mod confirm;
mod explicit;
mod job;
mod load;
mod symbolic;
mod watch;

pub use confirm::{kind_of, shows};
pub use job::{Sets, StateEngine, StateJob};
pub use load::LoadedRelation;
