//! Merging bisimilar states.
//!
//! The coarsest bisimulation by partition refinement: states differ if their edges, with targets replaced by classes,
//! differ. A state is compared again only after the class of one of its targets has changed. It is cheap enough for
//! the largest automata and leaves less work to `simulation.rs`.

use std::collections::{BTreeMap, BTreeSet};

use crate::automaton::{Automaton, Edge};

/// The automaton with bisimilar states merged.
pub(crate) fn bisimilar_merged(automaton: &Automaton) -> Automaton {
    let mut classes = Classes::new(automaton);
    while let Some((class, due)) = classes.due.pop_first() {
        classes.split(automaton, class, &due);
    }
    automaton.merged(&classes.of)
}

struct Classes {
    of: Vec<usize>,
    members: Vec<BTreeSet<usize>>,
    sources: Vec<Vec<usize>>,
    /// The members of each class that may differ from the rest.
    due: BTreeMap<usize, BTreeSet<usize>>,
}

impl Classes {
    fn new(automaton: &Automaton) -> Self {
        let count = automaton.states.len();
        let mut sources = vec![Vec::new(); count];
        for (source, edges) in automaton.states.iter().enumerate() {
            for edge in edges {
                sources[edge.target].push(source);
            }
        }
        let all: BTreeSet<usize> = (0..count).collect();
        Classes { of: vec![0; count], members: vec![all.clone()], sources, due: BTreeMap::from([(0, all)]) }
    }

    /// Splits off the members of a class that differ from the rest.
    fn split(&mut self, automaton: &Automaton, class: usize, due: &BTreeSet<usize>) {
        let mut groups: BTreeMap<Vec<Edge>, Vec<usize>> = BTreeMap::new();
        for &state in due {
            groups.entry(self.signature(&automaton.states[state])).or_default().push(state);
        }
        let rest = self.members[class].difference(due).next().map(|&state| self.signature(&automaton.states[state]));
        let largest = || groups.iter().max_by_key(|(_, group)| group.len()).map(|(signature, _)| signature.clone());
        if let Some(stays) = rest.or_else(largest) {
            groups.remove(&stays);
        }
        for group in groups.into_values() {
            self.split_off(class, group);
        }
    }

    /// Moves some members of a class to a new class.
    fn split_off(&mut self, old: usize, group: Vec<usize>) {
        let new = self.members.len();
        self.members.push(group.iter().copied().collect());
        for &state in &group {
            self.members[old].remove(&state);
            self.of[state] = new;
            if self.due.get_mut(&old).is_some_and(|due| due.remove(&state)) {
                self.due.entry(new).or_default().insert(state);
            }
        }
        for &source in group.iter().flat_map(|&state| &self.sources[state]) {
            self.due.entry(self.of[source]).or_default().insert(source);
        }
    }

    fn signature(&self, edges: &[Edge]) -> Vec<Edge> {
        let mut signature: Vec<Edge> =
            edges.iter().map(|edge| Edge { target: self.of[edge.target], ..edge.clone() }).collect();
        signature.sort();
        signature.dedup();
        signature
    }
}
