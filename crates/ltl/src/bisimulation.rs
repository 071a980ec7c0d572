//! Merging states with the same moves.
//!
//! The coarsest bisimulation by refinement in rounds (Moore's algorithm): states are told apart when their edges,
//! with targets replaced by classes, are. Cheap enough for the largest automata, and it leaves less to `simulation.rs`.

use std::collections::HashMap;

use crate::automaton::{Automaton, Edge};

/// The automaton with bisimilar states merged.
pub(crate) fn bisimilar_merged(automaton: &Automaton) -> Automaton {
    let mut class = vec![0; automaton.states.len()];
    let mut count = 1;
    loop {
        let mut classes = HashMap::new();
        let refined: Vec<usize> = (0..class.len())
            .map(|state| {
                let fresh = classes.len();
                *classes.entry((class[state], signature(&automaton.states[state], &class))).or_insert(fresh)
            })
            .collect();
        if classes.len() == count {
            return automaton.merged(&class);
        }
        count = classes.len();
        class = refined;
    }
}

fn signature(edges: &[Edge], class: &[usize]) -> Vec<Edge> {
    let mut signature: Vec<Edge> =
        edges.iter().map(|edge| Edge { target: class[edge.target], ..edge.clone() }).collect();
    signature.sort();
    signature.dedup();
    signature
}
