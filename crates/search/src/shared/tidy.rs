//! A path in an order that is easier to follow.
//!
//! Of many shortest paths to a node, a breadth-first search on many threads keeps one by hash: processes take turns in it for
//! no reason. Neighbouring steps of two processes are exchanged where the run stays the same otherwise: lower processes
//! first, and then so that the steps of one process stand together. A last step that is a violation stays where it is.

use crate::space::{Edge, Space};

/// Longer paths stay as they are.
const LONGEST: usize = 2000;
/// Exchanges that are tried.
const MOST_TRIES: usize = 20_000;

/// The same steps, those of one process together as far as that leads through the same last nodes.
pub(super) fn tidied<S: Space>(space: &mut S, path: Vec<S::Step>) -> Vec<S::Step> {
    if path.len() > LONGEST || path.iter().any(|step| step.mover().is_none()) {
        return path;
    }
    match Tidying::new(space, path) {
        Ok(mut tidying) => {
            tidying.run();
            tidying.path
        }
        Err(path) => path,
    }
}

struct Tidying<'s, S: Space> {
    space: &'s mut S,
    path: Vec<S::Step>,
    /// The first node, and the one after each step that is no violation.
    nodes: Vec<Vec<u8>>,
    tries: usize,
}

impl<'s, S: Space> Tidying<'s, S> {
    fn new(space: &'s mut S, path: Vec<S::Step>) -> Result<Self, Vec<S::Step>> {
        let mut first = Vec::new();
        if space.initial(&mut first).is_err() {
            return Err(path);
        }
        let mut nodes = vec![first];
        for (index, step) in path.iter().enumerate() {
            let mut next = Vec::new();
            if space.take(nodes.last().expect("there is a first"), step, &mut next).is_none() {
                nodes.push(next);
            } else if index + 1 < path.len() {
                return Err(path);
            }
        }
        Ok(Tidying { space, path, nodes, tries: 0 })
    }

    fn run(&mut self) {
        let movable = self.nodes.len() - 1;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for at in 1..movable {
                let wrong = self.path[at].mover() < self.path[at - 1].mover();
                changed |= wrong && self.tries < MOST_TRIES && (self.exchange(at) || self.exchange_runs(at));
            }
        }
        for at in 1..movable {
            let mover = self.path[at - 1].mover();
            let again = (at..movable).find(|&i| self.path[i].mover() == mover);
            if let Some(from) = again.filter(|&from| from > at) {
                self.bring(from, at);
            }
        }
    }

    /// Brings a step forward to a place, or leaves all as it is.
    fn bring(&mut self, from: usize, to: usize) {
        let before = (self.path[to..=from].to_vec(), self.nodes[to..=from].to_vec());
        for at in (to + 1..=from).rev() {
            if self.tries == MOST_TRIES || !self.exchange(at) {
                self.path[to..=from].copy_from_slice(&before.0);
                self.nodes[to..=from].clone_from_slice(&before.1);
                return;
            }
        }
    }

    /// Exchanges a step with the one before it, if both are possible that way and lead to the same node.
    fn exchange(&mut self, at: usize) -> bool {
        self.tries += 1;
        let (one, other) = (self.path[at - 1], self.path[at]);
        let Some(between) = self.taken(&self.nodes[at - 1].clone(), &other) else { return false };
        let Some(after) = self.taken(&between, &one) else { return false };
        if self.nodes[at + 1] != after {
            return false;
        }
        self.path.swap(at - 1, at);
        self.nodes[at] = between;
        true
    }

    /// Exchanges the steps that one process takes in a row before a place with those that another takes from there on:
    /// inside `atomic` they stay together.
    fn exchange_runs(&mut self, at: usize) -> bool {
        self.tries += 1;
        let movable = self.nodes.len() - 1;
        let (one, other) = (self.path[at - 1].mover(), self.path[at].mover());
        let first = (0..at).rev().take_while(|&i| self.path[i].mover() == one).last().unwrap_or(at);
        let end = (at..movable).take_while(|&i| self.path[i].mover() == other).last().map_or(at, |last| last + 1);
        let steps = [&self.path[at..end], &self.path[first..at]].concat();
        let mut nodes = vec![self.nodes[first].clone()];
        for step in &steps {
            let Some(next) = self.taken(&nodes[nodes.len() - 1].clone(), step) else { return false };
            nodes.push(next);
        }
        if nodes.last() != Some(&self.nodes[end]) {
            return false;
        }
        self.path[first..end].copy_from_slice(&steps);
        self.nodes[first..=end].clone_from_slice(&nodes);
        true
    }

    /// The node that an edge leads to, if there is such an edge and it violates nothing.
    fn taken(&mut self, node: &[u8], step: &S::Step) -> Option<Vec<u8>> {
        let mut steps = Vec::new();
        self.space.steps(node, &mut steps);
        let mut next = Vec::new();
        let possible = steps.contains(step) && self.space.take(node, step, &mut next).is_none();
        possible.then_some(next)
    }
}
