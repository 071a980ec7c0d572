//! Generalised Büchi automata with acceptance marks on edges.
//!
//! A run is accepted if it meets every mark infinitely often. A Büchi automaton has one mark, which is on all edges of a
//! state or on none ([`Acceptance::States`]).

use indexmap::IndexSet;

use crate::bits::Bits;
use crate::cube::Cube;
use crate::guards;
use lurcher_ir::graph::{Components, components};

/// An edge. The order is by target first, so that parallel edges are neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) target: usize,
    pub(crate) marks: Bits,
    pub(crate) guard: Cube,
}

/// Transition-based or state-based acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Acceptance {
    /// Each edge has its own marks.
    Transitions,
    /// All edges of a state have the same marks.
    States,
}

/// An automaton; state 0 is initial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Automaton {
    /// The number of marks.
    pub(crate) marks: usize,
    /// The edges of each state.
    pub(crate) states: Vec<Vec<Edge>>,
}

impl Automaton {
    pub(crate) fn all_marks(&self) -> Bits {
        Bits::below(self.marks)
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Strongly connected components.
    pub(crate) fn components(&self) -> Components {
        let successors: Vec<Vec<usize>> =
            self.states.iter().map(|edges| edges.iter().map(|edge| edge.target).collect()).collect();
        components(&successors)
    }

    /// The edges inside components, with their components.
    pub(crate) fn inner_edges(&self, components: &Components) -> impl Iterator<Item = (usize, &Edge)> {
        self.states.iter().enumerate().flat_map(move |(source, edges)| {
            let inside = edges.iter().filter(move |edge| components.inside(source, edge.target));
            inside.map(move |edge| (components.of[source], edge))
        })
    }

    /// Merges the states of each class; a class has the edges of all its members. Unreachable states are dropped, and
    /// the others numbered breadth first.
    pub(crate) fn merged(&self, class: &[usize]) -> Automaton {
        let mut members = vec![Vec::new(); self.states.len()];
        for (state, &class) in class.iter().enumerate() {
            members[class].push(state);
        }
        let mut reached = IndexSet::from([class[0]]);
        let mut states = Vec::new();
        while let Some(&current) = reached.get_index(states.len()) {
            let edges = members[current].iter().flat_map(|&member| &self.states[member]).cloned();
            let edges = edges.map(|edge| Edge { target: class[edge.target], ..edge }).collect();
            let mut edges = guards::merge_parallel(edges);
            for edge in &mut edges {
                edge.target = reached.insert_full(edge.target).0;
            }
            edges.sort();
            states.push(edges);
        }
        Automaton { marks: self.marks, states }
    }

    /// Drops unreachable states and renumbers the others.
    pub(crate) fn reachable(&self) -> Automaton {
        self.merged(&(0..self.states.len()).collect::<Vec<_>>())
    }
}
