//! Reorders independent steps of a path, to make it easier to read.
//!
//! Of many shortest paths to a node, a breadth-first search on several threads keeps one by hash, in which processes
//! alternate for no reason. Neighbouring steps of two processes are swapped if the path leads to the same node: lower
//! processes first, then so that the steps of one process are together. A last step that is a violation stays last.

use crate::space::{Edge, Space};

/// Longer paths are not reordered.
const MAX_LENGTH: usize = 2000;
/// Swaps that are tried.
const MAX_TRIES: usize = 20_000;

/// The same steps, those of one process together as far as the path stays the same otherwise.
pub(super) fn group_by_process<S: Space>(space: &mut S, path: Vec<S::Step>) -> Vec<S::Step> {
    if path.len() > MAX_LENGTH || path.iter().any(|step| step.mover().is_none()) {
        return path;
    }
    let Some(nodes) = nodes_of(space, &path) else { return path };
    let mut reordering = Reordering { space, path, nodes, tries: 0 };
    reordering.run();
    reordering.path
}

/// The initial node, and the node behind each step that is no violation; none if a step before the last is one.
fn nodes_of<S: Space>(space: &mut S, path: &[S::Step]) -> Option<Vec<Vec<u8>>> {
    let mut node = Vec::new();
    space.initial(&mut node).ok()?;
    let mut nodes = vec![node];
    for (index, step) in path.iter().enumerate() {
        let mut next = Vec::new();
        if space.take(&nodes[index], step, &mut next).is_none() {
            nodes.push(next);
        } else if index + 1 < path.len() {
            return None;
        }
    }
    Some(nodes)
}

struct Reordering<'s, S: Space> {
    space: &'s mut S,
    path: Vec<S::Step>,
    /// See [`nodes_of`].
    nodes: Vec<Vec<u8>>,
    tries: usize,
}

impl<S: Space> Reordering<'_, S> {
    fn run(&mut self) {
        let movable = self.nodes.len() - 1;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for at in 1..movable {
                let wrong = self.path[at].mover() < self.path[at - 1].mover();
                changed |= wrong && self.tries < MAX_TRIES && (self.swap(at) || self.swap_runs(at));
            }
        }
        for at in 1..movable {
            let mover = self.path[at - 1].mover();
            let again = (at..movable).find(|&i| self.path[i].mover() == mover);
            if let Some(from) = again.filter(|&from| from > at) {
                self.move_forward(from, at);
            }
        }
    }

    /// Moves a step to an earlier position, or changes nothing.
    fn move_forward(&mut self, from: usize, to: usize) {
        let before = (self.path[to..=from].to_vec(), self.nodes[to..=from].to_vec());
        for at in (to + 1..=from).rev() {
            if self.tries == MAX_TRIES || !self.swap(at) {
                self.path[to..=from].copy_from_slice(&before.0);
                self.nodes[to..=from].clone_from_slice(&before.1);
                return;
            }
        }
    }

    /// Swaps a step with the one before it, if both are enabled then and lead to the same node.
    fn swap(&mut self, at: usize) -> bool {
        let (one, other) = (self.path[at - 1], self.path[at]);
        self.replace(at - 1, &[other, one])
    }

    /// Swaps the steps that one process takes in a row before a position with those that another takes from there on:
    /// inside `atomic` they stay together.
    fn swap_runs(&mut self, at: usize) -> bool {
        let movable = self.nodes.len() - 1;
        let (one, other) = (self.path[at - 1].mover(), self.path[at].mover());
        let first = (0..at).rev().take_while(|&i| self.path[i].mover() == one).last().unwrap_or(at);
        let end = (at..movable).take_while(|&i| self.path[i].mover() == other).last().map_or(at, |last| last + 1);
        let steps = [&self.path[at..end], &self.path[first..at]].concat();
        self.replace(first, &steps)
    }

    /// Replaces steps of the path from a position on, if the new ones are enabled and lead to the same node.
    fn replace(&mut self, first: usize, steps: &[S::Step]) -> bool {
        self.tries += 1;
        let end = first + steps.len();
        let mut nodes = vec![self.nodes[first].clone()];
        for step in steps {
            let Some(next) = self.successor(&nodes[nodes.len() - 1], step) else { return false };
            nodes.push(next);
        }
        if nodes.last() != Some(&self.nodes[end]) {
            return false;
        }
        self.path[first..end].copy_from_slice(steps);
        self.nodes[first..=end].clone_from_slice(&nodes);
        true
    }

    /// The successor of a node by a step, if the step is enabled and no violation.
    fn successor(&mut self, node: &[u8], step: &S::Step) -> Option<Vec<u8>> {
        let mut steps = Vec::new();
        self.space.steps(node, &mut steps);
        let mut next = Vec::new();
        let enabled = steps.contains(step) && self.space.take(node, step, &mut next).is_none();
        enabled.then_some(next)
    }
}
