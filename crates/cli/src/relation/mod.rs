//! The commands on models that are a relation.

mod analyze;
mod replay;

pub use analyze::analyze;
pub use replay::replay;
