//! Searches on many threads against searches on one thread, and against brute force.

use lurcher_ir::analysis::{Acceptance, ClaimComponents};
use lurcher_ir::{Buchi, BuchiEdge, BuchiState};
use lurcher_system::{Path, Violation};
use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64;

use super::nested_dfs::search;
use super::*;
use crate::budget::{Budget, StopReason};
use crate::outcome::FoundKind;
use crate::space::{ClaimComponent, Edge, NodeInfo, Space};
use crate::test_size::many;
use crate::{AStarNested, Nesting, Outcome, Ties, nested_dfs};

/// An edge: its target and its length in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct To(u32, u32);

impl Edge for To {
    fn length(&self) -> u32 {
        self.1
    }

    fn length_with(&self, _: &Violation) -> u32 {
        self.1
    }
}

/// A graph with numbers as nodes.
#[derive(Clone)]
struct Graph {
    edges: Vec<Vec<To>>,
    accepting: Vec<bool>,
    /// The component of each node; nothing is known of it without.
    components: Vec<ClaimComponent>,
    stuck: bool,
}

impl Graph {
    /// A random graph: a tree, so that all nodes are reachable, with more edges.
    fn random(seed: u64, nodes: u32, more: u32, longest: u32) -> Graph {
        let mut draws = Pcg64::seed_from_u64(seed);
        let mut below = |bound: u32| (draws.next_u64() % u64::from(bound)) as u32;
        let mut edges = vec![Vec::new(); nodes as usize];
        for to in 1..nodes {
            let from = to - 1 - below(to.min(1 + to / 2));
            edges[from as usize].push(To(to, 1 + below(longest)));
        }
        for _ in 0..more {
            let (from, to) = (below(nodes), below(nodes));
            edges[from as usize].push(To(to, 1 + below(longest)));
        }
        let accepting = (0..nodes).map(|_| below(8) == 0).collect();
        Graph { edges, accepting, components: Vec::new(), stuck: true }
    }

    /// Only edges to greater numbers: no cycle.
    fn without_cycles(mut self) -> Graph {
        for (from, edges) in self.edges.iter_mut().enumerate() {
            edges.retain(|e| e.0 as usize > from);
        }
        self
    }

    /// With its own strongly connected components as those of a claim. With `atomic`, those with accepting nodes count as fully
    /// accepting although some cycles are not, as if the claim stood still there.
    fn classified(mut self, atomic: bool) -> Graph {
        let edges = |from: &Vec<To>| from.iter().map(|e| BuchiEdge { guard: vec![], target: e.0 as usize }).collect();
        let states = self.edges.iter().zip(&self.accepting);
        let states = states.map(|(from, &accepting)| BuchiState { accepting, edges: edges(from) }).collect();
        let claim = ClaimComponents::of_automaton(&Buchi { states });
        let component = |node| {
            let acceptance = match claim.acceptance(node) {
                Acceptance::PartiallyAccepting if atomic => Acceptance::FullyAccepting,
                acceptance => acceptance,
            };
            ClaimComponent { number: claim.component(node) as u16, acceptance }
        };
        self.components = (0..self.edges.len()).map(component).collect();
        self
    }

    /// Makes sure that a path is a lasso of the graph with an accepting cycle.
    fn assert_accepting_lasso(&self, path: &Path<To>) {
        let mut nodes = vec![0];
        for step in &path.steps {
            assert!(self.edges[*nodes.last().expect("a start")].contains(step));
            nodes.push(step.0 as usize);
        }
        let start = path.cycle_start.expect("a lasso");
        assert_eq!(nodes[start], *nodes.last().expect("an end"));
        assert!(nodes[start..].len() > 1 && nodes[start..].iter().any(|&n| self.accepting[n]));
    }

    /// Whether a path leads from an accepting node back to it.
    fn has_accepting_cycle(&self) -> bool {
        let back_to = |seed: usize| {
            let mut seen = vec![false; self.edges.len()];
            let mut work: Vec<usize> = self.edges[seed].iter().map(|e| e.0 as usize).collect();
            while let Some(node) = work.pop() {
                if node == seed {
                    return true;
                }
                if !std::mem::replace(&mut seen[node], true) {
                    work.extend(self.edges[node].iter().map(|e| e.0 as usize));
                }
            }
            false
        };
        (0..self.edges.len()).any(|node| self.accepting[node] && back_to(node))
    }
}

fn number(node: &[u8]) -> usize {
    u32::from_le_bytes([node[0], node[1], node[2], node[3]]) as usize
}

