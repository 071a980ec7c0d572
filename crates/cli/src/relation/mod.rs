//! The commands on models that are a relation.

mod analyze;
mod hunt;
mod replay;
mod simulate;
mod verify;

pub use analyze::analyze;
pub use hunt::hunt;
pub use replay::replay;
pub use simulate::simulate;
pub use verify::verify;
