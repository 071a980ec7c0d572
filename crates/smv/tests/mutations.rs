//! A short fuzzing run with fixed seeds; the example `fuzz_smv` runs for as long as you like.

#[path = "../examples/fuzz_smv/check.rs"]
mod check;
#[path = "../examples/fuzz_smv/mutate.rs"]
mod mutate;

use mutate::{Random, mutant};

#[test]
fn mutated_models_are_parsed_or_refused_but_never_break_the_parser() {
    let seeds = check::seeds();
    let accepted = (1..=400).filter(|&seed| check::check(&mutant(&seeds, &mut Random::new(seed)))).count();
    assert!(accepted > 4, "only {accepted} of 400 mutants were accepted: the mutations are too coarse to be useful");
}
