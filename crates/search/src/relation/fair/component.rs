//! The search for a fair strongly connected set.

use crate::budget::{Budget, BudgetMeter, Observer, Progress, StopReason};
use crate::outcome::Stats;

use super::graph::{Graph, has};

/// The index of a node that is in no fair set.
const DONE: u32 = u32::MAX;

/// A search for a fair strongly connected set.
pub(super) struct Components<'b, O> {
    pub graph: Graph,
    /// By node: 0 before it is entered, its number in the order of the search while it is open, then `DONE`.
    pub index: Vec<u32>,
    pub stats: Stats,
    entered: u32,
    meter: BudgetMeter<'b>,
    observer: &'b mut O,
    stack_bytes: u64,
}

struct Frame {
    node: u32,
    successors: Vec<u32>,
    next: usize,
}

/// A set that is strongly connected so far: the open nodes from a position on.
struct Set {
    /// The number of its first node.
    index: u32,
    /// The position of its first node among the open ones.
    open: usize,
    /// An edge closes a cycle in it.
    cyclic: bool,
}

/// The stacks of one search.
#[derive(Default)]
struct Stacks {
    frames: Vec<Frame>,
    open: Vec<u32>,
    sets: Vec<Set>,
    /// A row for each set.
    marks: Vec<u64>,
}

impl<'b, O: Observer> Components<'b, O> {
    pub fn new(graph: Graph, budget: &'b Budget, observer: &'b mut O) -> Self {
        let meter = BudgetMeter::new(budget);
        let (index, stats) = (Vec::new(), Stats::default());
        Components { graph, index, stats, entered: 0, meter, observer, stack_bytes: 0 }
    }

    /// A fair set of reachable nodes, if there is one.
    pub fn search(&mut self) -> Result<Option<Vec<u32>>, StopReason> {
        for node in self.graph.initial()? {
            if let Some(set) = self.from(node)? {
                return Ok(Some(set));
            }
        }
        Ok(None)
    }

    fn index(&mut self, node: u32) -> &mut u32 {
        if self.index.len() <= node as usize {
            self.index.resize(self.graph.len().max(node as usize + 1), 0);
        }
        &mut self.index[node as usize]
    }

    /// Searches the nodes that are reachable from a node and not yet entered.
    fn from(&mut self, node: u32) -> Result<Option<Vec<u32>>, StopReason> {
        let mut stacks = Stacks::default();
        if *self.index(node) != 0 {
            return Ok(None);
        }
        self.enter(node, &mut stacks)?;
        while let Some(frame) = stacks.frames.last_mut() {
            let Some(&target) = frame.successors.get(frame.next) else {
                if let Some(set) = self.leave(&mut stacks)? {
                    return Ok(Some(set));
                }
                continue;
            };
            frame.next += 1;
            self.stats.transitions += 1;
            match *self.index(target) {
                0 => self.enter(target, &mut stacks)?,
                DONE => self.stats.matched += 1,
                index => {
                    self.stats.matched += 1;
                    if self.close(index, &mut stacks) {
                        let first = stacks.sets.last().expect("a set was closed").open;
                        return Ok(Some(stacks.open.split_off(first)));
                    }
                }
            }
            let progress = || Progress {
                stored: self.stats.stored,
                transitions: self.stats.transitions,
                depth: stacks.frames.len() as u64,
                memory: self.graph.memory() + self.index.capacity() as u64 * 4 + self.stack_bytes,
                ..Progress::default()
            };
            if let Some(stop) = self.meter.tick(self.stats.transitions, self.observer, progress) {
                return Err(stop);
            }
        }
        Ok(None)
    }

    fn enter(&mut self, node: u32, stacks: &mut Stacks) -> Result<(), StopReason> {
        self.entered += 1;
        *self.index(node) = self.entered;
        let new = self.graph.enter(node, &mut stacks.marks)?;
        self.stats.stored += u64::from(new);
        stacks.sets.push(Set { index: self.entered, open: stacks.open.len(), cyclic: false });
        stacks.open.push(node);
        let successors = self.graph.successors(node)?;
        self.stack_bytes += frame_bytes(&successors);
        stacks.frames.push(Frame { node, successors, next: 0 });
        self.stats.depth = self.stats.depth.max(stacks.frames.len() as u64 - 1);
        Ok(())
    }

    /// Merges the open nodes from a node on into one set, after an edge back to it. Returns whether the set is fair.
    fn close(&mut self, index: u32, stacks: &mut Stacks) -> bool {
        let words = self.graph.words();
        while stacks.sets.last().expect("the node is open").index > index {
            stacks.sets.pop();
            let upper = stacks.marks.len() - words;
            for word in upper..stacks.marks.len() {
                stacks.marks[word - words] |= stacks.marks[word];
            }
            stacks.marks.truncate(upper);
        }
        stacks.sets.last_mut().expect("the node is open").cyclic = true;
        let marks = &stacks.marks[stacks.marks.len() - words..];
        self.graph.is_just(marks) && self.graph.unanswered(marks).next().is_none()
    }

    /// Leaves the last node, and the set whose first node it is.
    fn leave(&mut self, stacks: &mut Stacks) -> Result<Option<Vec<u32>>, StopReason> {
        let frame = stacks.frames.pop().expect("there is a node to leave");
        self.stack_bytes -= frame_bytes(&frame.successors);
        let set = stacks.sets.last().expect("every open node is in a set");
        if *self.index(frame.node) != set.index {
            return Ok(None);
        }
        let nodes = stacks.open.split_off(set.open);
        let marks = stacks.marks.split_off(stacks.marks.len() - self.graph.words());
        let cyclic = stacks.sets.pop().is_some_and(|s| s.cyclic);
        nodes.iter().for_each(|&n| self.index[n as usize] = DONE);
        if !cyclic || !self.graph.is_just(&marks) {
            return Ok(None);
        }
        self.without_requests(&nodes, &marks)
    }

    /// Searches a set again without the nodes in which the first term of a violated compassion pair is true. Every node
    /// outside that its edges lead to is done, so the search stays inside.
    fn without_requests(&mut self, nodes: &[u32], marks: &[u64]) -> Result<Option<Vec<u32>>, StopReason> {
        let violated: Vec<usize> = self.graph.unanswered(marks).collect();
        let mut kept = Vec::new();
        let mut own = Vec::new();
        for &node in nodes {
            own.clear();
            self.graph.marks(node, &mut own);
            if !violated.iter().any(|&p| has(&own, p)) {
                kept.push(node);
            }
        }
        kept.iter().for_each(|&n| self.index[n as usize] = 0);
        let stored = self.stats.stored;
        let mut found = None;
        for node in kept {
            if found.is_none() {
                found = self.from(node)?;
            }
        }
        self.stats.stored = stored;
        Ok(found)
    }
}

fn frame_bytes(successors: &[u32]) -> u64 {
    (std::mem::size_of::<Frame>() + std::mem::size_of_val(successors)) as u64
}
