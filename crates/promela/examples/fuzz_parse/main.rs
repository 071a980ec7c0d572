//! Fuzzes the parser on stable Rust: parses mutated golden files and models, and reports panics and slow inputs.
//!
//! ```text
//! cargo run --release -p lurcher-promela --example fuzz_parse -- --seconds 60 --seed 1
//! ```
//!
//! An input that panics is saved as `fuzz-<seed>.pml` in the current directory. For coverage-guided fuzzing see
//! `fuzz/`.

mod check;

use std::process::ExitCode;

fn main() -> ExitCode {
    lurcher_test_support::fuzz(&check::seeds(), check::WORDS, "pml", check::check)
}
