//! From many marks on edges to one on states.
//!
//! The standard way counts: a copy of the automaton for each mark that is waited for, in turn, and an accepting copy
//! for the moment when all have been met. We count in each component apart, since marks matter only in the one where a
//! run ends up (compare Babiak et al., *Compositional approach to suspension and other improvements to LTL
//! translation*, SPIN 2013):
//!
//! * a component without accepting cycles has one copy, and so has one where every cycle is accepting;
//! * only marks that are missing somewhere in the component are counted;
//! * marks common to all edges out of a state count on arrival, so `[](p -> <>q)` needs two states and not three;
//! * a run may enter at any count, so it enters where the copies form a component of which no other copy is reachable,
//!   and copies outside that one are never made.
//!
//! Fairness conjuncts `[]<>p` are counted here too, after the marks. They were kept out of the automaton: their
//! "edges" are all edges, cut to the letters where `p` holds.

use std::collections::{BTreeMap, VecDeque};

use crate::automaton::{Automaton, Edge};
use crate::bits::Bits;
use crate::cube::Cube;
use crate::guards;
use crate::limits::{Meter, TooLarge};
use crate::settle::accepting_components;
use lurcher_ir::graph::{Components, components};

/// A disjunction of cubes that must hold infinitely often.
pub(crate) type Fairness = Vec<Cube>;

/// The Büchi automaton ([`Place::States`](crate::automaton::Place)) of the words that the automaton accepts and that
/// are fair.
pub(crate) fn degeneralised(
    automaton: &Automaton,
    fairness: &[Fairness],
    meter: &Meter,
) -> Result<Automaton, TooLarge> {
    let components = automaton.components();
    let goals = goals(automaton, fairness, &components);
    let mut counting = Counting { automaton, components, goals, common: Vec::new(), entry: Vec::new() };
    counting.common = (0..automaton.states.len()).map(|state| counting.common_marks(state)).collect();
    counting.entry = vec![0; automaton.states.len()];
    let mut done = vec![false; counting.goals.len()];
    for state in 0..automaton.states.len() {
        if !std::mem::replace(&mut done[counting.components.of[state]], true) {
            counting.choose_entries(state, meter)?;
        }
    }
    counting.build(meter)
}

/// What a run waits for.
#[derive(Clone, Copy)]
enum Goal<'a> {
    Mark(usize),
    Letter(&'a Fairness),
}

/// A state and how many goals of its component have been met.
type CopyId = (usize, usize);

struct Counting<'a> {
    automaton: &'a Automaton,
    components: Components,
    /// What to wait for in each component; none where no run can stay.
    goals: Vec<Option<Vec<Goal<'a>>>>,
    /// The marks on all edges out of a state that stay in its component.
    common: Vec<Bits>,
    /// The count at which each state is entered from another component.
    entry: Vec<usize>,
}

fn goals<'a>(automaton: &Automaton, fairness: &'a [Fairness], components: &Components) -> Vec<Option<Vec<Goal<'a>>>> {
    let mut everywhere = vec![automaton.all_marks(); components.count()];
    for (source, edges) in automaton.states.iter().enumerate() {
        for edge in edges.iter().filter(|edge| components.inside(source, edge.target)) {
            let everywhere = &mut everywhere[components.of[source]];
            *everywhere = everywhere.intersection(&edge.marks);
        }
    }
    let accepting = accepting_components(automaton, components);
    let goals = everywhere.iter().zip(accepting).map(|(everywhere, accepting)| {
        let marks = (0..automaton.marks).filter(|&mark| !everywhere.contains(mark)).map(Goal::Mark);
        accepting.then(|| marks.chain(fairness.iter().map(Goal::Letter)).collect())
    });
    goals.collect()
}

/// Ways to read a letter and count on, for one edge, beyond which goals are met one at a time.
const MANY_WAYS: usize = 16;

