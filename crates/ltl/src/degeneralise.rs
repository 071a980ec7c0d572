//! Degeneralisation: from many acceptance marks on edges to one on states.
//!
//! The standard construction has a copy of the automaton for each mark that is awaited, in turn, and an accepting copy for
//! the moment when all have been met. Here each component is counted separately, since only the marks of the component
//! where a run stays matter (compare Babiak et al., *Compositional approach to suspension and other improvements to LTL
//! translation*, SPIN 2013):
//!
//! * a component without accepting cycles has one copy, and so has one where every cycle is accepting;
//! * only marks that are missing on some edge of the component are counted;
//! * marks common to all edges of a state count on arrival, so `[](p -> <>q)` needs two states and not three;
//! * a run may enter a component at any count; it enters in a bottom component of the copies, and copies outside it are
//!   not built.
//!
//! Suspended fairness conjuncts `[]<>p` are counted after the marks: an edge meets `p` on the letters where `p` holds.

use indexmap::IndexSet;

use crate::automaton::{Automaton, Edge};
use crate::bits::Bits;
use crate::cube::Cube;
use crate::guards;
use crate::limits::{Meter, TooLarge};
use crate::normalise::accepting_components;
use lurcher_ir::graph::{Components, components};

/// A disjunction of cubes that must hold infinitely often.
pub(crate) type Fairness = Vec<Cube>;

/// The Büchi automaton ([`Acceptance::States`](crate::automaton::Acceptance)) of the fair words that the automaton accepts.
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

/// A goal that a run must meet infinitely often.
#[derive(Clone, Copy)]
enum Goal<'a> {
    Mark(usize),
    Letter(&'a Fairness),
}

/// A copy of a state: the number of goals of its component that have been met.
type CopyId = (usize, usize);

struct Counting<'a> {
    automaton: &'a Automaton,
    components: Components,
    /// The goals of each component; none if it has no accepting cycle.
    goals: Vec<Option<Vec<Goal<'a>>>>,
    /// The marks common to the edges of a state inside its component.
    common: Vec<Bits>,
    /// The count at which each state is entered from another component.
    entry: Vec<usize>,
}

fn goals<'a>(automaton: &Automaton, fairness: &'a [Fairness], components: &Components) -> Vec<Option<Vec<Goal<'a>>>> {
    let mut everywhere = vec![automaton.all_marks(); components.count()];
    for (component, edge) in automaton.inner_edges(components) {
        everywhere[component] = everywhere[component].intersection(&edge.marks);
    }
    let accepting = accepting_components(automaton, components);
    let goals = everywhere.iter().zip(accepting).map(|(everywhere, accepting)| {
        let marks = (0..automaton.marks).filter(|&mark| !everywhere.contains(mark)).map(Goal::Mark);
        accepting.then(|| marks.chain(fairness.iter().map(Goal::Letter)).collect())
    });
    goals.collect()
}

/// If an edge has more advances, fairness goals are met one at a time.
const MANY_ADVANCES: usize = 16;

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

    /// Finds the bottom component of the copies of a component, given by its first state.
    fn choose_entries(&mut self, first: usize, meter: &Meter) -> Result<(), TooLarge> {
        let mut copies: IndexSet<CopyId> = IndexSet::from([(first, 0)]);
        let mut successors = Vec::new();
        let mut edges = 0;
        while successors.len() < copies.len() {
            let (state, _) = copies[successors.len()];
            let mut targets = Vec::new();
            for (_, copy) in self.moves(copies[successors.len()]) {
                if self.components.inside(state, copy.0) {
                    targets.push(copies.insert_full(copy).0);
                }
            }
            edges += targets.len();
            meter.states(copies.len())?;
            meter.edges(edges)?;
            targets.dedup();
            successors.push(targets);
        }
        let sinks = components(&successors);
        let in_sink = |&number: &usize| sinks.of[number] == 0;
        let mut bottom: Vec<CopyId> = (0..copies.len()).filter(in_sink).map(|number| copies[number]).collect();
        bottom.sort_unstable();
        for (state, count) in bottom.into_iter().rev() {
            self.entry[state] = count;
        }
        Ok(())
    }

    /// The moves of a copy. Moves to other components lead to their entries.
    fn moves(&self, (state, count): CopyId) -> Vec<(Cube, CopyId)> {
        let mut moves = Vec::new();
        for edge in &self.automaton.states[state] {
            match self.goals_of(state) {
                Some(goals) if self.components.inside(state, edge.target) => {
                    let start = if count == goals.len() { 0 } else { count };
                    let marks = self.marks_counted((state, count), edge);
                    let advances = advances(goals, &edge.guard, &marks, start);
                    moves.extend(advances.into_iter().map(|(guard, count)| (guard, (edge.target, count))));
                }
                _ => moves.push((edge.guard.clone(), (edge.target, self.entry[edge.target]))),
            }
        }
        moves
    }

    /// The marks that an edge of a copy contributes. In an accepting copy, marks that counted on arrival do not count
    /// again.
    fn marks_counted(&self, copy: CopyId, edge: &Edge) -> Bits {
        let own =
            if self.is_accepting(copy) { edge.marks.difference(&self.common[copy.0]) } else { edge.marks.clone() };
        own.union(&self.common[edge.target])
    }

    /// Builds the reachable copies.
    fn build(&self, meter: &Meter) -> Result<Automaton, TooLarge> {
        let mut copies: IndexSet<CopyId> = IndexSet::from([(0, self.entry[0])]);
        let mut result = Automaton { marks: 1, states: Vec::new() };
        let mut edge_count = 0;
        while let Some(&copy) = copies.get_index(result.states.len()) {
            let marks = if self.is_accepting(copy) { Bits::below(1) } else { Bits::default() };
            let mut edges = Vec::new();
            for (guard, target) in self.moves(copy) {
                let (target, _) = copies.insert_full(target);
                edges.push(Edge { target, marks: marks.clone(), guard });
            }
            edge_count += edges.len();
            meter.states(copies.len())?;
            meter.edges(edge_count)?;
            result.states.push(guards::merge_parallel(edges));
        }
        Ok(result)
    }
}

/// The counts that an edge with this guard and these marks can advance to, and the guards.
fn advances(goals: &[Goal<'_>], guard: &Cube, marks: &Bits, start: usize) -> Vec<(Cube, usize)> {
    let mut advances = Vec::new();
    let mut open = vec![(guard.clone(), start)];
    while let Some((guard, count)) = open.pop() {
        match goals.get(count) {
            Some(Goal::Mark(mark)) if marks.contains(*mark) => open.push((guard, count + 1)),
            Some(Goal::Letter(cubes)) if count == start || advances.len() + open.len() < MANY_ADVANCES => {
                let met: Vec<Cube> = cubes.iter().filter_map(|cube| guard.and(cube)).collect();
                let rest = met.iter().try_fold(guard, |rest, met| without(&rest, met));
                open.extend(met.into_iter().map(|met| (met, count + 1)));
                advances.extend(rest.map(|rest| (rest, count)));
            }
            _ => advances.push((guard, count)),
        }
    }
    advances
}

/// A guard without the letters that meet a goal: none if it is empty, unchanged if the rest is not a cube.
fn without(guard: &Cube, met: &Cube) -> Option<Cube> {
    if guard.implies(met) { None } else { Some(guard.less(met).unwrap_or_else(|| guard.clone())) }
}
