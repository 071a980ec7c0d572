//! An immutable copy of a BDD as an array of nodes.
//!
//! OxiDD's nodes are behind a lock and move when the variables are reordered. Counting, sampling and frequent evaluation
//! work on a copy without complement edges in which children precede their parents.

use oxidd::{BooleanFunction, Function, HasLevel, Manager, Node, VarNo};
use rustc_hash::FxHashMap;

use crate::count::Count;
use crate::kernel::Bdd;

/// A function over some bits.
#[derive(Clone, Debug)]
pub(crate) struct ArrayBdd {
    /// The bits in variable order; the index of a bit is its level.
    order: Vec<VarNo>,
    /// Inner nodes. Node `i` has the id `i + 2`; the ids 0 and 1 are the terminals false and true.
    nodes: Vec<InnerNode>,
    root: u32,
}

/// An inner node.
#[derive(Clone, Copy, Debug)]
pub(super) struct InnerNode {
    pub level: u32,
    /// Ids of the children for a clear and a set bit.
    pub children: [u32; 2],
}

impl ArrayBdd {
    /// A copy of a function that depends on no bits but these.
    pub fn of(function: &Bdd, bits: &[VarNo]) -> ArrayBdd {
        function.with_manager_shared(|m, root| {
            let mut order = bits.to_vec();
            order.sort_unstable_by_key(|&b| m.var_to_level(b));
            let levels: FxHashMap<u32, u32> = order.iter().map(|&b| m.var_to_level(b)).zip(0..).collect();
            let truth = Bdd::t(m);
            let mut known = FxHashMap::default();
            let mut nodes = Vec::new();
            let mut open = vec![root];
            while let Some(&edge) = open.last() {
                if known.contains_key(&edge) {
                    open.pop();
                    continue;
                }
                let Some((high, low)) = Bdd::cofactors_edge(m, edge) else {
                    known.insert(edge, u32::from(edge == truth.as_edge(m)));
                    continue;
                };
                let (Some(&high_at), Some(&low_at)) = (known.get(&high), known.get(&low)) else {
                    open.extend([high, low].into_iter().filter(|e| !known.contains_key(e)));
                    continue;
                };
                let Node::Inner(node) = m.get_node(edge) else { unreachable!("a terminal has no cofactors") };
                let level = levels[&node.level()];
                known.insert(edge, nodes.len() as u32 + 2);
                nodes.push(InnerNode { level, children: [low_at, high_at] });
            }
            ArrayBdd { root: known[&root], order, nodes }
        })
    }

    /// The value of the function for an assignment of its bits, by level.
    pub fn eval(&self, bits: &[bool]) -> bool {
        let mut node = self.root;
        while node > 1 {
            let InnerNode { level, children } = self.nodes[node as usize - 2];
            node = children[usize::from(bits[level as usize])];
        }
        node == 1
    }

    /// Number of satisfying assignments.
    pub fn count(&self) -> Count {
        let mut counts: Vec<Count> = vec![Count::from(0), Count::from(1)];
        for node in &self.nodes {
            let [low, high] = node.children.map(|id| counts[id as usize].doubled(self.skipped(node.level + 1, id)));
            counts.push(low.plus(&high));
        }
        counts[self.root as usize].doubled(self.skipped(0, self.root))
    }

    /// Number of levels between `from` and a node.
    pub(super) fn skipped(&self, from: u32, node: u32) -> usize {
        (self.level(node) - from) as usize
    }

    /// The level of a node; terminals are below all bits.
    fn level(&self, node: u32) -> u32 {
        match node {
            0 | 1 => self.order.len() as u32,
            _ => self.nodes[node as usize - 2].level,
        }
    }

    /// The child of a node for a value of the bit at a level; the node itself if it does not test that bit.
    pub fn child(&self, node: u32, level: u32, value: bool) -> u32 {
        if self.tests(node, level) { self.nodes[node as usize - 2].children[usize::from(value)] } else { node }
    }

    /// Whether a node tests the bit at a level.
    pub fn tests(&self, node: u32, level: u32) -> bool {
        node > 1 && self.nodes[node as usize - 2].level == level
    }

    /// The levels of all nodes.
    pub fn levels(&self) -> impl Iterator<Item = u32> {
        self.nodes.iter().map(|node| node.level)
    }

    /// The bits in variable order.
    pub fn order(&self) -> &[VarNo] {
        &self.order
    }

    pub(super) fn nodes(&self) -> &[InnerNode] {
        &self.nodes
    }

    /// The id of the root.
    pub fn root(&self) -> u32 {
        self.root
    }
}
