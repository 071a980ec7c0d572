//! Random walks through a model, guided or not.

mod choose;
mod draws;
mod plan;
mod processes;
mod subject;
mod terrain;
mod visited;
mod walker;

pub use draws::Draws;
pub(crate) use draws::mix;
pub use plan::{Bias, DEPTH, Kind, Selection, UNBOUNDED, Until, WalkPlan};
pub use processes::{ProcessWalker, Processes};
pub use subject::Subject;
pub use terrain::{Covers, Terrain};
pub(crate) use visited::{FingerprintMap, Visited, fingerprint};
pub use walker::{End, Keep, Walked, Walker};
