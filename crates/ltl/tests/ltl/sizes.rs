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

/// `cargo test --release -p lurcher-ltl print_the_sizes -- --ignored --nocapture`
#[test]
#[ignore = "prints the numbers of the table"]
fn print_the_sizes_in_short() {
    let (mut fewer, mut equal, mut more, mut ours_total, mut spin_total) = (0, 0, 0, 0, 0);
    for (formula, spin, _) in sizes() {
        let ours = states(&formula);
        println!("{ours}\t{formula}");
        if let Spin::States(spin) = spin {
            let tally = if ours < spin {
                &mut fewer
            } else if ours == spin {
                &mut equal
            } else {
                &mut more
            };
            *tally += 1;
            (ours_total, spin_total) = (ours_total + ours, spin_total + spin);
        }
    }
    println!("fewer states than Spin: {fewer}, as many: {equal}, more: {more}");
    println!("states in all: {ours_total}, Spin {spin_total}");
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
