//! Compiled models against the interpreter.

mod compare;
mod fixed;
mod read;
mod searches;

use std::path::Path;

use compare::{Bounds, Outcome, Tally, compare};

#[test]
fn every_model_of_the_repository_compiles_and_agrees_with_the_interpreter() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let paths = read::files(&folder);
    assert!(paths.len() >= 40, "only {} models", paths.len());
    let mut wrong = Vec::new();
    let mut total = Tally::default();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a model is readable");
        let name = path.display().to_string();
        let model = read::read(&name, text, &[]).unwrap_or_else(|| panic!("{name} is rejected"));
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
