//! A short fuzzing run with fixed seeds; the example `fuzz_parse` runs for longer.

#[path = "../examples/fuzz_parse/check.rs"]
mod check;

#[test]
fn mutated_programs_are_parsed_or_refused_but_never_break_the_parser() {
    lurcher_test_support::check_mutants(&check::seeds(), check::WORDS, check::check);
}
