//! Execution of timed models.
//!
//! A [`Run`] is a concrete run of a process: values of constants and of variables at 0, and events at instants.

mod run;

pub use run::{Event, EventKind, Run};
