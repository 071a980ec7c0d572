//! Strongly connected components: Tarjan's algorithm (*Depth-first search and linear graph algorithms*, 1972) with the
//! stack on the heap.

use lurcher_resources::checkpoint;

/// The strongly connected components of a graph.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each node. An edge between components leads from a higher to a lower number.
    pub of: Vec<usize>,
    /// Whether each component has a cycle.
    pub cyclic: Vec<bool>,
}

impl Components {
    /// The number of components.
    pub fn count(&self) -> usize {
        self.cyclic.len()
    }

    /// Whether an edge lies inside a component, and so on a cycle.
    pub fn inside(&self, source: usize, target: usize) -> bool {
        self.of[source] == self.of[target]
    }
}

const NOT_SEEN: usize = usize::MAX;
const OPEN: usize = usize::MAX;

/// The components of the graph with these successors.
pub fn components(successors: &[Vec<usize>]) -> Components {
    let mut search = Search {
        successors,
        order: vec![NOT_SEEN; successors.len()],
        low: vec![0; successors.len()],
        seen: 0,
        open: Vec::new(),
        components: Components { of: vec![OPEN; successors.len()], cyclic: Vec::new() },
    };
    for node in 0..successors.len() {
        checkpoint();
        if search.order[node] == NOT_SEEN {
            search.run(node);
        }
    }
    search.components
}

struct Search<'a> {
    successors: &'a [Vec<usize>],
    /// When each node was first seen.
    order: Vec<usize>,
    /// The earliest open node known to be reachable.
    low: Vec<usize>,
    seen: usize,
    /// Nodes seen whose component is not complete.
    open: Vec<usize>,
    components: Components,
}

impl Search<'_> {
    fn run(&mut self, root: usize) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(&successor) = self.successors[node].get(*next) {
                *next += 1;
                if self.order[successor] == NOT_SEEN {
                    self.enter(successor);
                    path.push((successor, 0));
                } else if self.components.of[successor] == OPEN {
                    self.low[node] = self.low[node].min(self.order[successor]);
                }
            } else {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    self.low[parent] = self.low[parent].min(self.low[node]);
                }
                if self.low[node] == self.order[node] {
                    self.complete(node);
                }
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.order[node] = self.seen;
        self.low[node] = self.seen;
        self.seen += 1;
        self.open.push(node);
    }

    fn complete(&mut self, root: usize) {
        let component = self.components.cyclic.len();
        let start = self.open.iter().rposition(|&node| node == root).expect("the root is open");
        let members = self.open.split_off(start);
        self.components.cyclic.push(members.len() > 1 || self.successors[root].contains(&root));
        for member in members {
            self.components.of[member] = component;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_from_the_sinks_up() {
        let graph = [vec![1], vec![2], vec![1, 3], vec![3, 4], vec![]];
        let components = components(&graph);
        assert_eq!(components.of, [3, 2, 2, 1, 0]);
        assert_eq!(components.cyclic, [false, true, true, false]);
    }

    #[test]
    fn a_long_path_does_not_overflow_the_stack() {
        let graph: Vec<Vec<usize>> = (0..200_000).map(|node| vec![(node + 1) % 200_000]).collect();
        assert_eq!(components(&graph).count(), 1);
    }
}
