//! Whether a Büchi automaton accepts an infinite word that repeats.
//!
//! The product of the automaton and the lasso is finite; the word is accepted when an accepting state lies on a cycle
//! of the reachable part, that is, in a component that has a cycle.

use lurcher_ir::{Buchi, BuchiEdge};

use crate::components::components;
use crate::semantics::Letter;

/// Whether the automaton accepts the word `prefix · cycle · cycle · …`.
///
/// # Panics
///
/// If the cycle is empty: there is no infinite word then.
pub fn accepts(automaton: &Buchi, prefix: &[Letter], cycle: &[Letter]) -> bool {
    assert!(!cycle.is_empty(), "a lasso needs a cycle");
    let length = prefix.len() + cycle.len();
    let mut number = vec![usize::MAX; automaton.states.len() * length];
    let mut nodes = vec![(0, 0)];
    number[0] = 0;
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while successors.len() < nodes.len() {
        let (state, position) = nodes[successors.len()];
        let letter = prefix.get(position).unwrap_or_else(|| &cycle[position - prefix.len()]);
        let after = if position + 1 < length { position + 1 } else { prefix.len() };
        let possible = automaton.states[state].edges.iter().filter(|edge| is_possible(edge, letter));
        let targets = possible.map(|edge| {
            let number = &mut number[edge.target * length + after];
            if *number == usize::MAX {
                *number = nodes.len();
                nodes.push((edge.target, after));
            }
            *number
        });
        successors.push(targets.collect());
    }
    let components = components(&successors);
    let on_cycle = |node: usize| components.cyclic[components.of[node]];
    nodes.iter().enumerate().any(|(node, &(state, _))| automaton.states[state].accepting && on_cycle(node))
}

fn is_possible(edge: &BuchiEdge, letter: &Letter) -> bool {
    edge.guard.iter().all(|literal| letter.has(literal.atom) == literal.positive)
}
