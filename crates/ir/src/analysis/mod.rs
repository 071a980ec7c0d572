//! What can be said about a model without running it.
//!
//! The analyses know no engine: guides, reductions and reports are made from them. Where a number of a process is
//! known at load time (the processes that exist at the start), an analysis can be asked about that process alone, and
//! then `_pid` counts as a constant.

mod blocking;
mod constant;
mod control_flow;

pub use blocking::{always_possible, blocking_locations};
pub use constant::constant;
pub use control_flow::{ControlFlow, Distances, Edge};
