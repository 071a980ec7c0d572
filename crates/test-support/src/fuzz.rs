//! Fuzzing on stable Rust: checks mutated texts, and reports panics and slow inputs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lurcher_syntax::{Diagnostic, Severity, SourceMap, render};

use crate::files;
use crate::mutate::{Random, mutant};

/// The texts of the files of some folders, without those that only grow large (`*-bomb`).
pub fn seeds(folders: &[PathBuf], extension: &str) -> Vec<String> {
    let mut paths: Vec<PathBuf> = folders.iter().flat_map(|folder| files(folder, extension)).collect();
    paths.retain(|path| !path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("-bomb")));
    paths.sort();
    paths.iter().map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()).collect()
}

/// Checks that all labels lie in their files and that there are not too many errors; returns the number of errors.
///
/// # Panics
/// If anything is wrong.
pub fn check_diagnostics(sources: &SourceMap, diagnostics: &[Diagnostic], most_errors: usize) -> usize {
    for diagnostic in diagnostics {
        for label in &diagnostic.labels {
            let file = sources.get(label.span.file).expect("every label lies in a file");
            assert!(label.span.start <= label.span.end, "a label ends before it starts: {diagnostic:?}");
            assert!(label.span.end as usize <= file.text().len(), "a label ends behind its file: {diagnostic:?}");
        }
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    assert!(errors <= most_errors, "{errors} errors are too many");
    assert!(!render(sources, diagnostics, true).contains('\0'));
    errors
}

/// Checks 400 mutants with fixed seeds.
///
/// # Panics
/// If a check fails, or if almost all mutants are refused.
pub fn check_mutants(seeds: &[String], words: &str, check: impl Fn(&str) -> bool) {
    let words: Vec<&str> = words.split('¦').collect();
    let mutants = (1..=400).map(|seed| mutant(seeds, &words, &mut Random::new(seed)));
    let accepted = mutants.filter(|text| check(text)).count();
    assert!(accepted > 4, "only {accepted} of 400 mutants were accepted: the mutations are too coarse to be useful");
}

fn option(name: &str, default: u64) -> u64 {
    let args: Vec<String> = std::env::args().collect();
    let value = args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    value.and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Checks mutants of the seeds for `--seconds N`, from `--seed S` on. `check` panics if something is wrong and returns
/// whether a text is accepted. A text on which it panics is saved as `fuzz-<seed>` with the extension.
pub fn fuzz(seeds: &[String], words: &str, extension: &str, check: impl Fn(&str) -> bool) -> ExitCode {
    let words: Vec<&str> = words.split('¦').collect();
    let end = Instant::now() + Duration::from_secs(option("--seconds", 60));
    let first = option("--seed", 1);
    let (mut seed, mut accepted, mut failed) = (first, 0u64, false);
    let mut slowest = (Duration::ZERO, 0);
    while Instant::now() < end {
        let text = mutant(seeds, &words, &mut Random::new(seed));
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
