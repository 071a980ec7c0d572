//! Normalisation of acceptance marks.
//!
//! Acceptance depends only on the marks in the component where a run stays, which leaves freedom:
//!
//! * a state that reaches no accepting cycle is removed;
//! * marks in a component without accepting cycles are removed;
//! * a mark is added to an edge if every cycle through that edge has the mark;
//! * if one mark of a component implies another, the other is added to every edge;
//! * marks on edges between components are all set or all cleared.
//!
//! Afterwards, reduction can merge states that differ only in irrelevant marks.

use crate::automaton::{Acceptance, Automaton, Edge};
use crate::bits::Bits;
use lurcher_ir::graph::{Components, components};

/// The marks of edges between components, which are irrelevant. Reduction tries both: a state becomes similar to its
/// accepting or to its rejecting successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransientMarks {
    None,
    All,
}

/// An automaton with the same language and normalised marks.
pub(crate) fn normalised(automaton: &Automaton, acceptance: Acceptance, transient: TransientMarks) -> Automaton {
    let components = automaton.components();
    let accepting = accepting_components(automaton, &components);
    let normaliser = Normaliser { automaton, components, accepting };
    let marks = normaliser.marks(acceptance, transient);
    let live = normaliser.live_components();
    let mut states = Vec::new();
    for (edges, marks) in automaton.states.iter().zip(marks) {
        let edges = edges.iter().zip(marks).map(|(edge, marks)| Edge { marks, ..edge.clone() });
        states.push(edges.filter(|edge| live[normaliser.components.of[edge.target]]).collect());
    }
    Automaton { marks: automaton.marks, states }.reachable()
}

/// Whether each component has a cycle with all marks.
pub(crate) fn accepting_components(automaton: &Automaton, components: &Components) -> Vec<bool> {
    let mut marks = vec![Bits::default(); components.count()];
    for (component, edge) in automaton.inner_edges(components) {
        marks[component] = marks[component].union(&edge.marks);
    }
    let all = automaton.all_marks();
    marks.iter().zip(&components.cyclic).map(|(marks, &cyclic)| cyclic && *marks == all).collect()
}

struct Normaliser<'a> {
    automaton: &'a Automaton,
    components: Components,
    accepting: Vec<bool>,
}

impl Normaliser<'_> {
    /// Whether an accepting component can be reached from each component.
    fn live_components(&self) -> Vec<bool> {
        let mut successors = vec![Vec::new(); self.components.count()];
        for (source, edges) in self.automaton.states.iter().enumerate() {
            let targets = edges.iter().map(|edge| self.components.of[edge.target]);
            successors[self.components.of[source]].extend(targets);
        }
        let mut live = self.accepting.clone();
        for component in 0..live.len() {
            live[component] |= successors[component].iter().any(|&successor| live[successor]);
        }
        live
    }

    /// The new marks of every edge.
    fn marks(&self, acceptance: Acceptance, transient: TransientMarks) -> Vec<Vec<Bits>> {
        let mut marks: Vec<Vec<Bits>> = Vec::new();
        for (source, edges) in self.automaton.states.iter().enumerate() {
            let component = self.components.of[source];
            let of_edge = |edge: &Edge| {
                let by_state = acceptance == Acceptance::States && self.components.cyclic[component];
                if !by_state && !self.components.inside(source, edge.target) {
                    if transient == TransientMarks::All { self.automaton.all_marks() } else { Bits::default() }
                } else if self.accepting[component] {
                    edge.marks.clone()
                } else {
                    Bits::default()
                }
            };
            marks.push(edges.iter().map(of_edge).collect());
        }
        for mark in 0..self.automaton.marks {
            self.add_where_unavoidable(mark, acceptance, &mut marks);
        }
        self.add_redundant(&mut marks);
        marks
    }

    /// Adds a mark to the edges (or to all edges of the states) that lie on no cycle without the mark.
    fn add_where_unavoidable(&self, mark: usize, acceptance: Acceptance, marks: &mut [Vec<Bits>]) {
        let without = self.components_without(mark);
        for (source, edges) in self.automaton.states.iter().enumerate() {
            if !self.accepting[self.components.of[source]] {
                continue;
            }
            for (edge, marks) in edges.iter().zip(&mut marks[source]) {
                let avoidable = match acceptance {
                    Acceptance::Transitions => {
                        without.inside(source, edge.target) || !self.components.inside(source, edge.target)
                    }
                    Acceptance::States => without.cyclic[without.of[source]],
                };
                if !avoidable {
                    marks.insert(mark);
                }
            }
        }
    }

    /// The components without the edges that have a mark.
    fn components_without(&self, mark: usize) -> Components {
        let unmarked = |(source, edges): (usize, &Vec<Edge>)| {
            let inside = edges.iter().filter(|edge| self.components.inside(source, edge.target));
            inside.filter(|edge| !edge.marks.contains(mark)).map(|edge| edge.target).collect()
        };
        components(&self.automaton.states.iter().enumerate().map(unmarked).collect::<Vec<_>>())
    }

    /// Adds a mark to all edges of an accepting component in which another mark implies it.
    fn add_redundant(&self, marks: &mut [Vec<Bits>]) {
        let inside_accepting = |source: usize, edge: &Edge| {
            self.accepting[self.components.of[source]] && self.components.inside(source, edge.target)
        };
        let mut companions = vec![vec![self.automaton.all_marks(); self.automaton.marks]; self.accepting.len()];
        for (source, edges) in self.automaton.states.iter().enumerate() {
            for (_, marks) in edges.iter().zip(&marks[source]).filter(|(edge, _)| inside_accepting(source, edge)) {
                for mark in marks.iter() {
                    let companions = &mut companions[self.components.of[source]][mark];
                    *companions = companions.intersection(marks);
                }
            }
        }
        let redundant: Vec<Bits> = companions.iter().map(|companions| redundant_marks(companions)).collect();
        for (source, edges) in self.automaton.states.iter().enumerate() {
            for (edge, marks) in edges.iter().zip(&mut marks[source]) {
                if inside_accepting(source, edge) {
                    *marks = marks.union(&redundant[self.components.of[source]]);
                }
            }
        }
    }
}

/// The marks that another, kept mark implies. `companions` has the marks that each mark implies.
fn redundant_marks(companions: &[Bits]) -> Bits {
    let mut redundant = Bits::default();
    for mark in (0..companions.len()).rev() {
        let kept = |&other: &usize| other != mark && !redundant.contains(other);
        if (0..companions.len()).filter(kept).any(|other| companions[other].contains(mark)) {
            redundant.insert(mark);
        }
    }
    redundant
}
