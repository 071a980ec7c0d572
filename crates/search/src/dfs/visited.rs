//! The visited nodes of a depth-first search: an exact store, or a lossy set.

use super::expanded::Successor;
use crate::budget::{Budget, StopReason};
use crate::parallel::NodeExpansion;
use crate::space::{Expander, NodeClass};
use crate::store::{LossySet, Partition, StateId, Storage, Store, StoreFull};

/// The result of visiting a node in the first (blue) search.
pub(crate) enum Visit<N> {
    New(N),
    /// Stored before, but not explored, or at a greater depth than now.
    Again(N),
    /// On the stack.
    OnStack(N),
    Known,
}

/// The result of visiting a node in a second (red) search.
pub(crate) enum RedVisit<N> {
    New(N),
    Known,
    /// The node is this one of the blue stack, and closes an accepting cycle.
    Closes(N),
}

/// The visited nodes of a depth-first search. `Node` names a node on a stack.
pub(crate) trait Visited {
    type Node: Copy + PartialEq;
    /// Why a search that explored everything stops.
    const EXHAUSTED: StopReason;

    /// Visits a node in the blue search.
    fn visit(&mut self, node: &[u8], depth: u32) -> Result<Visit<Self::Node>, StoreFull>;

    /// Visits a stored node in the blue search of a nested search.
    fn visit_stored(&mut self, node: Self::Node) -> Visit<Self::Node>;

    /// Visits a stored node in the red search.
    fn visit_red_stored(&mut self, node: Self::Node) -> RedVisit<Self::Node>;

    /// Expands a node of a nested search by the fast path of the space: stores and lists its successors. None if the node needs
    /// the slow path.
    fn expand<E: Expander>(
        &mut self,
        expander: &mut E,
        node: Self::Node,
        successors: &mut Vec<Successor<Self::Node>>,
    ) -> Result<Option<NodeClass>, StoreFull>;

    /// Starts a red search from the top node of the blue stack.
    fn start_red(&mut self, seed: Self::Node);

    /// Visits a node in the red search.
    fn visit_red(&mut self, node: &[u8]) -> Result<RedVisit<Self::Node>, StoreFull>;

    /// Notes that a node leaves the blue or the red stack.
    fn leave(&mut self, node: Self::Node, red: bool);

    /// The encoded top node of the current stack.
    fn load(&mut self, node: Self::Node) -> &[u8];

    /// The encoded node `nodes[index]`; `nodes` end with the top node.
    fn load_among(&mut self, nodes: &[Self::Node], index: usize) -> &[u8];

    /// Bytes in use.
    fn memory(&self) -> u64;
}

/// On the blue stack.
const CYAN: u8 = 1;
/// Visited by a red search.
const RED: u8 = 2;
/// Visited by the blue search.
const BLUE: u8 = 4;
/// Counted before the blue search visits it.
const COUNTED: u8 = 8;

/// Nodes in an exact store.
pub(crate) struct Exact {
    store: Store,
    /// Colours of each node, for a nested search.
    colours: Option<Vec<u8>>,
    /// Smallest depth of each node, for a search that explores a node again when it is reached at a smaller depth.
    depths: Option<Vec<u32>>,
    expansion: NodeExpansion,
}

impl Exact {
    /// A nested search colours the nodes; another one keeps their depths if the depth is limited.
    pub fn new(partition: Partition, nested: bool, budget: &Budget) -> Self {
        Exact {
            store: Store::new(partition, budget.resources.memory),
            colours: nested.then(Vec::new),
            depths: (!nested && budget.depth.is_some()).then(Vec::new),
            expansion: NodeExpansion::default(),
        }
    }

    /// Stores a node of a nested search without visiting it; returns whether it is new. When the node is visited, it does not
    /// count as a new one.
    pub fn insert(&mut self, node: &[u8]) -> Result<(StateId, bool), StoreFull> {
        let (id, new) = self.store.insert(node)?;
        *self.colour(id) |= COUNTED;
        Ok((id, new))
    }

    /// A stored node.
    pub fn node(&mut self, id: StateId) -> &[u8] {
        self.store.load(id)
    }

    fn colour(&mut self, id: StateId) -> &mut u8 {
        let colours = self.colours.as_mut().expect("a nested search");
        colours.resize(self.store.len(), 0);
        &mut colours[id.0 as usize]
    }
}

impl Visited for Exact {
    type Node = StateId;
    const EXHAUSTED: StopReason = StopReason::Complete;

    fn visit(&mut self, node: &[u8], depth: u32) -> Result<Visit<StateId>, StoreFull> {
        let (id, new) = self.store.insert(node)?;
        if self.colours.is_some() {
            return Ok(self.visit_stored(id));
        }
        if let Some(depths) = &mut self.depths {
            depths.resize(self.store.len(), u32::MAX);
            let known = &mut depths[id.0 as usize];
            if depth >= *known {
                return Ok(Visit::Known);
            }
            *known = depth;
            return Ok(if new { Visit::New(id) } else { Visit::Again(id) });
        }
        Ok(if new { Visit::New(id) } else { Visit::Known })
    }

    fn visit_stored(&mut self, id: StateId) -> Visit<StateId> {
        let colour = self.colour(id);
        match *colour {
            c if c & CYAN != 0 => Visit::OnStack(id),
            c if c & BLUE != 0 => Visit::Known,
            c => {
                *colour |= CYAN | BLUE;
                if c & COUNTED == 0 { Visit::New(id) } else { Visit::Again(id) }
            }
        }
    }

