//! Static analyses of process models, independent of engines.
//!
//! Many analyses take the number of an initial process; `_pid` is a constant for them then.

mod access;
mod blocking;
mod bounds;
mod claim_components;
mod claim_footprint;
mod constant;
mod control_flow;
mod dependency;
mod faint;
mod footprint;
mod independence;
mod layers;
mod liveness;
mod participation;
mod receivers;
mod variable;

pub use access::{Access, ChannelUse, Owner, Region};
pub use blocking::{always_enabled, blocking_locations};
pub use bounds::Bounds;
pub use claim_components::{Acceptance, ClaimComponents, ComponentCounts};
pub use claim_footprint::ClaimFootprint;
pub use constant::{constant, known_value};
pub use control_flow::{ControlFlow, Distances, Edge};
pub use dependency::Dependencies;
pub use footprint::{Footprint, partition_globals};
pub use independence::{FixedLocal, Independence, Signature, Table, Visibility};
pub(crate) use layers::breadth_first;
pub use layers::{Layers, Participation};
pub use liveness::Dead;
pub use participation::Concern;
pub use receivers::Receivers;
pub use variable::{
    Instance, OffsetSet, Variable, constant_globals, creates_processes, global_channels, instances, named_channels,
};
