//! The strongly connected components of claims, classified by their cycles (Edelkamp, Leue and Lluch-Lafuente 2003,
//! section 7.1).
//!
//! A claim moves along with the model, so every cycle of the product projects to a closed walk of the claim, inside one of
//! its components. A closed walk without an accepting location contains a cycle without one. So the class of the component
//! decides about the cycles of the product: if it is non-accepting, none is accepting; if it is fully accepting, all of them
//! are. Fully accepting means that *every* cycle has an accepting location, not that every location is accepting: the
//! component has no cycle without its accepting locations.

use crate::analysis::ControlFlow;
use crate::automaton::Buchi;
use crate::graph::{Components, components};
use crate::model::{LocationId, ProcessType};

/// The class of a strongly connected component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Acceptance {
    /// No accepting location lies on a cycle (N).
    NonAccepting,
    /// Every cycle has an accepting location (F).
    FullyAccepting,
    /// Some cycles have an accepting location, others have none (P).
    PartiallyAccepting,
}

impl Acceptance {
    /// The letter of the paper.
    pub fn letter(self) -> char {
        match self {
            Acceptance::NonAccepting => 'N',
            Acceptance::FullyAccepting => 'F',
            Acceptance::PartiallyAccepting => 'P',
        }
    }
}

/// The components of a claim.
#[derive(Clone, Debug)]
pub struct ClaimComponents {
    components: Components,
    /// By component. A location without a cycle is a non-accepting component.
    acceptance: Vec<Acceptance>,
    /// By component: it can be reached from the initial location.
    reachable: Vec<bool>,
    ends: bool,
}

/// How many components of each class a claim has. Only those count that are reachable and have a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComponentCounts {
    /// N.
    pub non_accepting: usize,
    /// F.
    pub fully_accepting: usize,
    /// P.
    pub partially_accepting: usize,
    /// Locations on no cycle.
    pub transient: usize,
    /// The claim has an end (S): a finite prefix of a run can violate the property.
    pub ends: bool,
}

impl ClaimComponents {
    /// The components of a claim of a process model.
    pub fn of_claim(claim: &ProcessType) -> Self {
        let flow = ControlFlow::new(claim, None);
        let locations = (0..claim.locations.len()).map(|l| LocationId(l as u16));
        let targets = |l| flow.outgoing(l).filter_map(|e| e.target).map(|t| t.0 as usize).collect();
        let successors: Vec<Vec<usize>> = locations.map(targets).collect();
        Self::new(&successors, claim.initial.0 as usize, |l| claim.locations[l].accept, |l| claim.locations[l].end)
    }

    /// The components of an automaton.
    pub fn of_automaton(automaton: &Buchi) -> Self {
        let targets = |edges: &[crate::BuchiEdge]| edges.iter().map(|e| e.target).collect();
        let successors: Vec<Vec<usize>> = automaton.states.iter().map(|s| targets(&s.edges)).collect();
        Self::new(&successors, 0, |s| automaton.states[s].accepting, |_| false)
    }

    fn new(
        successors: &[Vec<usize>],
        initial: usize,
        is_accepting: impl Fn(usize) -> bool,
        is_end: impl Fn(usize) -> bool,
    ) -> Self {
        let found = components(successors);
        let has_cycle_without = cyclic_without(successors, &found, &is_accepting);
        let mut accepting = vec![false; found.count()];
        let mut reachable = vec![false; found.count()];
        for (location, &component) in found.of.iter().enumerate() {
            accepting[component] |= is_accepting(location);
        }
        let reached = reach(successors, initial);
        reached.iter().for_each(|&location| reachable[found.of[location]] = true);
        let class =
            |component: usize| match (found.cyclic[component] && accepting[component], has_cycle_without[component]) {
                (false, _) => Acceptance::NonAccepting,
                (true, false) => Acceptance::FullyAccepting,
                (true, true) => Acceptance::PartiallyAccepting,
            };
        let acceptance = (0..found.count()).map(class).collect();
        ClaimComponents { acceptance, reachable, ends: reached.into_iter().any(is_end), components: found }
    }

    /// The number of the component of a location.
    pub fn component(&self, location: usize) -> usize {
        self.components.of[location]
    }

    /// The class of the component of a location.
    pub fn acceptance(&self, location: usize) -> Acceptance {
        self.acceptance[self.component(location)]
    }

    /// How many components there are of each class.
    pub fn counts(&self) -> ComponentCounts {
        let mut counts = ComponentCounts { ends: self.ends, ..ComponentCounts::default() };
        for component in (0..self.acceptance.len()).filter(|&c| self.reachable[c]) {
            let count = match self.acceptance[component] {
                _ if !self.components.cyclic[component] => &mut counts.transient,
                Acceptance::NonAccepting => &mut counts.non_accepting,
                Acceptance::FullyAccepting => &mut counts.fully_accepting,
                Acceptance::PartiallyAccepting => &mut counts.partially_accepting,
            };
            *count += 1;
        }
        counts
    }
}

