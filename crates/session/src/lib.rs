//! A job: model, property, engine and budget in, verdict out.
//!
//! [`load()`] reads a model; a [`Job`] checks properties of it. Every violation is replayed by the interpreter before it
//! is reported, and `holds` is only said after a complete search with exact storage.

mod claims;
mod job;
mod load;
mod verdict;

pub use job::{Engine, Job, JobError, attach_claim, limits, safety};
pub use load::{Language, LoadError, LoadOptions, Loaded, load, load_text};
pub use verdict::{Counterexample, Report, Verdict};
