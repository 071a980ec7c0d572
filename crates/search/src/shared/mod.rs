//! Searches on many threads over one store.
//!
//! Each thread has a space of its own and shares the store with the others. What a search says does not depend on how
//! many threads there are, nor on which of them was first: the verdict, the traces and the number of stored states are
//! the same.

mod ahead;
mod bfs;
mod colours;
mod nested_dfs;
mod reached;
mod shares;
mod team;
mod tidy;

pub use ahead::Offspring;
pub use bfs::{bfs, bfs_on};
pub use nested_dfs::nested_dfs_on;

#[cfg(test)]
mod tests;
