//! Compiled models against the interpreter.

mod cached;
mod compare;
mod fixed;
mod searches;

use compare::{Bounds, Outcome, Tally, compare};
use lurcher_test_support::{promela_file, repository_models};

#[test]
fn every_model_of_the_repository_compiles_and_agrees_with_the_interpreter() {
    let paths = repository_models("promela");
    assert!(paths.len() >= 40, "only {} models", paths.len());
    let mut wrong = Vec::new();
    let mut total = Tally::default();
    for path in paths {
        let name = path.display();
        let model = promela_file(&path, &[]).unwrap_or_else(|| panic!("{name} is rejected"));
        for loss in [false, true] {
            match compare(&model, loss, Bounds { states: 1000, walks: 12, depth: 400 }) {
                Outcome::Agree(tally) => total.add(&tally),
                Outcome::NotCompiled(reason) => wrong.push(format!("{name}: not compiled: {reason}")),
                Outcome::Differ(difference) => wrong.push(format!("{name}: {difference}")),
            }
        }
    }
    println!("{total:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
