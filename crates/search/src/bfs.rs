//! Breadth-first search for bad states: the first violation found has a shortest path.
//!
//! Distance counts steps as traces do, and a rendezvous is two, so the frontier is a row of three layers rather than
//! a queue: nodes at distance d lead to distance d, d + 1 or d + 2. A node first reached over a rendezvous may still
//! be reached by a shorter way while it waits; then it moves to the nearer layer, and the old entry is skipped.
//! A violation found by a step is held back until no shorter one can come.
//!
//! Of each node only its parent is kept, and what is left of its distance when all that can be asked is whether another
//! is smaller. The steps of a path are found again by looking at the nodes along it once more.

use crate::budget::{Budget, Observer, Progress, StopReason, Watch};
use crate::graph::Graph;
use crate::outcome::{Collector, FoundKind, Outcome, Stats};
use crate::space::{Edge, NodeInfo, Space};
use crate::store::StateId;

/// Searches breadth first.
pub fn bfs<S: Space>(space: &mut S, budget: &Budget, observer: &mut impl Observer) -> Outcome<S::Step> {
    let mut search = Search {
        graph: Graph::new(space, budget.memory),
        budget,
        parents: Vec::new(),
        marks: Vec::new(),
        layers: Default::default(),
        waiting: Vec::new(),
        stats: Stats::default(),
        collector: Collector::new(),
        broken: Vec::new(),
        cut: false,
    };
    let stop = search.run(observer);
    search.stats.memory = search.memory();
    Outcome { stop, found: search.collector.found, stats: search.stats }
}

/// The parent of the initial node.
const NONE: u32 = u32::MAX;
/// How far a node is: its distance modulo four is enough, because those that wait are less than four apart.
const DISTANCE: u8 = 3;
/// Its edges have been followed.
const EXPANDED: u8 = 4;

struct Search<'a, S: Space> {
    graph: Graph<'a, S>,
    budget: &'a Budget,
    /// By node: the one it was reached from.
    parents: Vec<u32>,
    /// By node: [`DISTANCE`] and [`EXPANDED`].
    marks: Vec<u8>,
    /// Nodes waiting at distance d, d + 1 and d + 2.
    layers: [Vec<StateId>; 3],
    /// Violations by a step that ends at d + 1 or d + 2: distance, node before, the step, what.
    waiting: Vec<(u32, StateId, S::Step, FoundKind)>,
    stats: Stats,
    collector: Collector<S::Step>,
    /// Filled anew for each node.
    broken: Vec<u32>,
    cut: bool,
}

