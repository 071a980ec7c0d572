//! Random walks through a system, guided or not.

mod choose;
mod draws;
mod plan;
mod position;
mod processes;
mod relation;
mod visited;
mod walker;

pub use draws::{Draws, SPLITMIX_STEP, splitmix64};
pub use plan::{Bias, DEPTH, Kind, Selection, UNBOUNDED, Until, WalkPlan};
pub use position::{Choice, Chosen, Covers, Position, WalkDomain};
pub use processes::{Objective, ProcessPosition, Processes};
pub use relation::{RelationCoverage, RelationDomain, RelationGuidance, RelationObjective, RelationPosition};
pub(crate) use visited::FingerprintMap;
pub use visited::Visited;
pub use walker::{End, Keep, Walked, Walker};
