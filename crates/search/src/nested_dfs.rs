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
use crate::outcome::{Collector, Found, FoundKind, Outcome, Stats};
use crate::space::Space;
use crate::store::{StateId, Store};

/// On the stack of the blue search.
const CYAN: u8 = 1;
/// Seen by a red search.
const RED: u8 = 2;

struct Frame<E> {
    node: StateId,
    steps: Vec<E>,
    next: usize,
}

/// Searches for accepting cycles, and for bad states on the way.
pub fn nested_dfs<S: Space>(space: &mut S, budget: &Budget, observer: &mut impl Observer) -> Outcome<S::Step> {
    let store = Store::new(space.cut(), budget.memory);
    let mut search = Search {
        space,
        budget,
        store,
        colours: Vec::new(),
        blue: Vec::new(),
        step_bytes: 0,
        stats: Stats::default(),
        collector: Collector::new(),
        cut: false,
    };
    let stop = search.run(observer);
    search.stats.memory = search.memory();
    Outcome { stop, found: search.collector.found, stats: search.stats }
}

struct Search<'a, S: Space> {
    space: &'a mut S,
    budget: &'a Budget,
    store: Store,
    colours: Vec<u8>,
    blue: Vec<Frame<S::Step>>,
    /// Bytes of the edges that the blue stack holds.
    step_bytes: usize,
    stats: Stats,
    collector: Collector<S::Step>,
    cut: bool,
}

impl<S: Space> Search<'_, S> {
    fn memory(&self) -> u64 {
        let stack = self.blue.capacity() * std::mem::size_of::<Frame<S::Step>>() + self.step_bytes;
        self.store.memory() + self.space.memory() + (self.colours.capacity() + stack) as u64
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
        if let Err(violation) = self.space.initial(&mut next) {
            self.collector.note(FoundKind::Step(violation), true, Vec::new);
            return StopReason::Violation;
        }
        if let Some(stop) = self.enter(&next) {
            return stop;
        }
        while !self.enough() {
            let Some(frame) = self.blue.last_mut() else { break };
            let Some(&step) = frame.steps.get(frame.next) else {
                if let Some(stop) = self.leave(&mut watch, observer) {
                    return stop;
                }
                continue;
            };
            frame.next += 1;
            let violation = self.space.take(self.store.load(frame.node), &step, &mut next);
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
        let Ok((id, new)) = self.store.insert(node) else { return Some(StopReason::Memory) };
        let counts = self.space.counts(node);
        if !new {
            self.stats.matched += u64::from(counts);
            return None;
        }
        self.stats.stored += u64::from(counts);
        self.colours.push(CYAN);
        let mut steps = Vec::new();
        let info = self.space.steps(node, &mut steps);
        if self.budget.depth.is_some_and(|limit| self.blue.len() as u32 >= limit) && !steps.is_empty() {
            self.cut = true;
            steps.clear();
        }
        steps.shrink_to_fit();
        self.step_bytes += step_bytes(&steps);
        self.blue.push(Frame { node: id, steps, next: 0 });
        self.stats.depth = self.stats.depth.max(self.blue.len() as u64);
        if info.claim_ended {
            self.note(FoundKind::ClaimEnd);
        }
        let mut broken = Vec::new();
        self.space.look(node, &mut broken);
        broken.into_iter().for_each(|number| self.note(FoundKind::Watched(number)));
        if let Some(violation) = info.violation {
            self.note(FoundKind::Step(violation));
        }
        info.halted
    }

    fn note(&mut self, kind: FoundKind) {
        let blue = &self.blue;
        self.collector.note(kind, false, || path(blue));
    }

    /// Leaves the top node of the blue search, looking for a cycle first if it is accepting.
    fn leave(&mut self, watch: &mut Watch<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        let seed = self.blue.last().expect("not empty").node;
        if self.space.is_accepting(self.store.load(seed))
            && let Some(stop) = self.red(seed, watch, observer)
        {
            return Some(stop);
        }
        self.colours[seed.0 as usize] &= !CYAN;
        let left = self.blue.pop().expect("not empty");
        self.step_bytes -= step_bytes(&left.steps);
        None
    }

    /// Looks for a way from an accepting node back to the stack.
    fn red(&mut self, seed: StateId, watch: &mut Watch<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        let mut stack = vec![self.expand(seed)];
        let mut next = Vec::new();
        while let Some(frame) = stack.last_mut() {
            let Some(&step) = frame.steps.get(frame.next) else {
                stack.pop();
                continue;
            };
            frame.next += 1;
            let violation = self.space.take(self.store.load(frame.node), &step, &mut next);
            self.stats.transitions += 1;
            if violation.is_some_and(|v| v.is_fatal()) {
                continue;
            }
            let Ok((id, new)) = self.store.insert(&next) else { return Some(StopReason::Memory) };
            if new {
                // The blue search left everything below the seed behind, so only its depth limit hides nodes.
                self.colours.push(0);
            }
            let colour = self.colours[id.0 as usize];
            if colour & CYAN != 0 {
                self.cycle(&stack, id);
                return None;
            }
            if colour & RED == 0 {
                self.colours[id.0 as usize] |= RED;
                let frame = self.expand(id);
                stack.push(frame);
            }
            if let Some(stop) = watch.tick(self.stats.transitions, observer, || self.progress()) {
                return Some(stop);
            }
        }
        None
    }

    fn expand(&mut self, node: StateId) -> Frame<S::Step> {
        let mut steps = Vec::new();
        self.space.steps(self.store.load(node), &mut steps);
        Frame { node, steps, next: 0 }
    }

    /// Notes the cycle: the blue stack up to the seed, then the red stack, which ends at a node of the blue stack.
    fn cycle(&mut self, red: &[Frame<S::Step>], meets: StateId) {
        if let Some(known) = self.collector.found.iter_mut().find(|f| f.kind == FoundKind::Cycle) {
            known.count += 1;
            return;
        }
        let mut start = self.blue.iter().position(|f| f.node == meets).expect("cyan nodes are on the stack");
        let frames: Vec<&Frame<S::Step>> = self.blue[..self.blue.len() - 1].iter().chain(red).collect();
        let mut path: Vec<S::Step> = frames.iter().map(|f| f.steps[f.next - 1]).collect();
        // A cycle is easier to follow, and to replay, from a state in which no atomic chain is under way.
        let settled = (start..frames.len()).find(|&i| self.space.counts(self.store.load(frames[i].node)));
        if let Some(settled) = settled {
            path.extend_from_within(start..settled);
            start = settled;
        }
        let found = Found { kind: FoundKind::Cycle, path, cycle_start: Some(start), count: 1, shortest: false };
        self.collector.found.push(found);
    }
}

/// What a list of edges takes, the allocator's own share included.
fn step_bytes<E>(steps: &[E]) -> usize {
    std::mem::size_of_val(steps) + 16
}

/// The edges that are being followed.
fn path<E: Copy>(stack: &[Frame<E>]) -> Vec<E> {
    stack.iter().filter(|f| f.next > 0).map(|f| f.steps[f.next - 1]).collect()
}