impl ComponentCounts {
    /// The letters of the classes that occur, as in table 9 of the paper: S, N, P and F.
    pub fn letters(&self) -> String {
        let classes = [
            ('S', self.ends),
            ('N', self.non_accepting > 0),
            ('P', self.partially_accepting > 0),
            ('F', self.fully_accepting > 0),
        ];
        let letters: Vec<String> = classes.iter().filter(|(_, occurs)| *occurs).map(|(l, _)| l.to_string()).collect();
        letters.join(",")
    }
}

/// By component: whether it has a cycle without accepting locations.
fn cyclic_without(successors: &[Vec<usize>], found: &Components, is_accepting: &impl Fn(usize) -> bool) -> Vec<bool> {
    let rest: Vec<Vec<usize>> = successors
        .iter()
        .enumerate()
        .map(|(from, targets)| {
            let stays = |&&to: &&usize| found.inside(from, to) && !is_accepting(from) && !is_accepting(to);
            targets.iter().filter(stays).copied().collect()
        })
        .collect();
    let inner = components(&rest);
    let mut has_cycle = vec![false; found.count()];
    for (location, &component) in found.of.iter().enumerate() {
        has_cycle[component] |= inner.cyclic[inner.of[location]];
    }
    has_cycle
}

/// The locations that can be reached from one.
fn reach(successors: &[Vec<usize>], initial: usize) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut reached: Vec<usize> = (initial < successors.len()).then_some(initial).into_iter().collect();
    reached.iter().for_each(|&l| seen[l] = true);
    let mut next = 0;
    while let Some(&from) = reached.get(next) {
        next += 1;
        for &to in &successors[from] {
            if !std::mem::replace(&mut seen[to], true) {
                reached.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCATIONS: usize = 5;

    /// All simple cycles, by brute force: each as a set of locations.
    fn cycles(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
        fn extend(successors: &[Vec<usize>], path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
            for &to in &successors[*path.last().expect("a path has a start")] {
                if to == path[0] {
                    found.push(path.clone());
                } else if to > path[0] && !path.contains(&to) {
                    path.push(to);
                    extend(successors, path, found);
                    path.pop();
                }
            }
        }
        let mut found = Vec::new();
        (0..successors.len()).for_each(|start| extend(successors, &mut vec![start], &mut found));
        found
    }

    /// The class of a location, by its definition over cycles; none for a location on no cycle.
    fn by_definition(successors: &[Vec<usize>], accepting: &[bool], location: usize) -> Option<Acceptance> {
        let reaches = |from, to| reach(successors, from).contains(&to);
        let all = cycles(successors);
        let mut inside = all.iter().filter(|c| reaches(location, c[0]) && reaches(c[0], location)).peekable();
        inside.peek()?;
        let (with, without): (Vec<_>, Vec<_>) = inside.partition(|c| c.iter().any(|&l| accepting[l]));
        Some(match (with.is_empty(), without.is_empty()) {
            (true, _) => Acceptance::NonAccepting,
            (false, true) => Acceptance::FullyAccepting,
            (false, false) => Acceptance::PartiallyAccepting,
        })
    }

    #[test]
    fn classes_are_those_of_the_definition_over_cycles() {
        // A linear congruential generator (Knuth) draws automata with sparse edges.
        let mut random = 1_u64;
        let mut draw = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let mut seen = [0; 4];
        for _ in 0..20_000 {
            let mut successors = vec![Vec::new(); LOCATIONS];
            for _ in 0..draw(9) {
                let (from, to) = (draw(LOCATIONS as u64) as usize, draw(LOCATIONS as u64) as usize);
                successors[from].push(to);
            }
            let accepting: Vec<bool> = (0..LOCATIONS).map(|_| draw(3) == 0).collect();
            let claim = ClaimComponents::new(&successors, 0, |l| accepting[l], |_| false);
            for location in 0..LOCATIONS {
                let expected = by_definition(&successors, &accepting, location);
                let found = claim.acceptance(location);
                assert_eq!(found, expected.unwrap_or(Acceptance::NonAccepting), "{successors:?} {accepting:?}");
                seen[expected.map_or(3, |class| class as usize)] += 1;
            }
        }
        assert!(seen.iter().all(|&n| n > 2000), "{seen:?}");
    }

    #[test]
    fn only_reachable_components_with_a_cycle_count() {
        // 0 → 1 ⟲, 1 → 2 (accepting) ⟲; 3 is unreachable, 4 the end.
        let successors = [vec![1], vec![1, 2], vec![2, 4], vec![3], vec![]];
        let claim = ClaimComponents::new(&successors, 0, |l| l == 2 || l == 3, |l| l == 4);
        let counts = claim.counts();
        assert_eq!((counts.non_accepting, counts.fully_accepting, counts.partially_accepting), (1, 1, 0));
        assert_eq!((counts.transient, counts.ends, counts.letters().as_str()), (2, true, "S,N,F"));
    }
}
