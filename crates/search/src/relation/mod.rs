//! Searches through the states of a relation.
//!
//! [`RelationSpace`] makes a relation a space for the searches that every model shares; [`Path`](lurcher_system::Path)s of states are what they find,
//! as valuations that the oracle can judge. [`fair_run`] looks for fair runs.

mod fair;
mod space;
mod walk;

pub(crate) use fair::fair_inputs;
pub use fair::{FairOutcome, fair_run};
pub use space::{RelationSpace, RelationStep};
pub(crate) use walk::Fairness;
pub use walk::{RelationCoverage, RelationFound, RelationGuidance, RelationSubject, RelationTerrain, RelationWalker};
