//! Fuzzes the parser on stable Rust: parses mutated golden files and models, and reports panics and slow inputs.
//!
//! ```text
//! cargo run --release -p lurcher-smv --example fuzz_smv -- --seconds 60 --seed 1
//! ```
//!
//! An input that panics is saved as `fuzz-<seed>.smv` in the current directory.

mod check;

use std::process::ExitCode;

fn main() -> ExitCode {
    lurcher_test_support::fuzz(&check::seeds(), check::WORDS, "smv", check::check)
}
