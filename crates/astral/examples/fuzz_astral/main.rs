//! Fuzzes the front-end on stable Rust: mutated golden files and models; reports panics and slow inputs.
//!
//! ```text
//! cargo run --release -p lurcher-astral --example fuzz_astral -- --seconds 60 --seed 1
//! ```
//!
//! An input that panics is saved as `fuzz-<seed>.astral` in the current directory.

mod check;

use std::process::ExitCode;

fn main() -> ExitCode {
    lurcher_test_support::fuzz(&check::seeds(), check::WORDS, "astral", check::check)
}