impl Counting<'_> {
    fn goals_of(&self, state: usize) -> Option<&[Goal<'_>]> {
        self.goals[self.components.of[state]].as_deref()
    }

    fn is_accepting(&self, (state, count): CopyId) -> bool {
        self.goals_of(state).is_some_and(|goals| goals.len() == count)
    }

    fn common_marks(&self, state: usize) -> Bits {
        let inside = self.automaton.states[state].iter().filter(|edge| self.components.inside(state, edge.target));
        let common = inside.map(|edge| edge.marks.clone()).reduce(|a, b| a.intersection(&b));
        common.unwrap_or_default()
    }

    /// Finds the copies of a component, given by its first state, that a run can always get back to.
    fn choose_entries(&mut self, first: usize, meter: &Meter) -> Result<(), TooLarge> {
        let mut numbers = BTreeMap::from([((first, 0), 0)]);
        let mut copies = vec![(first, 0)];
        let mut successors = Vec::new();
        let mut edges = 0;
        while successors.len() < copies.len() {
            let (state, _) = copies[successors.len()];
            let mut targets = Vec::new();
            for (_, copy) in self.moves(copies[successors.len()]) {
                if self.components.inside(state, copy.0) {
                    targets.push(*numbers.entry(copy).or_insert_with(|| {
                        copies.push(copy);
                        copies.len() - 1
                    }));
                }
            }
            edges += targets.len();
            meter.states(copies.len())?;
            meter.edges(edges)?;
            targets.dedup();
            successors.push(targets);
        }
        let sinks = components(&successors);
        for (&copy, &number) in numbers.iter().rev() {
            if sinks.of[number] == 0 {
                self.entry[copy.0] = copy.1;
            }
        }
        Ok(())
    }

    /// The moves of a copy. Those between components go to the entry.
    fn moves(&self, (state, count): CopyId) -> Vec<(Cube, CopyId)> {
        let mut moves = Vec::new();
        for edge in &self.automaton.states[state] {
            match self.goals_of(state) {
                Some(goals) if self.components.inside(state, edge.target) => {
                    let start = if count == goals.len() { 0 } else { count };
                    let marks = self.marks_counted((state, count), edge);
                    let ways = ways(goals, &edge.guard, &marks, start);
                    moves.extend(ways.into_iter().map(|(guard, count)| (guard, (edge.target, count))));
                }
                _ => moves.push((edge.guard.clone(), (edge.target, self.entry[edge.target]))),
            }
        }
        moves
    }

    /// The marks that an edge out of a copy contributes. Where counting starts anew, what counted on arrival does not
    /// count again; elsewhere it does no harm.
    fn marks_counted(&self, copy: CopyId, edge: &Edge) -> Bits {
        let own =
            if self.is_accepting(copy) { edge.marks.difference(&self.common[copy.0]) } else { edge.marks.clone() };
        own.union(&self.common[edge.target])
    }

    /// The reachable copies.
    fn build(&self, meter: &Meter) -> Result<Automaton, TooLarge> {
        let initial = (0, self.entry[0]);
        let mut numbers = BTreeMap::from([(initial, 0)]);
        let mut queue = VecDeque::from([initial]);
        let mut result = Automaton { marks: 1, states: Vec::new() };
        let mut edge_count = 0;
        while let Some(copy) = queue.pop_front() {
            let marks = if self.is_accepting(copy) { Bits::below(1) } else { Bits::default() };
            let mut edges = Vec::new();
            for (guard, target) in self.moves(copy) {
                let fresh = numbers.len();
                let target = *numbers.entry(target).or_insert_with(|| {
                    queue.push_back(target);
                    fresh
                });
                edges.push(Edge { target, marks: marks.clone(), guard });
            }
            edge_count += edges.len();
            meter.states(numbers.len())?;
            meter.edges(edge_count)?;
            result.states.push(guards::tidied(edges));
        }
        Ok(result)
    }
}

/// How far an edge with this guard and these marks can count on, and under which guards.
fn ways(goals: &[Goal<'_>], guard: &Cube, marks: &Bits, start: usize) -> Vec<(Cube, usize)> {
    let mut ways = Vec::new();
    let mut open = vec![(guard.clone(), start)];
    while let Some((guard, count)) = open.pop() {
        match goals.get(count) {
            Some(Goal::Mark(mark)) if marks.contains(*mark) => open.push((guard, count + 1)),
            Some(Goal::Letter(cubes)) if count == start || ways.len() + open.len() < MANY_WAYS => {
                let met: Vec<Cube> = cubes.iter().filter_map(|cube| guard.and(cube)).collect();
                let rest = met.iter().try_fold(guard, |rest, met| without(&rest, met));
                open.extend(met.into_iter().map(|met| (met, count + 1)));
                ways.extend(rest.map(|rest| (rest, count)));
            }
            _ => ways.push((guard, count)),
        }
    }
    ways
}

/// A guard cut to the letters where a goal is not met: none if there are none, uncut if the rest is not a cube.
fn without(guard: &Cube, met: &Cube) -> Option<Cube> {
    if guard.implies(met) { None } else { Some(guard.less(met).unwrap_or_else(|| guard.clone())) }
}
