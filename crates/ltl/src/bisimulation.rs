//! Merging states with the same moves.
//!
//! The coarsest bisimulation, by splitting classes: states are told apart when their edges, with targets replaced by
//! classes, are. A state needs another look only after the class of one of its targets has changed, so at any time the
//! members of a class that are not due for one have equal edges, and one of them stands for all. Cheap enough for the
//! largest automata, and it leaves less to `simulation.rs`.

use std::collections::{BTreeMap, BTreeSet};

use crate::automaton::{Automaton, Edge};

/// The automaton with bisimilar states merged.
pub(crate) fn bisimilar_merged(automaton: &Automaton) -> Automaton {
    let mut classes = Classes::new(automaton);
    while let Some(due) = classes.next_due() {
        classes.split(automaton, &due);
    }
    automaton.merged(&classes.of)
}

struct Classes {
    of: Vec<usize>,
    members: Vec<BTreeSet<usize>>,
    sources: Vec<Vec<usize>>,
    /// States that may differ from the rest of their class.
    due: BTreeSet<usize>,
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
        Classes { of: vec![0; count], members: vec![all.clone()], sources, due: all }
    }

    /// All states of one class that are due.
    fn next_due(&mut self) -> Option<BTreeSet<usize>> {
        let class = self.of[*self.due.first()?];
        let (due, later) = std::mem::take(&mut self.due).into_iter().partition(|&state| self.of[state] == class);
        self.due = later;
        Some(due)
    }

    /// Splits off the states, all of one class, that differ from the rest of it.
    fn split(&mut self, automaton: &Automaton, due: &BTreeSet<usize>) {
        let class = self.of[*due.first().expect("a state is due")];
        let mut groups: BTreeMap<Vec<Edge>, Vec<usize>> = BTreeMap::new();
        for &state in due {
            groups.entry(self.signature(&automaton.states[state])).or_default().push(state);
        }
        let settled = self.members[class].difference(due).next();
        let stays = match settled {
            Some(&state) => self.signature(&automaton.states[state]),
            None => groups.iter().max_by_key(|(_, group)| group.len()).expect("a state is due").0.clone(),
        };
        groups.remove(&stays);
        for group in groups.into_values() {
            self.found(class, group);
        }
    }

    /// Makes a class of its own of some members of another.
    fn found(&mut self, old: usize, group: Vec<usize>) {
        let new = self.members.len();
        self.members.push(group.iter().copied().collect());
        for &state in &group {
            self.members[old].remove(&state);
            self.of[state] = new;
        }
        for state in group {
            self.due.extend(&self.sources[state]);
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
