//! Formulas and automata as text.

use lurcher_ltl::{print_automaton, print_formula};

use crate::parse::parse;
use crate::{automaton, formulas, name};

#[test]
fn a_printed_formula_reads_back_as_itself() {
    for formula in formulas::all_up_to(4, 2).iter().flatten() {
        let text = print_formula(formula, name).to_string();
        assert_eq!(parse(&text), *formula, "{text}");
    }
}

#[test]
fn a_formula_is_printed_in_the_syntax_of_spin() {
    let text = "[](p -> (!q U (r && <>s))) <-> (X true V (false W p))";
    assert_eq!(print_formula(&parse(text), name).to_string(), text);
}

#[test]
fn an_automaton_is_printed_one_edge_a_line() {
    let text = print_automaton(&automaton(&parse("[](p -> <>q)")), name).to_string();
    assert_eq!(text, "0 *\n  !p -> 0\n  q -> 0\n  p && !q -> 1\n1\n  q -> 0\n  !q -> 1\n");
}
