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
    let mutants = (1..=2_000).map(|seed| gentle_mutant(&seeds, &mut Random::new(seed)));
    let accepted = mutants.filter(|text| check::accepted(text).1).count();
    assert!(accepted > 20, "only {accepted} of 2000 mutants were accepted");
}
