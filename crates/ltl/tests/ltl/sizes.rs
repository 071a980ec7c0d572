//! Automata are no larger than Spin's, and have the recorded sizes.

use std::fmt::Write;

use crate::automaton;
use crate::never;
use crate::parse::parse;
use crate::spin_states::{Spin, sizes};

fn states(formula: &str) -> usize {
    automaton(&parse(formula)).states.len()
}

#[test]
fn automata_have_no_more_states_than_those_of_spin() {
    let mut larger = String::new();
    for (formula, spin, _) in sizes() {
        if let Spin::States(spin) = spin
            && states(&formula) > spin
        {
            writeln!(larger, "{formula}: {} states, Spin {spin}", states(&formula)).unwrap();
        }
    }
    assert!(larger.is_empty(), "\n{larger}");
}

#[test]
fn automata_have_the_states_that_the_table_says() {
    let mut different = String::new();
    for (formula, _, ours) in sizes() {
        if states(&formula) != ours {
            writeln!(different, "{formula}: {} states, the table says {ours}", states(&formula)).unwrap();
        }
    }
    assert!(different.is_empty(), "\n{different}");
}

#[test]
fn the_table_is_what_spin_says() {
    if !never::spin_is_installed() {
        return;
    }
    for (formula, claim) in never::CLAIMS.iter() {
        let recorded = sizes().find(|row| row.0 == *formula).map(|row| row.1);
        assert_eq!(recorded, Some(Spin::States(claim.states.len())), "{formula}");
    }
}
