//! What the tests of the front-ends share: golden files, and wrong programs made out of right ones.
//!
//! Only tests and examples depend on this crate, and it depends on none of the others.

mod fuzz;
mod golden;
mod mutate;

pub use fuzz::{fuzz, seeds};
pub use golden::{Golden, named_text};
pub use mutate::{Random, mutant};