    fn visit_red_stored(&mut self, id: StateId) -> RedVisit<StateId> {
        let colour = self.colour(id);
        if *colour & CYAN != 0 {
            return RedVisit::Closes(id);
        }
        let known = *colour & RED != 0;
        *colour |= RED;
        if known { RedVisit::Known } else { RedVisit::New(id) }
    }

    fn expand<E: Expander>(
        &mut self,
        expander: &mut E,
        node: StateId,
        successors: &mut Vec<Successor<StateId>>,
    ) -> Result<Option<NodeClass>, StoreFull> {
        let (store, decoded) = self.store.parts();
        if !self.expansion.expand(expander, store, decoded, node)? {
            return Ok(None);
        }
        successors.clear();
        let mut new_nodes = 0;
        for (at, (node, new, counts)) in self.expansion.successors().enumerate() {
            new_nodes += usize::from(new);
            successors.push(Successor { node, component: expander.component_of(at), counts });
        }
        self.store.note_new(new_nodes);
        Ok(Some(expander.class()))
    }

    fn start_red(&mut self, seed: StateId) {
        *self.colour(seed) |= RED;
    }

    fn visit_red(&mut self, node: &[u8]) -> Result<RedVisit<StateId>, StoreFull> {
        let (id, new) = self.store.insert(node)?;
        if new {
            *self.colour(id) |= COUNTED;
        }
        Ok(self.visit_red_stored(id))
    }

    fn leave(&mut self, node: StateId, red: bool) {
        if !red && self.colours.is_some() {
            *self.colour(node) &= !CYAN;
        }
    }

    fn load(&mut self, node: StateId) -> &[u8] {
        self.store.load(node)
    }

    fn load_among(&mut self, nodes: &[StateId], index: usize) -> &[u8] {
        self.store.load(nodes[index])
    }

    fn memory(&self) -> u64 {
        let colours = self.colours.as_ref().map_or(0, Vec::capacity) as u64;
        self.store.memory() + colours + self.depths.as_ref().map_or(0, Vec::capacity) as u64 * 4
    }
}

/// Nodes in a lossy set, which cannot give them back: those on the stacks are kept, encoded, one behind the other. A node
/// is named by the offset of its first byte.
pub(super) struct Lossy {
    set: LossySet,
    encoded: Vec<u8>,
    /// First byte of the seed of the red search, and the first byte behind it.
    seed: (usize, usize),
}

/// The blue and the red search use disjoint parts of the set.
const BLUE_SET: u64 = 0;
const RED_SET: u64 = 1;

impl Lossy {
    pub fn new(storage: Storage, budget: &Budget) -> Result<Self, StoreFull> {
        Ok(Lossy { set: LossySet::new(storage, budget.resources.memory)?, encoded: Vec::new(), seed: (0, 0) })
    }

    /// The probability that a new node is taken for a visited one, at the end.
    pub fn omission(&self) -> f64 {
        self.set.omission()
    }

    fn insert(&mut self, node: &[u8], set: u64) -> Result<Option<usize>, StoreFull> {
        if !self.set.insert(node, set)? {
            return Ok(None);
        }
        self.encoded.extend_from_slice(node);
        Ok(Some(self.encoded.len() - node.len()))
    }
}

impl Visited for Lossy {
    type Node = usize;
    const EXHAUSTED: StopReason = StopReason::Storage;

    fn visit(&mut self, node: &[u8], _: u32) -> Result<Visit<usize>, StoreFull> {
        Ok(self.insert(node, BLUE_SET)?.map_or(Visit::Known, Visit::New))
    }

    fn visit_stored(&mut self, node: usize) -> Visit<usize> {
        Visit::OnStack(node)
    }

    fn visit_red_stored(&mut self, node: usize) -> RedVisit<usize> {
        RedVisit::Closes(node)
    }

    fn expand<E: Expander>(
        &mut self,
        _: &mut E,
        _: usize,
        _: &mut Vec<Successor<usize>>,
    ) -> Result<Option<NodeClass>, StoreFull> {
        Ok(None)
    }

    fn start_red(&mut self, seed: usize) {
        self.seed = (seed, self.encoded.len());
    }

    fn visit_red(&mut self, node: &[u8]) -> Result<RedVisit<usize>, StoreFull> {
        let (start, end) = self.seed;
        if self.encoded[start..end] == *node {
            return Ok(RedVisit::Closes(start));
        }
        Ok(self.insert(node, RED_SET)?.map_or(RedVisit::Known, RedVisit::New))
    }

    fn leave(&mut self, node: usize, red: bool) {
        // The seed stays on the blue stack.
        self.encoded.truncate(if red { node.max(self.seed.1) } else { node });
    }

    fn load(&mut self, node: usize) -> &[u8] {
        &self.encoded[node..]
    }

    fn load_among(&mut self, nodes: &[usize], index: usize) -> &[u8] {
        let end = nodes.get(index + 1).copied().unwrap_or(self.encoded.len());
        &self.encoded[nodes[index]..end]
    }

    fn memory(&self) -> u64 {
        self.set.memory() + self.encoded.capacity() as u64
    }
}
