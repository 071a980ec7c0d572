//! The edges of nodes, by the fast path of the space or by the slow path.

use super::Worker;
use crate::budget::StopReason;
use crate::dfs::{StackEdge, StackNode, Successor};
use crate::space::{Expander, NodeClass, NodeInfo, Space};
use crate::store::StateId;

impl<E: Expander> Worker<'_, E> {
    /// Lists the successors of a node by the fast path of the space. None if it needs the slow path.
    pub(super) fn expand(&mut self, id: StateId) -> Result<Option<NodeClass>, StopReason> {
        if !self.expansion.expand(self.expander, &self.shared.store, &mut self.decoded, id)? {
            return Ok(None);
        }
        self.at = None;
        self.stats.expanded += 1;
        self.edges.clear();
        let expansion = std::mem::take(&mut self.expansion);
        for (at, (node, new, counts)) in expansion.successors().enumerate() {
            self.note_inserted(node, new, counts)?;
            let component = self.expander.component_of(at);
            self.edges.push(StackEdge::Successor(Successor { node, component, counts }));
        }
        self.expansion = expansion;
        Ok(Some(self.expander.class()))
    }

    /// Lists the edges of a node.
    pub(super) fn list_steps(&mut self, id: StateId) -> NodeInfo {
        let info = self.expander.space().steps(self.shared.store.load(&mut self.decoded, id), &mut self.steps);
        self.at = Some(id);
        self.stats.expanded += 1;
        self.edges.clear();
        self.edges.extend(self.steps.iter().map(|&step| StackEdge::Step(step)));
        info
    }

    /// Rotates the edges of a node, so that threads explore different parts of the graph. The first thread keeps their order.
    pub(super) fn rotate_edges(&mut self, id: StateId) {
        let random = (u64::from(id.0) + 1).wrapping_mul(self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32;
        let first = random.checked_rem(self.edges.len() as u64).unwrap_or(0);
        self.edges.rotate_left(first as usize);
    }

    /// The class of a node on a stack.
    pub(super) fn class(&mut self, top: StackNode<StateId>) -> NodeClass {
        top.class.unwrap_or_else(|| {
            let node = self.shared.store.load(&mut self.decoded, top.node);
            self.at = None;
            let component = self.expander.graph().component(node);
            NodeClass { component, accepts: self.expander.space().is_accepting(node) }
        })
    }
}
