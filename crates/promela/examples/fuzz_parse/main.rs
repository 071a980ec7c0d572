//! Fuzzes the parser on stable Rust: mutates the golden files and the models, parses, and looks for panics and for
//! input that takes long.
//!
//! ```text
//! cargo run --release -p lurcher-promela --example fuzz_parse -- --seconds 60 --seed 1
//! ```
//!
//! An input that panics is saved as `fuzz-<seed>.pml` in the current directory. For coverage-guided fuzzing see
//! `fuzz/`.

mod check;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    lurcher_test_support::fuzz(&check::seeds(), &words::WORDS, "pml", check::check)
}
