//! Partial-order reduction: which of the possible steps suffice in a state.
//!
//! Where processes do not disturb each other, the order of their steps does not matter, and one order stands for
//! all. In each state a set of processes is looked for whose steps suffice (a stubborn set made of whole processes;
//! Valmari 1991, Godefroid 1996): from a process that can move, all processes are added that could ever disturb a step
//! of one inside, or let one inside do what it cannot do yet. What is left outside can then only do what commutes
//! with every step inside. The tables that answer this come from `lurcher_ir::analysis::Independence`, one for each
//! process, made when it is first met.
//!
//! The steps of the set suffice where none of them changes what the property sees and none of them cuts a cycle of a
//! process's control flow; where one does, all steps are taken. So
//!
//! * every state in which nothing can move is still reached (no process inside a set is forgotten: the set has a
//!   step that stays possible);
//! * every statement that can be executed still is, with the same values in what it reads, because nobody is ignored
//!   around a cycle: failed assertions and faults are found, and what is never executed is never executed;
//! * every infinite run still has one that the property cannot tell apart, if it does not count steps.
//!
//! What suffices depends on the state alone, not on the search: dfs, bfs and both passes of a nested search see one
//! and the same graph, whatever their order and number of threads.

mod chain;
mod choice;
mod tables;
mod told;

pub(crate) use chain::LONGEST;
pub use choice::Reduction;
pub(crate) use told::{Role, Told};
