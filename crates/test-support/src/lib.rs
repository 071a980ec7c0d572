//! Shared by tests and examples: golden files, mutated inputs, and loading models.

mod fuzz;
mod golden;
mod models;
mod mutate;

pub use fuzz::{check_diagnostics, check_mutants, fuzz, seeds};
pub use golden::{Golden, named_text};
pub use models::{astral, astral_file, astral_request, files, promela, promela_file, repository_models, smv_file};
pub use mutate::{Random, gentle_mutant, mutant};
