//! Depth-first search for bad states.
//!
//! The stack holds the nodes on the way and their edges. A node is loaded from the store when the search comes back to
//! it, so the stack never copies states.
//!
//! A depth limit does not only cut: a node first met deep down and left alone there may be met again nearer to the
//! start, with room below it. So the smallest depth of each node is kept while there is a limit, and a node met at a
//! smaller depth is expanded again.

use crate::budget::{Budget, Observer, Progress, StopReason, Watch};
use crate::graph::Graph;
use crate::outcome::{Collector, FoundKind, Outcome, Stats};
use crate::space::{Edge, NodeInfo, Space};
use crate::stack::Stack;
use crate::store::StateId;

/// Searches depth first, in the order of the space's edges.
pub fn dfs<S: Space>(space: &mut S, budget: &Budget, observer: &mut impl Observer) -> Outcome<S::Step> {
    let mut search = Search {
        graph: Graph::new(space, budget.memory),
        budget,
        depths: Vec::new(),
        stack: Stack::new(),
        steps: Vec::new(),
        stats: Stats::default(),
        collector: Collector::new(),
        cut: false,
    };
    let stop = search.run(observer);
    search.stats.memory = search.memory();
    Outcome { stop, found: search.collector.found, stats: search.stats }
}

struct Search<'a, S: Space> {
    graph: Graph<'a, S>,
    budget: &'a Budget,
    /// Smallest depth of each node, with a depth limit only.
    depths: Vec<u32>,
    stack: Stack<S::Step>,
    /// Filled anew for each node.
    steps: Vec<S::Step>,
    stats: Stats,
    collector: Collector<S::Step>,
    /// The depth limit kept something from being looked at.
    cut: bool,
}

impl<S: Space> Search<'_, S> {
    fn memory(&self) -> u64 {
        self.graph.memory() + self.stack.memory() + self.depths.capacity() as u64 * 4
    }

    fn run(&mut self, observer: &mut impl Observer) -> StopReason {
        let mut watch = Watch::new(self.budget);
        let mut next = Vec::new();
        if let Err(violation) = self.graph.space.initial(&mut next) {
            self.collector.note(FoundKind::Step(violation), true, Vec::new);
            return StopReason::Violation;
        }
        if let Some(stop) = self.visit(&next, 0) {
            return stop;
        }
        while self.stack.len() > 0 {
            let Some((node, depth, step)) = self.stack.follow() else {
                self.stack.pop();
                continue;
            };
            let depth = depth + step.length();
            let violation = self.graph.take(node, &step, &mut next);
            self.stats.transitions += 1;
            if let Some(violation) = violation {
                let fatal = violation.is_fatal();
                self.note(FoundKind::Step(violation));
                if self.enough() {
                    return StopReason::Violation;
                }
                if fatal {
                    continue;
                }
            }
            if let Some(stop) = self.visit(&next, depth) {
                return stop;
            }
            let progress = || Progress {
                stored: self.stats.stored,
                transitions: self.stats.transitions,
                depth: self.stack.len() as u64,
                memory: self.memory(),
                ..Progress::default()
            };
            if let Some(stop) = watch.tick(self.stats.transitions, observer, progress) {
                return stop;
            }
        }
        if self.cut { StopReason::Depth } else { StopReason::Complete }
    }

    fn enough(&self) -> bool {
        !self.budget.all_errors && !self.collector.found.is_empty()
    }

    /// Enters a node if it is new. Says when the search must stop there.
    fn visit(&mut self, node: &[u8], depth: u32) -> Option<StopReason> {
        let Ok((id, new)) = self.graph.insert(node) else { return Some(StopReason::Memory) };
        let counts = self.graph.space.counts(node);
        if new && counts {
            self.stats.stored += 1;
        }
        if !new && !self.nearer(id, depth) {
            self.stats.matched += u64::from(counts);
            return None;
        }
        if self.budget.depth.is_some() {
            self.depths.resize(self.graph.len(), u32::MAX);
            self.depths[id.0 as usize] = depth;
        }
        let info = self.graph.steps(id, &mut self.steps);
        let halted = info.halted;
        self.stats.depth = self.stats.depth.max(u64::from(depth));
        let deep = self.budget.depth.is_some_and(|limit| depth >= limit);
        if deep && !self.steps.is_empty() && !self.graph.space.is_root(node) {
            self.cut = true;
            self.steps.clear();
        }
        self.stack.push(id, depth, &self.steps);
        if new {
            let mut broken = Vec::new();
            self.graph.space.look(node, &mut broken);
            broken.into_iter().for_each(|number| self.note(FoundKind::Watched(number)));
        }
        self.judge(info);
        if self.enough() { Some(StopReason::Violation) } else { halted }
    }

    fn nearer(&self, id: StateId, depth: u32) -> bool {
        self.budget.depth.is_some() && depth < self.depths[id.0 as usize]
    }

    fn judge(&mut self, info: NodeInfo) {
        for (found, kind) in [
            (info.deadlock, FoundKind::Deadlock),
            (info.invariant_broken, FoundKind::Invariant),
            (info.claim_ended, FoundKind::ClaimEnd),
        ] {
            if found {
                self.note(kind);
            }
        }
        if let Some(violation) = info.violation {
            self.note(FoundKind::Step(violation));
        }
    }

    /// Notes a violation at the end of the current path.
    fn note(&mut self, kind: FoundKind) {
        let stack = &self.stack;
        self.collector.note(kind, false, || stack.path());
    }
}
