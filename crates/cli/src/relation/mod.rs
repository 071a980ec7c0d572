//! The commands on models that are a relation.

mod analyze;
mod replay;
mod simulate;

pub use analyze::analyze;
pub use replay::replay;
pub use simulate::simulate;
