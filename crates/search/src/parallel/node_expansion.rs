//! Expansion of single nodes by the fast path of a space, for depth-first searches.

use super::parent_table::Parent;
use super::successor_batch::{PendingNodes, SuccessorBatch};
use crate::space::Expander;
use crate::store::{DecodedState, SharedStore, StateId, StoreFull};

/// All successors of a node, stored.
#[derive(Default)]
pub(crate) struct NodeExpansion {
    pending: PendingNodes,
    inserted: Vec<(StateId, bool)>,
}

impl NodeExpansion {
    /// Expands a stored node and stores its successors, in the order of its edges. False if the node needs the slow path.
    pub fn expand<E: Expander>(
        &mut self,
        expander: &mut E,
        store: &SharedStore,
        decoded: &mut DecodedState,
        id: StateId,
    ) -> Result<bool, StoreFull> {
        if !E::EXPANDS {
            return Ok(false);
        }
        store.open(decoded, id);
        self.pending.truncate(0);
        let batch = SuccessorBatch::new(store, decoded, &mut self.pending, Parent::new(id, 0));
        let Some(mut batch) = batch else { return Ok(false) };
        if expander.expand_into(&mut batch)?.is_none() {
            return Ok(false);
        }
        store.insert_all(decoded, &mut self.pending.batch, &mut self.inserted, |_| ())?;
        Ok(true)
    }

    /// The successors: each with whether it is new and whether it counts as a stored state.
    pub fn successors(&self) -> impl Iterator<Item = (StateId, bool, bool)> {
        self.inserted.iter().zip(&self.pending.edges).map(|(&(id, new), edge)| (id, new, edge.counts))
    }
}
