//! A short fuzzing run with fixed seeds; the example `fuzz_smv` runs for as long as you like.

#[path = "../examples/fuzz_smv/check.rs"]
mod check;
#[path = "../examples/fuzz_smv/words.rs"]
mod words;

use lurcher_test_support::{Random, mutant};

#[test]
fn mutated_models_are_parsed_or_refused_but_never_break_the_parser() {
    let seeds = check::seeds();
    let mutants = (1..=400).map(|seed| mutant(&seeds, &words::WORDS, &mut Random::new(seed)));
    let accepted = mutants.filter(|text| check::check(text)).count();
    assert!(accepted > 4, "only {accepted} of 400 mutants were accepted: the mutations are too coarse to be useful");
}
