//! Nested depth-first search for accepting cycles.
//!
//! Courcoubetis, Vardi, Wolper and Yannakakis (1992), with the early stop of Holzmann, Peled and Yannakakis (1996):
//! the first (blue) search goes through the graph; when it leaves an accepting node, a second (red) search looks for
//! a way from there back to the stack of the first. Both searches see every node at most once, because a red search
//! that failed proves that no accepting cycle passes what it saw. Meeting the stack rather than the accepting node
//! itself is enough: what is on the stack leads to it.
//!
//! Safety violations met on the way are reported as well, as Spin does.

use crate::budget::{Budget, Observer, Progress, StopReason, Watch};
use crate::graph::Graph;
use crate::outcome::{Collector, Found, FoundKind, Outcome, Stats};
use crate::space::Space;
use crate::stack::Stack;
use crate::store::StateId;

/// On the stack of the blue search.
const CYAN: u8 = 1;
/// Seen by a red search.
const RED: u8 = 2;

/// Searches for accepting cycles, and for bad states on the way.
pub fn nested_dfs<S: Space>(space: &mut S, budget: &Budget, observer: &mut impl Observer) -> Outcome<S::Step> {
    let mut search = Search {
        graph: Graph::new(space, budget.memory),
        budget,
        colours: Vec::new(),
        blue: Stack::new(),
        red: Stack::new(),
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
    colours: Vec<u8>,
    blue: Stack<S::Step>,
    /// Empty while no red search is under way.
    red: Stack<S::Step>,
    /// Filled anew for each node.
    steps: Vec<S::Step>,
    stats: Stats,
    collector: Collector<S::Step>,
    cut: bool,
}

impl<S: Space> Search<'_, S> {
    fn memory(&self) -> u64 {
        self.graph.memory() + self.blue.memory() + self.red.memory() + self.colours.capacity() as u64
    }

    fn progress(&self) -> Progress {
        Progress {
            stored: self.stats.stored,
            transitions: self.stats.transitions,
            depth: self.blue.len() as u64,
            memory: self.memory(),
            ..Progress::default()
        }
    }

    fn enough(&self) -> bool {
        !self.budget.all_errors && !self.collector.found.is_empty()
    }

    fn run(&mut self, observer: &mut impl Observer) -> StopReason {
        let mut watch = Watch::new(self.budget);
        let mut next = Vec::new();
        if let Err(violation) = self.graph.space.initial(&mut next) {
            self.collector.note(FoundKind::Step(violation), true, Vec::new);
            return StopReason::Violation;
        }
        if let Some(stop) = self.enter(&next) {
            return stop;
        }
        while !self.enough() {
            if self.blue.len() == 0 {
                break;
            }
            let Some((node, _, step)) = self.blue.follow() else {
                if let Some(stop) = self.leave(&mut watch, observer) {
                    return stop;
                }
                continue;
            };
            let violation = self.graph.take(node, &step, &mut next);
            self.stats.transitions += 1;
            if let Some(violation) = violation {
                let fatal = violation.is_fatal();
                self.note(FoundKind::Step(violation));
                if fatal {
                    continue;
                }
            }
            if let Some(stop) = self.enter(&next) {
                return stop;
            }
            if let Some(stop) = watch.tick(self.stats.transitions, observer, || self.progress()) {
                return stop;
            }
        }
        if self.enough() {
            return StopReason::Violation;
        }
        if self.cut { StopReason::Depth } else { StopReason::Complete }
    }

    /// Enters a node of the blue search if it is new. Says when the search must stop there.
    fn enter(&mut self, node: &[u8]) -> Option<StopReason> {
        let Ok((id, new)) = self.graph.insert(node) else { return Some(StopReason::Memory) };
        let counts = self.graph.space.counts(node);
        if !new {
            self.stats.matched += u64::from(counts);
            return None;
        }
        self.stats.stored += u64::from(counts);
        self.colours.push(CYAN);
        let info = self.graph.steps(id, &mut self.steps);
        if self.budget.depth.is_some_and(|limit| self.blue.len() as u32 >= limit) && !self.steps.is_empty() {
            self.cut = true;
            self.steps.clear();
        }
        self.blue.push(id, 0, &self.steps);
        self.stats.depth = self.stats.depth.max(self.blue.len() as u64);
        if info.claim_ended {
            self.note(FoundKind::ClaimEnd);
        }
        let mut broken = Vec::new();
        self.graph.space.look(node, &mut broken);
        broken.into_iter().for_each(|number| self.note(FoundKind::Watched(number)));
        if let Some(violation) = info.violation {
            self.note(FoundKind::Step(violation));
        }
        info.halted
    }

    fn note(&mut self, kind: FoundKind) {
        let blue = &self.blue;
        self.collector.note(kind, false, || blue.path());
    }

    /// Leaves the top node of the blue search, looking for a cycle first if it is accepting.
    fn leave(&mut self, watch: &mut Watch<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        let seed = self.blue.top().expect("not empty");
        if self.graph.is_accepting(seed)
            && let Some(stop) = self.red(seed, watch, observer)
        {
            return Some(stop);
        }
        self.colours[seed.0 as usize] &= !CYAN;
        self.blue.pop();
        None
    }

    /// Looks for a way from an accepting node back to the stack.
    fn red(&mut self, seed: StateId, watch: &mut Watch<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        self.redden(seed);
        let mut next = Vec::new();
        while self.red.len() > 0 {
            let Some((node, _, step)) = self.red.follow() else {
                self.red.pop();
                continue;
            };
            let violation = self.graph.take(node, &step, &mut next);
            self.stats.transitions += 1;
            if violation.is_some_and(|v| v.is_fatal()) {
                continue;
            }
            let Ok((id, new)) = self.graph.insert(&next) else { return Some(StopReason::Memory) };
            if new {
                // The blue search left everything below the seed behind, so only its depth limit hides nodes.
                self.colours.push(0);
            }
            let colour = self.colours[id.0 as usize];
            if colour & CYAN != 0 {
                self.cycle(id);
                self.red.clear();
                return None;
            }
            if colour & RED == 0 {
                self.colours[id.0 as usize] |= RED;
                self.redden(id);
            }
            if let Some(stop) = watch.tick(self.stats.transitions, observer, || self.progress()) {
                return Some(stop);
            }
        }
        None
    }

    /// Enters a node of the red search.
    fn redden(&mut self, node: StateId) {
        self.graph.steps(node, &mut self.steps);
        self.red.push(node, 0, &self.steps);
    }

    /// Notes the cycle: the blue stack up to the seed, then the red stack, which ends at a node of the blue stack.
    fn cycle(&mut self, meets: StateId) {
        if let Some(known) = self.collector.found.iter_mut().find(|f| f.kind == FoundKind::Cycle) {
            known.count += 1;
            return;
        }
        let mut start = self.blue.nodes().position(|n| n == meets).expect("cyan nodes are on the stack");
        let before = self.blue.len() - 1;
        let nodes: Vec<StateId> = self.blue.nodes().take(before).chain(self.red.nodes()).collect();
        let mut path: Vec<S::Step> = self.blue.path();
        path.truncate(before);
        path.extend(self.red.path());
        // A cycle is easier to follow, and to replay, from a state in which no atomic chain is under way.
        let settled = (start..nodes.len()).find(|&i| self.graph.counts(nodes[i]));
        if let Some(settled) = settled {
            path.extend_from_within(start..settled);
            start = settled;
        }
        let found = Found { kind: FoundKind::Cycle, path, cycle_start: Some(start), count: 1, shortest: false };
        self.collector.found.push(found);
    }
}
