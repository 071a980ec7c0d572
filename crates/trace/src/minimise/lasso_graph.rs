//! The part of a product that a search has kept, and the shortest lasso in it.
//!
//! A lasso enters its cycle at some node `x` and passes an accepting node `a`, so its length is
//! `d(root, x) + d(x, a) + d(a, x)`. For each accepting node in order of distance two more searches, forward and backward
//! along the kept edges, give the best `x`. Both cut off what cannot be shorter than the best so far: what lies on the
//! way from `x` to `a` is no farther from the root, by way of `a`, than the whole lasso, and what lies behind `a` is at
//! least as far as `a`.

use lurcher_search::Step;

use crate::minimise::budget::Meter;

/// Steps before and on the cycle.
pub(crate) struct Found {
    pub prefix: Vec<Step>,
    pub cycle: Vec<Step>,
}

pub(crate) struct Edge {
    pub from: u32,
    pub to: u32,
    pub step: Step,
}

/// Nodes by number, the first one the root.
#[derive(Default)]
pub(crate) struct Graph {
    /// Distance of each node from the root, as far as is known.
    pub distance: Vec<u32>,
    pub edges: Vec<Edge>,
    /// May a cycle begin here? Not inside an atomic chain.
    pub entry: Vec<bool>,
    pub accepting: Vec<u32>,
}

impl Graph {
    /// The shortest lasso with fewer than `bound` steps. The second value says whether nothing was left out.
    pub fn best_lasso(&self, bound: u32, meter: &mut Meter<'_>) -> (Option<Found>, bool) {
        let count = self.distance.len();
        let forward = Adjacency::new(count, &self.edges, |e| e.from);
        let backward = Adjacency::new(count, &self.edges, |e| e.to);
        let mut accepting = self.accepting.clone();
        accepting.sort_by_key(|&a| (self.distance[a as usize], a));
        let (mut best, mut total) = (None, bound);
        let (mut to, mut from) = (Reach::new(count), Reach::new(count));
        for a in accepting {
            let near = self.distance[a as usize];
            if near >= total {
                break;
            }
            if !meter.may_go_on() {
                return (best.map(|x| self.found(x, &forward, &backward)), false);
            }
            from.search(a, &self.edges, &forward, |e| e.to, |_, d| near + d < total, meter);
            to.search(a, &self.edges, &backward, |e| e.from, |n, d| self.distance[n as usize] + d < total, meter);
            for &x in &from.visited {
                // A cycle has an edge: at `a` itself the way there and back is not empty but a loop.
                let Some(there) = to.distance_of(x) else { continue };
                let around =
                    if x == a { self.loop_at(a, &to, &forward) } else { Some(from.distance[x as usize] + there) };
                let sum = around.map(|c| self.distance[x as usize] + c);
                if let Some(sum) = sum.filter(|&s| s < total && self.entry[x as usize]) {
                    total = sum;
                    best = Some((x, a));
                }
            }
        }
        (best.map(|x| self.found(x, &forward, &backward)), true)
    }

    /// The shortest way from a node around to itself, given the distances to it.
    fn loop_at(&self, a: u32, to: &Reach, forward: &Adjacency) -> Option<u32> {
        let ways = forward.of(a).iter().map(|&e| &self.edges[e as usize]);
        ways.filter_map(|e| Some(e.step.length() + to.distance_of(e.to)?)).min()
    }

    /// The steps of the lasso that enters its cycle at `x` and passes `a`.
    fn found(&self, (x, a): (u32, u32), forward: &Adjacency, backward: &Adjacency) -> Found {
        let whole = |from: u32| {
            let mut reach = Reach::new(self.distance.len());
            reach.search_all(from, &self.edges, forward);
            reach
        };
        let prefix = whole(0).way(x, &self.edges);
        let mut cycle = whole(x).way(a, &self.edges);
        let from_a = whole(a);
        if x == a {
            let back = backward.of(a).iter().map(|&e| (e, &self.edges[e as usize]));
            let ways = back.filter_map(|(e, edge)| Some((from_a.distance_of(edge.from)? + edge.step.length(), e)));
            let (_, last) = ways.min().expect("there is a loop");
            cycle.extend(from_a.way(self.edges[last as usize].from, &self.edges));
            cycle.push(self.edges[last as usize].step);
        } else {
            cycle.extend(from_a.way(x, &self.edges));
        }
        Found { prefix, cycle }
    }

    /// The steps of a shortest way from the root to a node.
    pub fn way_to(&self, node: u32) -> Vec<Step> {
        let forward = Adjacency::new(self.distance.len(), &self.edges, |e| e.from);
        let mut reach = Reach::new(self.distance.len());
        reach.search_all(0, &self.edges, &forward);
        reach.way(node, &self.edges)
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

/// Distances from one node, or to it, along kept edges.
struct Reach {
    root: u32,
    distance: Vec<u32>,
    by: Vec<u32>,
    visited: Vec<u32>,
}

/// No way is known.
pub(crate) const FAR: u32 = u32::MAX;

impl Reach {
    fn new(count: usize) -> Reach {
        Reach { root: 0, distance: vec![FAR; count], by: vec![FAR; count], visited: Vec::new() }
    }

    fn distance_of(&self, node: u32) -> Option<u32> {
        Some(self.distance[node as usize]).filter(|&d| d != FAR)
    }

    fn search_all(&mut self, root: u32, edges: &[Edge], adjacency: &Adjacency) {
        self.run(root, edges, adjacency, |e| e.to, |_, _| true);
    }

    fn search(
        &mut self,
        root: u32,
        edges: &[Edge],
        adjacency: &Adjacency,
        end: impl Fn(&Edge) -> u32,
        within: impl Fn(u32, u32) -> bool,
        meter: &mut Meter<'_>,
    ) {
        self.run(root, edges, adjacency, end, within);
        self.visited.iter().for_each(|_| meter.step());
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
            self.distance[node as usize] = FAR;
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
                    if known == FAR {
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
    fn way(&self, node: u32, edges: &[Edge]) -> Vec<Step> {
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
