//! A decision diagram of our own: an array of nodes.
//!
//! OxiDD's nodes are behind a lock and may move to other levels. What counts, draws or evaluates often takes a copy
//! that nothing changes: complement edges are written out, children stand before their parents, and a search through
//! it is a loop.

use oxidd::{BooleanFunction, Function, HasLevel, Manager, Node, VarNo};
use rustc_hash::FxHashMap;

use super::count::Count;
use crate::kernel::Bdd;

/// A function over some bits.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The bits, in the order in which they are asked.
    order: Vec<VarNo>,
    /// Inner nodes; node i is referred to as i + 2, and 0 and 1 are false and true.
    nodes: Vec<Branch>,
    root: u32,
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    /// The place of its bit in the order.
    pub place: u32,
    /// Where to go if the bit is clear, and if it is set.
    pub to: [u32; 2],
}

impl Diagram {
    /// A copy of a function that reads some of these bits and no others.
    pub fn of(function: &Bdd, bits: &[VarNo]) -> Diagram {
        function.with_manager_shared(|m, root| {
            let mut order = bits.to_vec();
            order.sort_unstable_by_key(|&b| m.var_to_level(b));
            let places: FxHashMap<u32, u32> =
                order.iter().enumerate().map(|(place, &b)| (m.var_to_level(b), place as u32)).collect();
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
                let Node::Inner(node) = m.get_node(edge) else { unreachable!("it has cofactors") };
                let place = places[&node.level()];
                known.insert(edge, nodes.len() as u32 + 2);
                nodes.push(Branch { place, to: [low_at, high_at] });
            }
            Diagram { root: known[&root], order, nodes }
        })
    }

    /// Is the function true where its bits, in its own order, are these?
    pub(crate) fn holds_at(&self, bits: &[bool]) -> bool {
        let mut at = self.root;
        while at > 1 {
            let node = &self.nodes[at as usize - 2];
            at = node.to[usize::from(bits[node.place as usize])];
        }
        at == 1
    }

    /// How many valuations of its bits make the function true.
    pub fn count(&self) -> Count {
        let mut counts: Vec<Count> = vec![Count::from(0), Count::from(1)];
        for node in &self.nodes {
            let [low, high] = node.to.map(|to| counts[to as usize].doubled(self.skipped(node.place + 1, to)));
            counts.push(low.plus(&high));
        }
        counts[self.root as usize].doubled(self.skipped(0, self.root))
    }

    /// Bits from a place on that are not asked before a node.
    pub(super) fn skipped(&self, from: u32, node: u32) -> usize {
        (self.place(node) - from) as usize
    }

    /// The place of the bit that a node asks; after all bits for the ends.
    fn place(&self, node: u32) -> u32 {
        match node {
            0 | 1 => self.order.len() as u32,
            _ => self.nodes[node as usize - 2].place,
        }
    }

    /// Does a node ask the bit at this place?
    pub(crate) fn asks(&self, node: u32, place: u32) -> bool {
        node > 1 && self.nodes[node as usize - 2].place == place
    }

    /// Where a node goes from that is not an end, with this value of its bit.
    pub(crate) fn answered(&self, node: u32, value: bool) -> u32 {
        self.nodes[node as usize - 2].to[usize::from(value)]
    }

    /// The places of bits that some node asks.
    pub(crate) fn asked(&self) -> impl Iterator<Item = u32> {
        self.nodes.iter().map(|node| node.place)
    }

    /// Its bits, in the order in which they are asked.
    pub(crate) fn order(&self) -> &[VarNo] {
        &self.order
    }

    pub(super) fn nodes(&self) -> &[Branch] {
        &self.nodes
    }

    /// The node that everything starts from: 0 and 1 are false and true.
    pub(crate) fn root(&self) -> u32 {
        self.root
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is the function true nowhere?
    pub fn is_empty(&self) -> bool {
        self.root == 0
    }
}
