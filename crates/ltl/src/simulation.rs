//! Merging states by direct simulation.
//!
//! A state is *above* another if it can answer every move of the other, under the same letters and with the same
//! marks or more, by moves to states that are again above (Etessami, Wilke and Schuller, *Fair simulation relations,
//! parity games, and state space reduction for Büchi automata*, SICOMP 2005). One move may need several edges as
//! answers, together covering its guard: `true` is answered by `p` and `!p`. States above each other may be merged;
//! an edge may go if other edges of the same state answer it; and of an edge only the letters that are not so answered
//! need stay, which makes automata more deterministic.
//!
//! Backwards the same works with edges into states: what is answered then is every way to get to a state, and states
//! that can be got to in the same ways may be merged. The initial state is answered by no other.
//!
//! The relation is the greatest fixed point, found by striking out pairs until nothing changes. That is quadratic in
//! the states at least, so there is a budget; beyond it the automaton stays as it is.

use std::collections::BTreeMap;

use crate::automaton::{Automaton, Edge, Place};
use crate::bits::Bits;
use crate::cube::Cube;

/// Comparisons of edges left.
pub(crate) struct Budget(u64);

impl Budget {
    pub(crate) fn new(comparisons: u64) -> Self {
        Budget(comparisons)
    }

    fn spend(&mut self, comparisons: usize) -> Option<()> {
        self.0 = self.0.checked_sub(comparisons as u64)?;
        Some(())
    }
}

/// Drops edges that others answer and merges states above each other; none if that is too much work.
pub(crate) fn merged_forwards(automaton: &Automaton, budget: &mut Budget) -> Option<Automaton> {
    let above = Above::forwards(automaton, budget)?;
    let mut states = Vec::new();
    for edges in &automaton.states {
        budget.spend(edges.len() * edges.len())?;
        states.push(above.answered_dropped(edges));
    }
    Some(Automaton { marks: automaton.marks, states }.merged(&above.classes()))
}

/// Merges states that can be got to in the same ways; none if that is too much work.
pub(crate) fn merged_backwards(automaton: &Automaton, place: Place, budget: &mut Budget) -> Option<Automaton> {
    let above = Above::backwards(automaton, place, budget)?;
    Some(automaton.merged(&above.classes()))
}

/// Takes away from each guard the letters that other edges answer, where the rest is a cube; none if that is too much
/// work.
pub(crate) fn answered_taken_away(automaton: &Automaton, budget: &mut Budget) -> Option<Automaton> {
    let above = Above::forwards(automaton, budget)?;
    let mut result = automaton.clone();
    for edges in &mut result.states {
        budget.spend(edges.len() * edges.len())?;
        for weak in 0..edges.len() {
            for strong in 0..edges.len() {
                let (edge, answer) = (&edges[weak], &edges[strong]);
                let parallel = (edge.target, &edge.marks) == (answer.target, &answer.marks);
                if !parallel && above.may_answer(answer, edge) {
                    edges[weak].guard = edge.guard.less(&answer.guard).unwrap_or_else(|| edge.guard.clone());
                }
            }
        }
    }
    Some(result.reachable())
}

/// For each state, the states above it.
struct Above(Vec<Bits>);

impl Above {
    fn forwards(automaton: &Automaton, budget: &mut Budget) -> Option<Self> {
        let count = automaton.states.len();
        budget.spend(count * count)?;
        let mut above = Above(vec![Bits::below(count); count]);
        // States are numbered from the initial one on, so this order tends to look at targets before sources.
        let order: Vec<usize> = (0..count).rev().collect();
        above.shrink(&automaton.states, &order, budget)?;
        Some(above)
    }

    fn backwards(automaton: &Automaton, place: Place, budget: &mut Budget) -> Option<Self> {
        let count = automaton.states.len();
        budget.spend(count * count)?;
        let mut incoming = vec![Vec::new(); count];
        for (source, edges) in automaton.states.iter().enumerate() {
            for edge in edges {
                incoming[edge.target].push(Edge { target: source, ..edge.clone() });
            }
        }
        let mut alike: BTreeMap<Option<&Bits>, Bits> = BTreeMap::new();
        let marks = |state: usize| automaton.states[state].first().map(|edge| &edge.marks);
        let key = |state: usize| marks(state).filter(|_| place == Place::States);
        (0..count).for_each(|state| alike.entry(key(state)).or_default().insert(state));
        let mut above = Above((0..count).map(|state| alike[&key(state)].clone()).collect());
        above.0[0] = Bits::from_iter([0]);
        above.shrink(&incoming, &(0..count).collect::<Vec<_>>(), budget)?;
        Some(above)
    }

    /// Strikes out states that cannot answer, until all that remain can.
    fn shrink(&mut self, states: &[Vec<Edge>], order: &[usize], budget: &mut Budget) -> Option<()> {
        let mut stable = false;
        while !stable {
            stable = true;
            for &state in order {
                for other in self.0[state].clone().iter().filter(|&other| other != state) {
                    budget.spend(1)?;
                    if !self.answers_all(&states[other], &states[state], budget)? {
                        self.0[state].remove(other);
                        stable = false;
                    }
                }
            }
        }
        Some(())
    }

    /// Whether one edge answers another on the letters they share.
    fn may_answer(&self, answer: &Edge, edge: &Edge) -> bool {
        edge.marks.is_subset(&answer.marks) && self.0[edge.target].contains(answer.target)
    }

    /// Whether these edges together answer one.
    fn answers<'a>(&self, answers: impl Iterator<Item = &'a Edge>, edge: &Edge) -> bool {
        let guards: Vec<&Cube> =
            answers.filter(|answer| self.may_answer(answer, edge)).map(|answer| &answer.guard).collect();
        edge.guard.is_covered_by(&guards)
    }

    fn answers_all(&self, answers: &[Edge], edges: &[Edge], budget: &mut Budget) -> Option<bool> {
        for edge in edges {
            budget.spend(answers.len())?;
            if !self.answers(answers.iter(), edge) {
                return Some(false);
            }
        }
        Some(true)
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

    /// For each state the first one that is above it and below it.
    fn classes(&self) -> Vec<usize> {
        let equal = |state: usize| self.0[state].iter().find(|&other| self.0[other].contains(state));
        (0..self.0.len()).map(|state| equal(state).expect("a state is above itself")).collect()
    }
}
