//! lurcher as a library: load a model, check it, render what was found.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut model = lurcher::load("models/promela/philosophers.pml")?;
//! let outcome = model.hunt().time(std::time::Duration::from_secs(5)).run()?;
//! for report in &outcome.reports {
//!     println!("{}: {}", report.name, report.verdict.name());
//! }
//! # Ok(())
//! # }
//! ```

mod check;
pub mod formats;
mod languages;
mod load;
mod own;
mod question;
pub mod reduce;
pub mod replay;
pub mod simulation;

pub use check::{Check, CheckError, HUNT_TIME, Outcome, Subject};
pub use languages::{Form, LANGUAGES, Language, PromelaSource, Source};
pub use load::{LoadError, LoadOptions, Model, load};
pub use lurcher_engines as engines;
pub use lurcher_engines::{OwnStep, StateMachine};
pub use own::RustModel;
pub use question::{Question, QuestionError};
