//! Running a model: states, enabled actions, successors.
//!
//! A [`State`] is one flat vector of bytes: a header, the globals, then one frame for each process and channel in
//! the order in which they were created. The bytes alone are what searches store and compare; the offsets beside
//! them can be found again from the bytes.
//!
//! The [`Interpreter`] gives the initial state, the [`Move`]s that are possible in a state, and the state after a
//! move. It is the oracle for everything faster, so it is written to be read. For models that are a relation,
//! [`relation::Oracle`] is.

mod branches;
mod channel;
mod claim;
mod d_step;
mod determinism;
mod eval;
mod fault;
mod forgetful;
mod half;
mod interpreter;
mod kernel;
mod machine;
mod monitor;
mod path;
mod print;
pub mod relation;
mod state;

pub use fault::{Fault, Violation};
pub use forgetful::Forgetful;
pub use interpreter::{ClaimStep, Interpreter, Limits, Move};
pub use kernel::{Course, KernelWalk, KernelWalker, WalkEnd, WalkKernel};
pub use machine::Machine;
pub use path::Path;
pub use state::{ChannelId, Layout, ProcessId, State};
