//! Fuzzes the parser on stable Rust: mutates the golden files, parses, and looks for panics and for
//! input that takes long.
//!
//! ```text
//! cargo run --release -p lurcher-smv --example fuzz_smv -- --seconds 60 --seed 1
//! ```
//!
//! An input that panics is saved as `fuzz-<seed>.smv` in the current directory.

mod check;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    lurcher_test_support::fuzz(&check::seeds(), &words::WORDS, "smv", check::check)
}
