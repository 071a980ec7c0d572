//! A space with a heuristic.

use crate::guidance::History;
use crate::parallel::SuccessorBatch;
use crate::space::{ClaimComponent, Expander, NodeClass, Space};
use crate::store::{Partition, StoreFull};

/// Values of the nodes of a space.
pub trait NodeHeuristic<S> {
    /// The estimated distance of a node from a violation. `history` is known only where the heuristic looks back.
    fn estimate(&mut self, space: &mut S, node: &[u8], history: History) -> u32;

    /// Whether values depend on the processes that moved last.
    fn looks_back(&self) -> bool {
        false
    }

    /// Sets the node that [`NodeHeuristic::distance_to_aim`] measures the distance to.
    fn aim_at(&mut self, space: &mut S, node: &[u8]) {
        let _ = (space, node);
    }

    /// The estimated distance of a node from the aim.
    fn distance_to_aim(&mut self, space: &mut S, node: &[u8]) -> u32 {
        let _ = (space, node);
        0
    }
}

/// An expander with a heuristic, or without one: then every value is 0.
#[derive(Debug)]
pub struct Guided<E, H> {
    /// The expander.
    pub expander: E,
    heuristic: Option<H>,
    range: Option<(u32, u32)>,
}

impl<E, H> Guided<E, H> {
    /// Adds a heuristic to an expander.
    pub fn new(expander: E, heuristic: Option<H>) -> Self {
        Guided { expander, heuristic, range: None }
    }

    /// The least and the greatest value that the heuristic has given.
    pub fn range(&self) -> Option<(u32, u32)> {
        self.range
    }
}

impl<E: Expander, H: NodeHeuristic<E::Space>> Expander for Guided<E, H> {
    type Space = E::Space;
    const EXPANDS: bool = E::EXPANDS;

    fn space(&mut self) -> &mut E::Space {
        self.expander.space()
    }

    fn graph(&self) -> &E::Space {
        self.expander.graph()
    }

    fn expand_into(&mut self, batch: &mut SuccessorBatch<'_>) -> Result<Option<u64>, StoreFull> {
        self.expander.expand_into(batch)
    }

    fn component_of(&self, successor: usize) -> ClaimComponent {
        self.expander.component_of(successor)
    }

    fn class(&self) -> NodeClass {
        self.expander.class()
    }

    fn partition(&self) -> Partition {
        self.expander.partition()
    }

    fn memory(&self) -> u64 {
        self.expander.memory()
    }

    fn estimate(&mut self, node: &[u8], history: History) -> u32 {
        match &mut self.heuristic {
            Some(heuristic) if !self.expander.space().is_root(node) => {
                let value = heuristic.estimate(self.expander.space(), node, history);
                let (least, greatest) = self.range.unwrap_or((value, value));
                self.range = Some((least.min(value), greatest.max(value)));
                value
            }
            _ => 0,
        }
    }

    fn looks_back(&self) -> bool {
        self.heuristic.as_ref().is_some_and(H::looks_back)
    }
    fn aim_at(&mut self, node: &[u8]) {
        if let Some(heuristic) = &mut self.heuristic {
            heuristic.aim_at(self.expander.space(), node);
        }
    }

    fn distance_to_aim(&mut self, node: &[u8]) -> u32 {
        self.heuristic.as_mut().map_or(0, |heuristic| heuristic.distance_to_aim(self.expander.space(), node))
    }
}
