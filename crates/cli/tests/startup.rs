//! A small model goes from process start to verdict in under 20 ms.
//!
//! Processor time is measured, the least of a few runs, because wall-clock time depends on the load of the machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4;

const QUICK: Duration = Duration::from_millis(20);
/// States of a small model, for `verify` and for `hunt`.
const VERIFIED: u64 = 10_000;
const HUNTED: u64 = 1_000;
/// Puzzles with one process and many branches at one location: the reduction's tables and misses of the transition cache take longer.
const PUZZLES: [&str; 2] = ["box-pushing.pml", "peg-solitaire.pml"];
const PUZZLED: Duration = Duration::from_millis(80);
/// Runs, of which the fastest counts.
const RUNS: usize = 5;

fn models(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(language)
}

/// Processor time until the verdict.
fn used(verb: &str, model: &Path) -> Duration {
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lurcher"));
        command.arg(verb).arg(model).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let used = command.spawn().expect("lurcher runs").wait4().expect("lurcher ends");
        assert!(matches!(used.status.code(), Some(0 | 1)), "{verb} {}: {:?}", model.display(), used.status);
        used.rusage.utime + used.rusage.stime
    };
    let mut least = run();
    for _ in 1..RUNS {
        if least < QUICK / 2 {
            break;
        }
        least = least.min(run());
    }
    least
}

fn limit(model: &Path) -> Duration {
    if PUZZLES.iter().any(|puzzle| model.ends_with(puzzle)) { PUZZLED } else { QUICK }
}

fn slow(verb: &str, models: &[PathBuf]) -> Vec<String> {
    let told = |(model, time): (&PathBuf, Duration)| format!("{verb} {}: {time:?}", model.display());
    models
        .iter()
        .map(|model| (model, used(verb, model)))
        .filter(|(model, time)| *time >= limit(model))
        .map(told)
        .collect()
}

/// Promela models with at most so many states according to their headers.
fn small(most: u64) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(models("promela")).expect("models");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let stored = text.lines().find_map(|line| line.strip_prefix(" * stored: ")?.parse::<u64>().ok());
        stored.is_some_and(|n| n <= most)
    });
    files.sort();
    assert!(files.len() > 40, "most models are small");
    files
}

#[test]
#[cfg_attr(debug_assertions, ignore = "speed is that of a release build")]
fn small_promela_models_are_verified_at_once() {
    assert_eq!(slow("verify", &small(VERIFIED)), [""; 0]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "speed is that of a release build")]
fn bugs_of_small_promela_models_are_found_at_once() {
    assert_eq!(slow("hunt", &small(HUNTED)), [""; 0]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "speed is that of a release build")]
fn small_smv_models_are_verified_at_once() {
    let names = ["philosophers-3", "peterson-2", "traffic-light", "counter-gray", "cache-msi", "river-crossing"];
    let files: Vec<PathBuf> = names.iter().map(|name| models("smv").join(format!("{name}.smv"))).collect();
    assert_eq!(slow("verify", &files), [""; 0]);
    assert_eq!(slow("hunt", &files), [""; 0]);
}
