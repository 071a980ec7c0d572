//! The part of a product that a search has stored, and the shortest lasso in it.
//!
//! A lasso enters its cycle at a node `x` and passes an accepting node `a`, so its length is
//! `d(root, x) + d(x, a) + d(a, x)`. For each accepting node in order of distance, a forward and a backward search along the
//! stored edges give the best `x`. Both prune what cannot be shorter than the best lasso so far: a node between `x` and `a`
//! is no farther from the root, by way of `a`, than the whole lasso, and a node after `a` is at least as far as `a`.

use lurcher_search::Step;
use lurcher_system::Path;

use crate::minimise::budget::Meter;

pub(super) struct Edge {
    pub from: u32,
    pub to: u32,
    pub step: Step,
}

/// Nodes by number; node 0 is the root.
#[derive(Default)]
pub(super) struct Graph {
    /// The known distance of each node from the root.
    pub distance: Vec<u32>,
    pub edges: Vec<Edge>,
    /// Whether a cycle may begin at a node: not inside an atomic chain.
    pub entry: Vec<bool>,
    pub accepting: Vec<u32>,
}

impl Graph {
    /// The shortest lasso with fewer than `bound` steps. Also returns whether the search was exhaustive.
    pub fn shortest_lasso(&self, bound: u32, meter: &mut Meter<'_>) -> (Option<Path<Step>>, bool) {
        let count = self.distance.len();
        let forward = Adjacency::new(count, &self.edges, |e| e.from);
        let backward = Adjacency::new(count, &self.edges, |e| e.to);
        let mut accepting = self.accepting.clone();
        accepting.sort_by_key(|&a| (self.distance[a as usize], a));
        let (mut best, mut total, mut exhaustive) = (None, bound, true);
        let (mut to, mut from) = (ShortestPaths::new(count), ShortestPaths::new(count));
        for a in accepting {
            let near = self.distance[a as usize];
            if near >= total {
                break;
            }
            if !meter.may_go_on() {
                exhaustive = false;
                break;
            }
            from.run(a, &self.edges, &forward, |e| e.to, |_, d| near + d < total);
            to.run(a, &self.edges, &backward, |e| e.from, |n, d| self.distance[n as usize] + d < total);
            meter.steps(from.visited.len() + to.visited.len());
            for &x in &from.visited {
                let Some(there) = to.distance_of(x) else { continue };
                let around = match x == a {
                    true => self.loop_at(a, &to, &forward),
                    false => Some(from.distance[x as usize] + there),
                };
                let sum = around.map(|c| self.distance[x as usize] + c);
                if let Some(sum) = sum.filter(|&s| s < total && self.entry[x as usize]) {
                    total = sum;
                    best = Some((x, a));
                }
            }
        }
        (best.map(|(x, a)| self.lasso(x, a, &forward, &backward)), exhaustive)
    }

    /// The length of the shortest non-empty path from a node to itself, given the distances to it.
    fn loop_at(&self, a: u32, to: &ShortestPaths, forward: &Adjacency) -> Option<u32> {
        let edges = forward.of(a).iter().map(|&e| &self.edges[e as usize]);
        edges.filter_map(|e| Some(e.step.length() + to.distance_of(e.to)?)).min()
    }

    /// The lasso that enters its cycle at `x` and passes `a`.
    fn lasso(&self, x: u32, a: u32, forward: &Adjacency, backward: &Adjacency) -> Path<Step> {
        let mut steps = self.paths_from(0, forward).path_to(x, &self.edges);
        let cycle_start = Some(steps.len());
        steps.extend(self.paths_from(x, forward).path_to(a, &self.edges));
        let from_a = self.paths_from(a, forward);
        if x == a {
            let edges = backward.of(a).iter().map(|&e| (e, &self.edges[e as usize]));
            let loops = edges.filter_map(|(e, edge)| Some((from_a.distance_of(edge.from)? + edge.step.length(), e)));
            let (_, last) = loops.min().expect("there is a loop");
            let last = &self.edges[last as usize];
            steps.extend(from_a.path_to(last.from, &self.edges));
            steps.push(last.step);
        } else {
            steps.extend(from_a.path_to(x, &self.edges));
        }
        Path { steps, cycle_start }
    }

