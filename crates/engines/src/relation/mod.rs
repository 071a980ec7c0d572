//! Jobs on models that are a relation.

mod confirm;
mod explicit;
mod hunt;
mod job;
mod load;
mod parts;
mod recommend;
mod symbolic;
mod watch;

pub use confirm::shows;
pub use hunt::{StateHunt, StateHunted, StateHunter};
pub use job::{LurchCurve, Sets, StateEngine, StateJob};
pub use load::LoadedRelation;