impl Space for Graph {
    type Step = To;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        node.clear();
        node.extend_from_slice(&0u32.to_le_bytes());
        Ok(())
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<To>) -> NodeInfo {
        steps.clear();
        steps.extend_from_slice(&self.edges[number(node)]);
        NodeInfo { deadlock: self.stuck && steps.is_empty(), ..NodeInfo::default() }
    }

    fn take(&mut self, _: &[u8], step: &To, next: &mut Vec<u8>) -> Option<Violation> {
        next.clear();
        next.extend_from_slice(&step.0.to_le_bytes());
        None
    }

    fn counts(&self, node: &[u8]) -> bool {
        !number(node).is_multiple_of(7)
    }

    fn is_accepting(&mut self, node: &[u8]) -> bool {
        self.accepting[number(node)]
    }

    fn component(&self, node: &[u8]) -> ClaimComponent {
        self.components.get(number(node)).copied().unwrap_or(ClaimComponent::ONLY)
    }
}

/// Makes sure that two searches found the same after as much work.
fn assert_same(many: &Outcome<To>, one: &Outcome<To>) {
    assert_eq!(many.stop, one.stop);
    assert_eq!(many.found.len(), one.found.len());
    for (a, b) in many.found.iter().zip(&one.found) {
        assert_eq!((&a.kind, &a.path, a.count, a.shortest), (&b.kind, &b.path, b.count, b.shortest));
    }
    assert_eq!((many.stats.stored, many.stats.matched), (one.stats.stored, one.stats.matched));
    assert_eq!((many.stats.transitions, many.stats.depth), (one.stats.transitions, one.stats.depth));
}

fn on(threads: usize, graph: &Graph, budget: &Budget) -> Outcome<To> {
    bfs_on(&mut vec![graph.clone(); threads], budget, &mut ())
}

#[test]
fn breadth_first_search_has_the_same_result_on_any_number_of_threads() {
    for seed in 0..6 {
        let graph = Graph::random(seed, many(40_000) as u32, many(60_000) as u32, 1 + (seed % 2) as u32);
        for all_errors in [false, true] {
            let budget = Budget { all_errors, ..Budget::default() };
            let one = on(1, &graph, &budget);
            assert!(!one.found.is_empty());
            for threads in [2, 4] {
                assert_same(&on(threads, &graph, &budget), &one);
            }
        }
    }
}

#[test]
fn a_limit_on_states_has_the_same_result_on_any_number_of_threads() {
    let nodes = many(40_000);
    let (mut found, mut limited) = (0, 0);
    for seed in 0..4 {
        let mut graph = Graph::random(seed, nodes as u32, many(20_000) as u32, 1 + (seed % 2) as u32);
        // Few dead ends, and none near the initial node.
        let dead_ends = graph.edges.iter_mut().enumerate().filter(|(_, edges)| edges.is_empty());
        dead_ends.filter(|(node, _)| node % 400 != 0).for_each(|(_, edges)| edges.push(To(0, 1)));
        for part in 1..12 {
            let budget = Budget { states: Some(nodes as u64 * part / 60), ..Budget::default() };
            let one = on(1, &graph, &budget);
            found += u32::from(!one.found.is_empty());
            limited += u32::from(one.stop == StopReason::States);
            for threads in [2, 4] {
                let many = on(threads, &graph, &budget);
                assert_eq!((many.stop, many.found.len()), (one.stop, one.found.len()));
                for (a, b) in many.found.iter().zip(&one.found) {
                    assert_eq!((&a.kind, &a.path), (&b.kind, &b.path));
                }
            }
        }
    }
    assert!(found > 0 && limited > 0, "{found} found, {limited} limited");
}

#[test]
fn breadth_first_search_finds_a_shortest_path() {
    for seed in 0..many(40) as u64 {
        let graph = Graph::random(seed, 3000, 3000, 2);
        let mut distance = vec![u32::MAX; 3000];
        let mut open = std::collections::BTreeSet::from([(0, 0)]);
        distance[0] = 0;
        while let Some((d, node)) = open.pop_first() {
            for edge in &graph.edges[node] {
                if d + edge.1 < distance[edge.0 as usize] {
                    distance[edge.0 as usize] = d + edge.1;
                    open.insert((d + edge.1, edge.0 as usize));
                }
            }
        }
        let nearest = (0..3000).filter(|&n| graph.edges[n].is_empty()).map(|n| distance[n]).min();
        let outcome = on(3, &graph, &Budget::default());
        let found = outcome.found.first().map(|f| f.path.steps.iter().map(|e| e.1).sum::<u32>());
        assert_eq!(found, nearest);
        assert!(outcome.found.iter().all(|f| f.shortest && f.kind == FoundKind::Deadlock));
    }
}

#[test]
fn breadth_first_search_on_threads_respects_its_limits() {
    let mut graph = Graph::random(1, many(200_000) as u32, many(300_000) as u32, 1);
    graph.stuck = false;
    for threads in [1, 2, 4] {
        let budget = Budget::default().with_memory(Some(many(1 << 20) as u64));
        assert_eq!(on(threads, &graph, &budget).stop, StopReason::Memory);
        assert_eq!(on(threads, &graph, &Budget { depth: Some(3), ..Budget::default() }).stop, StopReason::Depth);
        let complete = on(threads, &graph, &Budget::default());
        assert_eq!(complete.stop, StopReason::Complete);
        assert_eq!(complete.stats.stored, (0..many(200_000)).filter(|n| n % 7 != 0).count() as u64);
    }
}