    fn paths_from(&self, root: u32, forward: &Adjacency) -> ShortestPaths {
        let mut paths = ShortestPaths::new(self.distance.len());
        paths.run(root, &self.edges, forward, |e| e.to, |_, _| true);
        paths
    }

    /// The steps of a shortest path from the root to a node.
    pub fn path_to(&self, node: u32) -> Vec<Step> {
        let forward = Adjacency::new(self.distance.len(), &self.edges, |e| e.from);
        self.paths_from(0, &forward).path_to(node, &self.edges)
    }
}

/// The edges of each node.
struct Adjacency {
    start: Vec<u32>,
    edges: Vec<u32>,
}

impl Adjacency {
    fn new(count: usize, edges: &[Edge], end: impl Fn(&Edge) -> u32) -> Adjacency {
        let mut start = vec![0; count + 1];
        edges.iter().for_each(|e| start[end(e) as usize + 1] += 1);
        (0..count).for_each(|n| start[n + 1] += start[n]);
        let mut place = start.clone();
        let mut sorted = vec![0; edges.len()];
        for (index, edge) in edges.iter().enumerate() {
            let at = &mut place[end(edge) as usize];
            sorted[*at as usize] = index as u32;
            *at += 1;
        }
        Adjacency { start, edges: sorted }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.edges[self.start[node as usize] as usize..self.start[node as usize + 1] as usize]
    }
}

/// Dijkstra's algorithm with a list for each distance, along the edges or against them.
struct ShortestPaths {
    root: u32,
    distance: Vec<u32>,
    by: Vec<u32>,
    visited: Vec<u32>,
}

/// No path is known.
pub(super) const UNREACHED: u32 = u32::MAX;

impl ShortestPaths {
    fn new(count: usize) -> ShortestPaths {
        let unreached = || vec![UNREACHED; count];
        ShortestPaths { root: 0, distance: unreached(), by: unreached(), visited: Vec::new() }
    }

    fn distance_of(&self, node: u32) -> Option<u32> {
        Some(self.distance[node as usize]).filter(|&d| d != UNREACHED)
    }

    fn run(
        &mut self,
        root: u32,
        edges: &[Edge],
        adjacency: &Adjacency,
        end: impl Fn(&Edge) -> u32,
        within: impl Fn(u32, u32) -> bool,
    ) {
        for &node in &self.visited {
            self.distance[node as usize] = UNREACHED;
        }
        self.visited.clear();
        self.root = root;
        self.distance[root as usize] = 0;
        self.visited.push(root);
        let mut open: Vec<Vec<u32>> = vec![vec![root]];
        let mut at = 0;
        while at < open.len() {
            let Some(node) = open[at].pop() else {
                at += 1;
                continue;
            };
            if self.distance[node as usize] != at as u32 {
                continue;
            }
            for &edge in adjacency.of(node) {
                let (next, there) = (end(&edges[edge as usize]), at as u32 + edges[edge as usize].step.length());
                let known = self.distance[next as usize];
                if there < known && within(next, there) {
                    if known == UNREACHED {
                        self.visited.push(next);
                    }
                    self.distance[next as usize] = there;
                    self.by[next as usize] = edge;
                    open.resize_with(open.len().max(there as usize + 1), Vec::new);
                    open[there as usize].push(next);
                }
            }
        }
    }

    /// The steps from the root of a forward search to a node.
    fn path_to(&self, node: u32, edges: &[Edge]) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = node;
        while at != self.root {
            let edge = &edges[self.by[at as usize] as usize];
            steps.push(edge.step);
            at = edge.from;
        }
        steps.reverse();
        steps
    }
}
