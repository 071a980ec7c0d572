//! Fuzzing runs with fixed seeds; the example `fuzz_astral` runs for longer.

#[path = "../examples/fuzz_astral/check.rs"]
mod check;

use lurcher_test_support::{Random, gentle_mutant};

#[test]
fn mutated_specifications_are_parsed_or_refused_but_never_break_the_parser() {
    lurcher_test_support::check_mutants(&check::seeds(), check::WORDS, check::check);
}

#[test]
fn specifications_with_exchanged_words_are_checked_or_refused() {
    let seeds = check::seeds();
    let accepted = (1..=400).filter(|&seed| check::check(&gentle_mutant(&seeds, &mut Random::new(seed)))).count();
    assert!(accepted > 20, "only {accepted} of 400 mutants were accepted");
}
