//! The crate from outside.
//!
//! * `language.rs`: automata accept what formulas mean, on every small formula and lasso and on random larger ones
//! * `sizes.rs`: automata are no larger than Spin's; `spin_states.rs` is the table, `never.rs` asks Spin itself
//! * `shape.rs`: what is promised of every automaton
//! * `cost.rs`: large and deep formulas end, with an automaton or an error
//! * `printing.rs`: formulas and automata as text
//! * `past.rs`: past operators, and the relation of violations
//!
//! The other files are what these need: `parse.rs` reads formulas, `formulas.rs` and `lassos.rs` make them.

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

/// Atoms in tests are named by a letter: `p q r …`, and from the front of the alphabet after `z`.
pub(crate) fn name(atom: AtomId) -> char {
    char::from(b'a' + ((atom.0 + u32::from(b'p' - b'a')) % 26) as u8)
}

pub(crate) fn automaton(formula: &Formula) -> Buchi {
    translate(formula, &Limits::default())
        .unwrap_or_else(|error| panic!("{}: {error}", lurcher_ltl::print_formula(formula, name)))
}