impl<S: Space> Search<'_, S> {
    fn memory(&self) -> u64 {
        let layers: usize = self.layers.iter().map(|l| l.capacity() * 4).sum();
        let reached = self.parents.capacity() * 4 + self.marks.capacity();
        self.graph.memory() + (reached + layers) as u64
    }

    fn run(&mut self, observer: &mut impl Observer) -> StopReason {
        let mut watch = Watch::new(self.budget);
        let mut node = Vec::new();
        if let Err(violation) = self.graph.space.initial(&mut node) {
            self.collector.note(FoundKind::Step(violation), true, Vec::new);
            return StopReason::Violation;
        }
        if let Some(stop) = self.reach(&node, 0, 0, NONE) {
            return stop;
        }
        let mut distance = 0;
        let mut steps = Vec::new();
        while self.layers.iter().any(|l| !l.is_empty()) || !self.waiting.is_empty() {
            self.release(distance);
            if self.enough() {
                return StopReason::Violation;
            }
            let mut next = 0;
            while let Some(&id) = self.layers[0].get(next) {
                next += 1;
                // One that was reached by a shorter way later was expanded then.
                let mark = &mut self.marks[id.0 as usize];
                if *mark & EXPANDED != 0 {
                    continue;
                }
                *mark |= EXPANDED;
                if let Some(stop) = self.expand(id, distance, &mut steps, &mut node) {
                    return stop;
                }
                let progress = || Progress {
                    stored: self.stats.stored,
                    transitions: self.stats.transitions,
                    depth: u64::from(distance),
                    memory: self.memory(),
                    ..Progress::default()
                };
                if let Some(stop) = watch.tick(self.stats.transitions, observer, progress) {
                    return stop;
                }
            }
            self.layers[0].clear();
            self.layers.rotate_left(1);
            distance += 1;
        }
        if self.cut { StopReason::Depth } else { StopReason::Complete }
    }

    fn enough(&self) -> bool {
        !self.budget.all_errors && !self.collector.found.is_empty()
    }

    /// Reports the violations whose last step ends at this distance.
    fn release(&mut self, distance: u32) {
        let (due, later) = std::mem::take(&mut self.waiting).into_iter().partition(|w| w.0 <= distance);
        self.waiting = later;
        for (_, node, step, kind) in due {
            self.note(kind, node, Some(step));
        }
    }

    fn expand(
        &mut self,
        id: StateId,
        distance: u32,
        steps: &mut Vec<S::Step>,
        next: &mut Vec<u8>,
    ) -> Option<StopReason> {
        let info = self.graph.steps(id, steps);
        let halted = info.halted;
        self.judge(info, id);
        if self.enough() {
            return Some(StopReason::Violation);
        }
        if halted.is_some() {
            return halted;
        }
        self.stats.depth = self.stats.depth.max(u64::from(distance));
        if self.budget.depth.is_some_and(|limit| distance >= limit) && self.is_cut(id, steps) {
            self.cut = true;
            return None;
        }
        for step in steps.iter() {
            let violation = self.graph.take(id, step, next);
            self.stats.transitions += 1;
            let there = distance + step.length();
            if let Some(violation) = violation {
                let fatal = violation.is_fatal();
                let end = distance + step.length_with(&violation);
                self.waiting.push((end, id, *step, FoundKind::Step(violation)));
                if fatal {
                    continue;
                }
            }
            let node = std::mem::take(next);
            let full = self.reach(&node, distance, there, id.0);
            *next = node;
            if full.is_some() {
                return full;
            }
        }
        None
    }

    /// Notes that a node at one distance leads to one at another.
    fn reach(&mut self, node: &[u8], from: u32, distance: u32, parent: u32) -> Option<StopReason> {
        let Ok((id, new)) = self.graph.insert(node) else { return Some(StopReason::Memory) };
        let counts = self.graph.space.counts(node);
        let mark = distance as u8 & DISTANCE;
        if new {
            self.stats.stored += u64::from(counts);
            if self.parents.len() == self.parents.capacity() {
                // A little at a time: doubling would overshoot the limit.
                let more = (self.parents.len() / 8).max(1024);
                self.parents.reserve_exact(more);
                self.marks.reserve_exact(more);
            }
            self.parents.push(parent);
            self.marks.push(mark);
            self.graph.space.look(node, &mut self.broken);
            for number in std::mem::take(&mut self.broken) {
                self.note(FoundKind::Watched(number), id, None);
            }
            if self.enough() {
                return Some(StopReason::Violation);
            }
        } else {
            self.stats.matched += u64::from(counts);
            let known = &mut self.marks[id.0 as usize];
            // One that waits is at most two steps from here.
            let behind = |mark: u8| mark.wrapping_sub(from as u8) & DISTANCE;
            if *known & EXPANDED != 0 || behind(*known) <= behind(mark) {
                return None;
            }
            *known = mark;
            self.parents[id.0 as usize] = parent;
        }
        self.layers[(distance - from) as usize].push(id);
        None
    }

    /// Would a depth limit at this node hide something?
    fn is_cut(&mut self, id: StateId, steps: &[S::Step]) -> bool {
        !steps.is_empty() && !self.graph.is_root(id)
    }

    fn judge(&mut self, info: NodeInfo, id: StateId) {
        let kinds = [
            (info.deadlock, FoundKind::Deadlock),
            (info.invariant_broken, FoundKind::Invariant),
            (info.claim_ended, FoundKind::ClaimEnd),
        ];
        for (found, kind) in kinds {
            if found {
                self.note(kind, id, None);
            }
        }
        if let Some(violation) = info.violation {
            self.note(FoundKind::Step(violation), id, None);
        }
    }

    fn note(&mut self, kind: FoundKind, node: StateId, last: Option<S::Step>) {
        let (graph, parents) = (&mut self.graph, &self.parents);
        self.collector.note(kind, true, || {
            let mut path: Vec<S::Step> = last.into_iter().collect();
            let mut to = node;
            while parents[to.0 as usize] != NONE {
                let from = StateId(parents[to.0 as usize]);
                path.push(graph.step_between(from, to));
                to = from;
            }
            path.reverse();
            path
        });
    }
}
