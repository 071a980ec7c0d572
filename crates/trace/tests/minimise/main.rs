//! Minimised traces violate the same property, are short, and are marked shortest only if they are.

mod all_lassos;
mod lassos;
#[path = "../../src/minimise/rand.rs"]
mod rand;
mod safety;
mod subject;

use lurcher_trace::minimise::{Found, MinimiseBudget, Minimised, minimise};
use subject::{Shown, Subject};

/// Minimises and checks what must hold of every result.
fn minimised(subject: &Subject, shown: &Shown, expansions: u64) -> Minimised {
    let budget = MinimiseBudget { expansions, ..MinimiseBudget::default() };
    let Shown { kind, moves, cycle_start } = shown;
    let found = Found { kind, moves, cycle_start: *cycle_start, fair: subject.fair };
    let result = minimise(&subject.interpreter(), &subject.question, &found, &budget, &mut ());
    let name = &subject.name;
    assert!(subject.shows(kind, &result.moves, result.cycle_start), "{name}: no longer {kind:?}");
    assert!(result.length <= result.found_length, "{name}: {} of {}", result.length, result.found_length);
    assert!(result.finished, "{name}: stopped early");
    result
}
