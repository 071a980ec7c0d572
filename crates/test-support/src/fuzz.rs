//! Fuzzing on stable Rust: mutates texts, has them checked, and looks for panics and for input that takes long.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::mutate::{Random, mutant};

/// The texts of all files in some folders whose names end so, in order.
pub fn seeds(folders: &[PathBuf], is_seed: impl Fn(&Path) -> bool) -> Vec<String> {
    let mut files: Vec<_> = folders
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())))
        .filter(|path| is_seed(path))
        .collect();
    files.sort();
    files.iter().filter_map(|path| Some(String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned())).collect()
}

fn option(name: &str, default: u64) -> u64 {
    let args: Vec<String> = std::env::args().collect();
    let value = args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    value.and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Checks mutants of the seeds for `--seconds N`, from `--seed S` on. `check` panics when something is wrong and says
/// whether a text was accepted; a text on which it panics is saved as `fuzz-<seed>` with the extension.
pub fn fuzz(seeds: &[String], words: &[&str], extension: &str, check: impl Fn(&str) -> bool) -> ExitCode {
    let end = Instant::now() + Duration::from_secs(option("--seconds", 60));
    let first = option("--seed", 1);
    let (mut seed, mut accepted, mut failed) = (first, 0u64, false);
    let mut slowest = (Duration::ZERO, 0);
    while Instant::now() < end {
        let text = mutant(seeds, words, &mut Random::new(seed));
        let start = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| check(&text))) {
            Ok(ok) => accepted += u64::from(ok),
            Err(_) => {
                failed = true;
                let name = format!("fuzz-{seed}.{extension}");
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
