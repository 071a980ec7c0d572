//! Whether a Büchi automaton accepts a lasso: whether an accepting state of the reachable part of their product lies on a
//! cycle.

use indexmap::IndexSet;
use lurcher_ir::{Buchi, BuchiEdge};

use crate::lasso_semantics::Letter;
use lurcher_ir::graph::components;

/// Whether the automaton accepts the word `prefix · cycle · cycle · …`.
///
/// # Panics
///
/// If the cycle is empty.
pub fn accepts(automaton: &Buchi, prefix: &[Letter], cycle: &[Letter]) -> bool {
    assert!(!cycle.is_empty(), "a lasso needs a cycle");
    let length = prefix.len() + cycle.len();
    let mut nodes = IndexSet::from([(0, 0)]);
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while let Some(&(state, position)) = nodes.get_index(successors.len()) {
        let letter = prefix.get(position).unwrap_or_else(|| &cycle[position - prefix.len()]);
        let after = if position + 1 < length { position + 1 } else { prefix.len() };
        let possible = automaton.states[state].edges.iter().filter(|edge| is_possible(edge, letter));
        successors.push(possible.map(|edge| nodes.insert_full((edge.target, after)).0).collect());
    }
    let components = components(&successors);
    let on_cycle = |node: usize| components.cyclic[components.of[node]];
    nodes.iter().enumerate().any(|(node, &(state, _))| automaton.states[state].accepting && on_cycle(node))
}

fn is_possible(edge: &BuchiEdge, letter: &Letter) -> bool {
    edge.guard.iter().all(|literal| letter.has(literal.atom) == literal.positive)
}
