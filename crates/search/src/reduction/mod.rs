//! Partial-order reduction: an ample subset of the enabled moves of each state.
//!
//! If processes do not interfere, the order of their moves does not matter, and one order represents all. In each state,
//! the reduction looks for a set of processes whose moves suffice (a stubborn set of whole processes; Valmari 1991, Godefroid
//! 1996): starting with a process that can move, it adds all processes that could ever interfere with a move of the set, or
//! enable a disabled one. The processes outside can then only make moves that commute with every move of the set. The
//! dependency tables come from `lurcher_ir::analysis::Independence`, one for each process, made on first use.
//!
//! The moves of the set are ample if none is visible to the property and none cuts a cycle of a process's control flow;
//! otherwise all moves are explored. So
//!
//! * every deadlock is still reached, because the set has a move that stays enabled;
//! * every executable statement is still executed, with the same values in what it reads, because no process is ignored
//!   around a cycle: failed assertions and faults are found;
//! * every infinite run is still represented by a stutter-equivalent one.
//!
//! The ample set depends on the state alone, not on the search: dfs, bfs and both passes of a nested search explore the same
//! graph, in any order and on any number of threads.

mod ample_facts;
mod chain;
mod choice;
mod tables;

pub(crate) use ample_facts::{AmpleFacts, ProcessFacts};
pub use choice::AmpleMoves;
