//! Tests of the public interface.
//!
//! * `language.rs`: automata against the semantics, on every small formula and lasso and on random larger ones
//! * `sizes.rs`: automata are no larger than Spin's; `spin_states.rs` is the table, `never.rs` runs Spin
//! * `shape.rs`: invariants of every automaton
//! * `cost.rs`: the translation of large and deep formulas terminates
//! * `printing.rs`: formulas and automata as text
//! * `past.rs`: past operators, and the product with a relation
//!
//! `parse.rs` parses formulas; `formulas.rs` and `lassos.rs` generate them.

mod cost;
mod formulas;
mod language;
mod lassos;
mod never;
mod parse;
mod past;
mod printing;
mod shape;
mod sizes;
mod spin_states;

use lurcher_ir::{AtomId, Buchi, Formula};
use lurcher_ltl::{Limits, translate};

/// The name of an atom in tests: `p q r … z a b …`.
pub(crate) fn name(atom: AtomId) -> char {
    char::from(b'a' + ((atom.0 + u32::from(b'p' - b'a')) % 26) as u8)
}

pub(crate) fn automaton(formula: &Formula) -> Buchi {
    translate(formula, &Limits::default())
        .unwrap_or_else(|error| panic!("{}: {error}", lurcher_ltl::print_formula(formula, name)))
}
