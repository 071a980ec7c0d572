//! Execution of timed models.
//!
//! A [`Run`] is a concrete run of a process: values of constants and of variables at 0, and events at instants. [`Oracle`] is the
//! reference semantics: it judges runs. [`Stepper`] enumerates them for given constants, and [`valuations`] enumerates constants.

mod constants;
mod enabled;
mod judgement;
mod oracle;
mod range;
mod reader;
mod run;
mod snapshot;
mod stepper;
mod unroll;

pub use constants::valuations;
pub use judgement::{Judgement, Rule};
pub use oracle::Oracle;
pub use run::{Event, EventKind, Run};
pub use snapshot::{Call, Firing, Snapshot};
pub use stepper::{Defect, Options, Outcome, Search, State, Stepper, Successors};