#[test]
fn threads_find_an_accepting_cycle_if_there_is_one() {
    let (mut cycles, rounds) = (0, many(300).max(12));
    for seed in 0..rounds as u64 {
        let nodes = [4, 10, 60, 400][seed as usize % 4];
        let graph = Graph::random(seed, nodes, [0, 1, 3, nodes / 2][seed as usize / 4 % 4], 1);
        let graph = if seed % 5 == 0 { graph.without_cycles() } else { graph };
        let expected = graph.has_accepting_cycle();
        cycles += usize::from(expected);
        let answer = if expected { StopReason::Violation } else { StopReason::Complete };
        for nesting in [Nesting::Everywhere, Nesting::PartialComponents] {
            let graph = graph.clone().classified(false);
            let one = nested_dfs(&mut graph.clone(), nesting, &Budget::default(), &mut ());
            assert_eq!(one.stop, answer);
            for threads in [1, 2, 4] {
                let (stop, stats) = search(&mut vec![graph.clone(); threads], nesting, &Budget::default(), &mut ());
                assert_eq!(stop, answer, "seed {seed}, {threads} threads");
                assert!(expected || stats.stored == one.stats.stored);
            }
        }
    }
    assert!((rounds / 8..rounds * 4 / 5).contains(&cycles), "{cycles} of {rounds} have a cycle");
}

#[test]
fn a_search_that_uses_components_finds_an_accepting_cycle_if_there_is_one() {
    let (mut cycles, mut saved, rounds) = (0, 0, many(4000).max(100));
    for seed in 0..rounds as u64 {
        let nodes = [4, 6, 10, 40][seed as usize % 4];
        let mut graph = Graph::random(seed, nodes, [1, 3, nodes / 2, nodes][seed as usize / 4 % 4], 1);
        // Many accepting nodes make fully accepting components.
        graph.accepting.iter_mut().enumerate().for_each(|(n, a)| *a |= (n as u64 + seed).is_multiple_of(3));
        let expected = graph.has_accepting_cycle();
        cycles += usize::from(expected);
        for atomic in [false, true] {
            let graph = graph.clone().classified(atomic);
            let everywhere = nested_dfs(&mut graph.clone(), Nesting::Everywhere, &Budget::default(), &mut ());
            let partial = nested_dfs(&mut graph.clone(), Nesting::PartialComponents, &Budget::default(), &mut ());
            let directed = AStarNested { weight: 100, ties: Ties::Oldest };
            let directed = directed.run(&mut graph.clone(), &Budget::default(), &mut ());
            for outcome in [&everywhere, &partial, &directed] {
                assert_eq!(outcome.stop == StopReason::Violation, expected, "seed {seed}, atomic {atomic}");
                assert!(expected || outcome.stats.stored == everywhere.stats.stored);
                outcome.found.iter().for_each(|found| graph.assert_accepting_lasso(&found.path));
            }
            assert!(partial.stats.expanded <= everywhere.stats.expanded, "seed {seed}, atomic {atomic}");
            saved += everywhere.stats.expanded - partial.stats.expanded;
        }
    }
    assert!((rounds / 8..rounds * 7 / 8).contains(&cycles), "{cycles} of {rounds} have a cycle");
    assert!(saved > rounds as u64 / 10, "{saved} expansions saved");
}

#[test]
fn many_threads_report_the_cycle_that_one_thread_finds() {
    let mut graph = Graph::random(3, many(60_000) as u32, 0, 1);
    graph.accepting.fill(false);
    let whole = nested_dfs_on(&mut vec![graph.clone(); 3], Nesting::Everywhere, &Budget::default(), &mut ());
    assert_eq!(whole.stop, StopReason::Complete);
    assert_eq!(
        whole.stats.stored,
        nested_dfs(&mut graph.clone(), Nesting::Everywhere, &Budget::default(), &mut ()).stats.stored
    );
    let last = (0..many(60_000)).rev().find(|&n| graph.edges[n].is_empty()).expect("a leaf");
    graph.edges[last].push(To(last as u32, 1));
    graph.accepting[last] = true;
    let one = nested_dfs(&mut graph.clone(), Nesting::Everywhere, &Budget::default(), &mut ());
    let many = nested_dfs_on(&mut vec![graph.clone(); 3], Nesting::Everywhere, &Budget::default(), &mut ());
    assert_eq!(one.found.len(), 1);
    assert_eq!(many.found[0].path, one.found[0].path);
}
