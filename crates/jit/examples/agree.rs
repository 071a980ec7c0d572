//! Compares compiled models with the interpreter: `agree FOLDER` takes every `.pml` file in it.

#[path = "../tests/agreement/cached.rs"]
mod cached;
#[path = "../tests/agreement/compare.rs"]
mod compare;
#[path = "../tests/agreement/searches.rs"]
mod searches;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use compare::{Bounds, Outcome, Tally, compare};
use lurcher_test_support::{files, promela_file};

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: agree FOLDER");
        return ExitCode::from(2);
    };
    let mut total = Tally::default();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut rejected, mut agreed, mut differing) = (0, 0, 0);
    for path in files(Path::new(&folder), "pml") {
        let name = path.display();
        let Some(model) = promela_file(&path, &[]) else {
            rejected += 1;
            continue;
        };
        let mut agrees = true;
        for loss in [false, true] {
            match compare(&model, loss, Bounds { states: 300, walks: 6, depth: 200 }) {
                Outcome::Agree(tally) => total.add(&tally),
                Outcome::NotCompiled(reason) => *reasons.entry(reason.to_string()).or_default() += 1,
                Outcome::Differ(difference) => {
                    agrees = false;
                    println!("{name} (message loss: {loss}): {difference}\n");
                }
            }
        }
        if agrees { agreed += 1 } else { differing += 1 }
    }
    println!("{agreed} models agree, {differing} differ, {rejected} were rejected");
    println!("{total:?}");
    reasons.iter().for_each(|(reason, count)| println!("{count} not compiled: {reason}"));
    if differing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
