//! Minimised traces show the same violation, are short, and are called optimal only if they are.

mod all_lassos;
mod lassos;
#[path = "../../src/minimise/process/rand.rs"]
mod rand;
mod safety;
mod subject;

use lurcher_system::Move;
use lurcher_trace::minimise::{MinimiseBudget, Minimised, minimise};
use subject::{Shown, Subject};

/// Minimises a path and checks the invariants of every result.
fn minimised(subject: &Subject, shown: &Shown, expansions: u64) -> Minimised<Move> {
    let budget = MinimiseBudget { expansions, ..MinimiseBudget::default() };
    let Shown { kind, path } = shown;
    let result = minimise(&subject.interpreter(), &subject.question, kind, subject.fair, path, &budget);
    let name = &subject.name;
    assert!(subject.shows(kind, &result.path), "{name}: no longer {kind:?}");
    assert!(result.length <= result.found_length, "{name}: {} of {}", result.length, result.found_length);
    assert!(result.finished, "{name}: it was interrupted");
    result
}
