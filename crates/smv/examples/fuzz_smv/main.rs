//! Fuzzes the parser on stable Rust: mutates the golden files, parses, and looks for panics and for
//! input that takes long.
//!
//! ```text
//! cargo run --release -p lurcher-smv --example fuzz_smv -- --seconds 60 --seed 1
//! ```
//!
//! An input that panics is saved as `fuzz-<seed>.smv` in the current directory.

mod check;
mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mutate::{Random, mutant};

fn option(name: &str, default: u64) -> u64 {
    let args: Vec<String> = std::env::args().collect();
    let value = args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    value.and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn main() -> ExitCode {
    let end = Instant::now() + Duration::from_secs(option("--seconds", 60));
    let first = option("--seed", 1);
    let seeds = check::seeds();
    let (mut seed, mut accepted, mut failed) = (first, 0u64, false);
    let mut slowest = (Duration::ZERO, 0);
    while Instant::now() < end {
        let text = mutant(&seeds, &mut Random::new(seed));
        let start = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| check::check(&text))) {
            Ok(ok) => accepted += u64::from(ok),
            Err(_) => {
                failed = true;
                let name = format!("fuzz-{seed}.smv");
                let saved = std::fs::write(&name, &text);
                eprintln!("seed {seed} panics; input in {name} ({saved:?})");
            }
        }
        slowest = slowest.max((start.elapsed(), seed));
        seed += 1;
    }
    let count = seed - first;
    println!("{count} inputs, {accepted} accepted, slowest {:?} (seed {})", slowest.0, slowest.1);
    ExitCode::from(u8::from(failed))
}
