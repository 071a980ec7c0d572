//! Depth-first search for bad states.
//!
//! The stack holds one frame for each node on the way: its id, the edges it has, and the next one to follow. A node
//! is loaded from the store each time one of its edges is followed, so the stack never copies states.
//!
//! A depth limit does not only cut: a node first met deep down and left alone there may be met again nearer to the
//! start, with room below it. So the smallest depth of each node is kept while there is a limit, and a node met at a
//! smaller depth is expanded again.

use crate::budget::{Budget, Observer, Progress, StopReason, Watch};
use crate::outcome::{Collector, FoundKind, Outcome, Stats};
use crate::space::{Edge, NodeInfo, Space};
use crate::store::{StateId, Store};

struct Frame<E> {
    node: StateId,
    steps: Vec<E>,
    next: usize,
    depth: u32,
}

/// Searches depth first, in the order of the space's edges.
pub fn dfs<S: Space>(space: &mut S, budget: &Budget, observer: &mut impl Observer) -> Outcome<S::Step> {
    let store = Store::new(space.cut(), budget.memory);
    let mut search = Search {
        space,
        budget,
        store,
        depths: Vec::new(),
        stack: Vec::new(),
        stats: Stats::default(),
        collector: Collector::new(),
        cut: false,
        stack_bytes: 0,
    };
    let stop = search.run(observer);
    search.stats.memory = search.memory();
    Outcome { stop, found: search.collector.found, stats: search.stats }
}

struct Search<'a, S: Space> {
    space: &'a mut S,
    budget: &'a Budget,
    store: Store,
    /// Smallest depth of each node, with a depth limit only.
    depths: Vec<u32>,
    stack: Vec<Frame<S::Step>>,
    stats: Stats,
    collector: Collector<S::Step>,
    /// The depth limit kept something from being looked at.
    cut: bool,
    stack_bytes: u64,
}

impl<S: Space> Search<'_, S> {
    fn memory(&self) -> u64 {
        self.store.memory() + self.space.memory() + self.stack_bytes + self.depths.capacity() as u64 * 4
    }

    fn run(&mut self, observer: &mut impl Observer) -> StopReason {
        let mut watch = Watch::new(self.budget);
        let mut next = Vec::new();
        if let Err(violation) = self.space.initial(&mut next) {
            self.collector.note(FoundKind::Step(violation), true, Vec::new);
            return StopReason::Violation;
        }
        if let Some(stop) = self.visit(&next, 0) {
            return stop;
        }
        while let Some(frame) = self.stack.last_mut() {
            let Some(&step) = frame.steps.get(frame.next) else {
                let frame = self.stack.pop().expect("not empty");
                self.stack_bytes -= frame_bytes(&frame);
                continue;
            };
            frame.next += 1;
            let depth = frame.depth + step.length();
            let violation = self.space.take(self.store.load(frame.node), &step, &mut next);
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
        let Ok((id, new)) = self.store.insert(node) else { return Some(StopReason::Memory) };
        let counts = self.space.counts(node);
        if new && counts {
            self.stats.stored += 1;
        }
        if !new && !self.nearer(id, depth) {
            self.stats.matched += u64::from(counts);
            return None;
        }
        if self.budget.depth.is_some() {
            self.depths.resize(self.store.len(), u32::MAX);
            self.depths[id.0 as usize] = depth;
        }
        let mut steps = Vec::new();
        let info = self.space.steps(node, &mut steps);
        let halted = info.halted;
        self.stats.depth = self.stats.depth.max(u64::from(depth));
        if self.budget.depth.is_some_and(|limit| depth >= limit) && !steps.is_empty() && !self.space.is_root(node) {
            self.cut = true;
            steps.clear();
        }
        steps.shrink_to_fit();
        let frame = Frame { node: id, steps, next: 0, depth };
        self.stack_bytes += frame_bytes(&frame);
        self.stack.push(frame);
        if new {
            let mut broken = Vec::new();
            self.space.look(node, &mut broken);
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
        self.collector.note(kind, false, || path(stack));
    }
}

fn frame_bytes<E>(frame: &Frame<E>) -> u64 {
    (std::mem::size_of::<Frame<E>>() + frame.steps.capacity() * std::mem::size_of::<E>()) as u64
}

/// The edges that are being followed.
fn path<E: Copy>(stack: &[Frame<E>]) -> Vec<E> {
    stack.iter().filter(|f| f.next > 0).map(|f| f.steps[f.next - 1]).collect()
}
