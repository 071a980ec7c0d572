//! A space and the nodes of it that a search has met.
//!
//! Searches follow several edges of a node, one after the other. The space is told where it stands only when that
//! changes: loading a node takes longer than following one of its edges.

use lurcher_system::Violation;

use crate::space::{NodeInfo, Space};
use crate::store::{StateId, Store, StoreFull};

pub(crate) struct Graph<'a, S> {
    pub space: &'a mut S,
    store: Store,
    /// The node that the space stands at.
    here: Option<StateId>,
}

impl<'a, S: Space> Graph<'a, S> {
    /// Nothing met yet; the store may use so many bytes.
    pub fn new(space: &'a mut S, memory: Option<u64>) -> Self {
        let store = Store::new(space.cut(), memory);
        Graph { space, store, here: None }
    }

    /// Number of nodes met.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.store.memory() + self.space.memory()
    }

    /// Notes a node; says which it is and whether it is new.
    pub fn insert(&mut self, node: &[u8]) -> Result<(StateId, bool), StoreFull> {
        self.store.insert(node)
    }

    /// Lists the edges of a node.
    pub fn steps(&mut self, id: StateId, steps: &mut Vec<S::Step>) -> NodeInfo {
        self.here = Some(id);
        self.space.steps(self.store.load(id), steps)
    }

    /// Follows an edge of a node. After a fatal violation there is no next node.
    pub fn take(&mut self, id: StateId, step: &S::Step, next: &mut Vec<u8>) -> Option<Violation> {
        let node = self.store.load(id);
        if self.here == Some(id) {
            return self.space.follow(node, step, next);
        }
        self.here = Some(id);
        self.space.take(node, step, next)
    }

    /// Does the node count as a stored state?
    pub fn counts(&mut self, id: StateId) -> bool {
        self.space.counts(self.store.load(id))
    }

    /// Must an accepting cycle pass here infinitely often?
    pub fn is_accepting(&mut self, id: StateId) -> bool {
        self.here = None;
        self.space.is_accepting(self.store.load(id))
    }
}
