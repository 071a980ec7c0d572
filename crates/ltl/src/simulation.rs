//! Merging states by direct simulation.
//!
//! A state simulates another if it can answer every move of the other, under the same letters and with at least the same
//! marks, by moves to simulating states (Etessami, Wilke and Schuller, *Fair simulation relations, parity games, and state
//! space reduction for Büchi automata*, SICOMP 2005). Several edges may together answer one move by covering its guard.
//! States that simulate each other are merged; an edge is dropped if other edges of its state simulate it; and the letters
//! on which they do are removed from its guard, which makes automata more deterministic.
//!
//! Backward simulation is the same for edges into states. Only the initial state simulates itself backwards.
//!
//! The relation is the greatest fixpoint. Its cost is at least quadratic in the states, so there is a budget, beyond which
//! the automaton stays as it is.

use std::collections::BTreeMap;

use crate::automaton::{Acceptance, Automaton, Edge};
use crate::bits::Bits;
use crate::cube::Cube;

/// Remaining edge comparisons.
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

/// Drops simulated edges and merges states that simulate each other; none if the budget is exceeded.
pub(crate) fn merged_forwards(automaton: &Automaton, budget: &mut Budget) -> Option<Automaton> {
    let simulation = Simulation::forwards(automaton, budget)?;
    let mut states = Vec::new();
    for edges in &automaton.states {
        budget.spend(edges.len() * edges.len())?;
        states.push(simulation.without_simulated(edges));
    }
    Some(Automaton { marks: automaton.marks, states }.merged(&simulation.classes()))
}

/// Merges states that simulate each other backwards; none if the budget is exceeded.
pub(crate) fn merged_backwards(
    automaton: &Automaton,
    acceptance: Acceptance,
    budget: &mut Budget,
) -> Option<Automaton> {
    let simulation = Simulation::backwards(automaton, acceptance, budget)?;
    Some(automaton.merged(&simulation.classes()))
}

/// Removes from each guard the letters on which other edges simulate it, if the rest is a cube; none if the budget is
/// exceeded.
pub(crate) fn prune_guards(automaton: &Automaton, budget: &mut Budget) -> Option<Automaton> {
    let simulation = Simulation::forwards(automaton, budget)?;
    let mut result = automaton.clone();
    for edges in &mut result.states {
        budget.spend(edges.len() * edges.len())?;
        for weak in 0..edges.len() {
            for strong in 0..edges.len() {
                let (edge, answer) = (&edges[weak], &edges[strong]);
                let parallel = (edge.target, &edge.marks) == (answer.target, &answer.marks);
                if !parallel && simulation.may_simulate(answer, edge) {
                    edges[weak].guard = edge.guard.less(&answer.guard).unwrap_or_else(|| edge.guard.clone());
                }
            }
        }
    }
    Some(result.reachable())
}

/// For each state, the states that simulate it.
struct Simulation(Vec<Bits>);

impl Simulation {
    fn forwards(automaton: &Automaton, budget: &mut Budget) -> Option<Self> {
        let count = automaton.states.len();
        budget.spend(count * count)?;
        let mut simulation = Simulation(vec![Bits::below(count); count]);
        // Numbers grow with the distance from the initial state, so targets tend to come before sources.
        let order: Vec<usize> = (0..count).rev().collect();
        simulation.refine(&automaton.states, &order, budget)?;
        Some(simulation)
    }

    fn backwards(automaton: &Automaton, acceptance: Acceptance, budget: &mut Budget) -> Option<Self> {
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
        let key = |state: usize| marks(state).filter(|_| acceptance == Acceptance::States);
        (0..count).for_each(|state| alike.entry(key(state)).or_default().insert(state));
        let mut simulation = Simulation((0..count).map(|state| alike[&key(state)].clone()).collect());
        simulation.0[0] = Bits::from_iter([0]);
        simulation.refine(&incoming, &(0..count).collect::<Vec<_>>(), budget)?;
        Some(simulation)
    }

    /// Removes states that do not simulate, until a fixpoint.
    fn refine(&mut self, states: &[Vec<Edge>], order: &[usize], budget: &mut Budget) -> Option<()> {
        let mut stable = false;
        while !stable {
            stable = true;
            for &state in order {
                for other in self.0[state].clone().iter().filter(|&other| other != state) {
                    budget.spend(1)?;
                    if !self.simulates_all(&states[other], &states[state], budget)? {
                        self.0[state].remove(other);
                        stable = false;
                    }
                }
            }
        }
        Some(())
    }

    /// Whether one edge simulates another on their common letters.
    fn may_simulate(&self, answer: &Edge, edge: &Edge) -> bool {
        edge.marks.is_subset(&answer.marks) && self.0[edge.target].contains(answer.target)
    }

    /// Whether some edges together simulate one.
    fn simulates<'a>(&self, answers: impl Iterator<Item = &'a Edge>, edge: &Edge) -> bool {
        let guards: Vec<&Cube> =
            answers.filter(|answer| self.may_simulate(answer, edge)).map(|answer| &answer.guard).collect();
        edge.guard.is_covered_by(&guards)
    }

    fn simulates_all(&self, answers: &[Edge], edges: &[Edge], budget: &mut Budget) -> Option<bool> {
        for edge in edges {
            budget.spend(answers.len())?;
            if !self.simulates(answers.iter(), edge) {
                return Some(false);
            }
        }
        Some(true)
    }

    fn without_simulated(&self, edges: &[Edge]) -> Vec<Edge> {
        let mut kept = edges.to_vec();
        let mut index = 0;
        while index < kept.len() {
            let others = kept.iter().enumerate().filter(|&(other, _)| other != index).map(|(_, edge)| edge);
            if self.simulates(others, &kept[index]) {
                kept.remove(index);
            } else {
                index += 1;
            }
        }
        kept
    }

    /// For each state the first state that is equivalent to it.
    fn classes(&self) -> Vec<usize> {
        let equal = |state: usize| self.0[state].iter().find(|&other| self.0[other].contains(state));
        (0..self.0.len()).map(|state| equal(state).expect("a state simulates itself")).collect()
    }
}
