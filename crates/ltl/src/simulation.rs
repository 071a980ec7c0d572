//! Merging states by direct simulation.
//!
//! A state is *above* another if it can answer every move of the other, under the same letters and with the same
//! marks or more, by moves to states that are again above (Etessami, Wilke and Schuller, *Fair simulation relations,
//! parity games, and state space reduction for Büchi automata*, SICOMP 2005). One move may need several edges as
//! answers, together covering its guard: `true` is answered by `p` and `!p`.
//!
//! Then states above each other may be merged; an edge may go if other edges of the same state answer it; and of an
//! edge only the letters that are not so answered need stay, which makes automata more deterministic.
//!
//! The relation is the greatest fixed point, found by striking out pairs until nothing changes. That is quadratic in
//! the states at least, so there is a budget; beyond it the automaton stays as it is.

use crate::automaton::{Automaton, Edge};
use crate::bits::Bits;
use crate::cube::Cube;

/// Comparisons of edges before a relation is given up; about a second.
const BUDGET: usize = 20_000_000;

/// For each state, the states above it.
struct Above(Vec<Bits>);

/// Drops edges that others answer and merges states above each other; none if that is too much work.
pub(crate) fn similar_merged(automaton: &Automaton) -> Option<Automaton> {
    let above = Above::new(automaton)?;
    let states = automaton.states.iter().map(|edges| above.answered_dropped(edges)).collect();
    let class: Vec<usize> = (0..automaton.states.len()).map(|state| above.first_equal(state)).collect();
    Some(Automaton { marks: automaton.marks, states }.merged(&class))
}

/// Takes away from each guard the letters that other edges answer, where the rest is a cube.
pub(crate) fn answered_taken_away(automaton: &Automaton) -> Automaton {
    let Some(above) = Above::new(automaton) else { return automaton.clone() };
    let mut result = automaton.clone();
    for edges in &mut result.states {
        for weak in 0..edges.len() {
            for strong in 0..edges.len() {
                if weak != strong && above.may_answer(&edges[strong], &edges[weak]) {
                    if let Some(rest) = edges[weak].guard.less(&edges[strong].guard) {
                        edges[weak].guard = rest;
                    }
                }
            }
        }
    }
    result.reachable()
}

impl Above {
    fn new(automaton: &Automaton) -> Option<Self> {
        let count = automaton.states.len();
        let mut above = Above(vec![Bits::below(count); count]);
        let mut budget = BUDGET;
        loop {
            let mut stable = true;
            for (state, edges) in automaton.states.iter().enumerate() {
                for other in above.0[state].clone().iter().filter(|&other| other != state) {
                    let others = &automaton.states[other];
                    budget = budget.checked_sub(1 + edges.len() * others.len())?;
                    if !edges.iter().all(|edge| above.answers(others.iter(), edge)) {
                        above.0[state].remove(other);
                        stable = false;
                    }
                }
            }
            if stable {
                return Some(above);
            }
        }
    }

    /// Whether one edge answers another on the letters of its guard.
    fn may_answer(&self, answer: &Edge, edge: &Edge) -> bool {
        edge.marks.is_subset(&answer.marks) && self.0[edge.target].contains(answer.target)
    }

    /// Whether these edges together answer one.
    fn answers<'a>(&self, answers: impl Iterator<Item = &'a Edge>, edge: &Edge) -> bool {
        let guards: Vec<&Cube> =
            answers.filter(|answer| self.may_answer(answer, edge)).map(|answer| &answer.guard).collect();
        edge.guard.is_covered_by(&guards)
    }

    fn answered_dropped(&self, edges: &[Edge]) -> Vec<Edge> {
        let mut kept = edges.to_vec();
        let mut index = 0;
        while index < kept.len() {
            let others = kept.iter().enumerate().filter(|&(other, _)| other != index).map(|(_, edge)| edge);
            if self.answers(others, &kept[index]) {
                kept.remove(index);
            } else {
                index += 1;
            }
        }
        kept
    }

    /// The first state that is above this one and below it.
    fn first_equal(&self, state: usize) -> usize {
        let equal = self.0[state].iter().find(|&other| self.0[other].contains(state));
        equal.expect("a state is above itself")
    }
}

pub(crate) fn backward_merged(automaton: &Automaton, place: crate::automaton::Place) -> Option<Automaton> {
    let count = automaton.states.len();
    let mut incoming = vec![Vec::new(); count];
    for (source, edges) in automaton.states.iter().enumerate() {
        for edge in edges {
            incoming[edge.target].push(Edge { target: source, ..edge.clone() });
        }
    }
    let reversed = Automaton { marks: automaton.marks, states: incoming };
    let mut above = Above(vec![Bits::below(count); count]);
    for s in 0..count {
        for t in 0..count {
            let flag = |s: usize| automaton.states[s].first().map(|e| e.marks.clone());
            if (s == 0 && t != 0) || (place == crate::automaton::Place::States && flag(s) != flag(t)) {
                above.0[s].remove(t);
            }
        }
    }
    let mut budget = BUDGET;
    loop {
        let mut stable = true;
        for (state, edges) in reversed.states.iter().enumerate() {
            for other in above.0[state].clone().iter().filter(|&other| other != state) {
                let others = &reversed.states[other];
                budget = budget.checked_sub(1 + edges.len() * others.len())?;
                if !edges.iter().all(|edge| above.answers(others.iter(), edge)) {
                    above.0[state].remove(other);
                    stable = false;
                }
            }
        }
        if stable {
            break;
        }
    }
    let class: Vec<usize> = (0..count).map(|state| above.first_equal(state)).collect();
    Some(automaton.merged(&class))
}
