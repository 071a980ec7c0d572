//! Searches of the railroad gate visit as many nodes as published, and find the same violations.

mod gate;

use gate::{Gate, LastLayer};

#[track_caller]
fn check(gate: Gate, depth: usize, last_layer: LastLayer, nodes: usize, violated: bool) {
    let outcome = gate.search(depth, last_layer).unwrap();
    assert_eq!((outcome.nodes, outcome.violated), (nodes, violated), "{gate:?}");
}

#[test]
fn mutants_are_found_at_the_published_nodes() {
    for (mutant, nodes) in [(1, 23), (2, 23), (4, 23), (6, 7), (7, 10), (10, 5)] {
        check(Gate::Mutant(mutant), 10, LastLayer::Counted, nodes, true);
    }
}

#[test]
fn the_gate_and_a_harmless_mutant_have_no_violation() {
    for last_layer in [LastLayer::Counted, LastLayer::Checked] {
        check(Gate::Unchanged, 8, last_layer, 166, false);
        check(Gate::Unchanged, 10, last_layer, 471, false);
        check(Gate::Mutant(8), 10, last_layer, 266, false);
    }
}

/// The paper's program does not check the nodes at the greatest depth, and misses two mutants there.
#[test]
fn mutants_that_the_paper_misses_are_found_in_the_last_layer() {
    for mutant in [3, 5] {
        check(Gate::Mutant(mutant), 10, LastLayer::Counted, 471, false);
        check(Gate::Mutant(mutant), 10, LastLayer::Checked, 47, true);
    }
    check(Gate::Mutant(9), 10, LastLayer::Checked, 466, false);
    check(Gate::Mutant(9), 12, LastLayer::Checked, 129, true);
}
