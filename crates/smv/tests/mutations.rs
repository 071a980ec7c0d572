//! A short fuzzing run with fixed seeds; the example `fuzz_smv` runs for longer.

#[path = "../examples/fuzz_smv/check.rs"]
mod check;

#[test]
fn mutated_models_are_parsed_or_refused_but_never_break_the_parser() {
    lurcher_test_support::check_mutants(&check::seeds(), check::WORDS, check::check);
}
