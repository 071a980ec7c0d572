//! Execution of a model: states, enabled moves, successors.
//!
//! A [`State`] is one flat byte vector: a header, the globals, then one frame for each process and channel in the order of
//! creation. Searches store and compare only the bytes; the offsets of frames follow from them.
//!
//! The [`Interpreter`] computes the initial state, the enabled [`Move`]s of a state, and the successor by a move. It is the
//! oracle of every faster machine. For relations the oracle is [`relation::Oracle`]. Runs of timed models are [`timed::Run`]s.

mod branches;
mod channel;
mod claim;
mod d_step;
mod dead_reset;
mod determinism;
mod eval;
mod fault;
mod interpreter;
mod kernel;
mod machine;
mod monitor;
mod path;
mod print;
pub mod relation;
mod rendezvous;
mod state;
pub mod timed;

pub use dead_reset::DeadVariableReset;
pub use fault::{Fault, Violation};
pub use interpreter::{ClaimStep, Interpreter, Limits, Move};
pub use kernel::{Course, KernelWalk, KernelWalker, WalkEnd, WalkKernel};
pub use machine::Machine;
pub use path::Path;
pub use state::{ChannelId, Layout, ProcessId, State};
