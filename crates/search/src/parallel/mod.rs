//! Searches on several threads over one store.
//!
//! Each thread has its own space and shares the store with the others. Verdicts, traces and the number of stored states
//! depend neither on the number of threads nor on their timing.

mod bfs;
mod colours;
mod control;
mod layer_shares;
mod nested_dfs;
mod node_expansion;
mod parent_table;
mod path_edge;
mod reorder;
mod successor_batch;
#[cfg(test)]
mod tests;

pub use bfs::{bfs, bfs_on};
pub use nested_dfs::nested_dfs_on;
pub use successor_batch::SuccessorBatch;

pub(crate) use node_expansion::NodeExpansion;
pub(crate) use parent_table::Parent;
pub(crate) use path_edge::shortest_edge;
pub(crate) use successor_batch::{PendingEdge, PendingNodes};
