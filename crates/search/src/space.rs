//! The graph that a search goes through.

use lurcher_system::{Move, Violation};

use crate::budget::StopReason;
use crate::shared::Offspring;
use crate::store::{Cut, StoreFull};

/// An edge: a move of the system, a move of the claim, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What the system does; none when it has stopped and only the claim moves.
    pub system: Option<Move>,
    /// Which of the claim's possible steps is taken first; none without a claim, or inside an atomic chain.
    pub claim: Option<u16>,
}

/// What every search asks of an edge.
pub trait Edge: Copy + PartialEq {
    /// Steps that it counts for: 0, 1 or 2.
    fn length(&self) -> u32;

    /// The same for an edge whose last step is a violation.
    fn length_with(&self, violation: &Violation) -> u32;

    /// The process that moves, where one does and nothing else.
    fn mover(&self) -> Option<u16> {
        None
    }
}

impl Step {
    /// Steps of the system.
    pub fn length(&self) -> u32 {
        self.system.map_or(0, |m| m.length())
    }
}

impl Edge for Step {
    fn length(&self) -> u32 {
        Step::length(self)
    }

    fn length_with(&self, violation: &Violation) -> u32 {
        self.system.map_or(0, |m| m.length_with(Some(violation)))
    }

    fn mover(&self) -> Option<u16> {
        self.system.filter(|_| self.claim.is_none()).map(|m| m.process.0)
    }
}

/// What a node is, found while its edges are listed.
#[derive(Clone, Debug, Default)]
pub struct NodeInfo {
    /// No process can move, and not all may rest where they are.
    pub deadlock: bool,
    /// An invariant does not hold here.
    pub invariant_broken: bool,
    /// The claim has come to its end.
    pub claim_ended: bool,
    /// What went wrong while looking at the node itself.
    pub violation: Option<Violation>,
    /// The edges could not be listed.
    pub halted: Option<StopReason>,
}

/// The most steps that follow an edge by themselves.
pub const BEHIND: u32 = 28;

/// A graph whose nodes are byte strings.
pub trait Space {
    /// Its edges.
    type Step: Edge;

    /// The initial node; a violation when the model cannot even start.
    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation>;

    /// What can be told about a new node before its edges are listed: the numbers of watched terms that are false there.
    /// Where nodes have many successors, this finds a violation long before its node's turn has come.
    fn look(&mut self, node: &[u8], broken: &mut Vec<u32>) {
        let _ = (node, broken);
    }

    /// Lists the edges of a node.
    fn steps(&mut self, node: &[u8], steps: &mut Vec<Self::Step>) -> NodeInfo;

    /// Follows an edge. After a fatal violation there is no node.
    fn take(&mut self, node: &[u8], step: &Self::Step, next: &mut Vec<u8>) -> Option<Violation>;

    /// The same for the node that was looked at last, by [`Space::steps`] or [`Space::take`].
    fn follow(&mut self, node: &[u8], step: &Self::Step, next: &mut Vec<u8>) -> Option<Violation> {
        self.take(node, step, next)
    }

    /// Steps that followed by themselves behind the edge that was followed last: no node lies between. At most
    /// `BEHIND`, each of length 1.
    fn behind(&self) -> u32 {
        0
    }

    /// Writes out such steps on a path.
    fn write_out(&mut self, path: Vec<Self::Step>) -> Vec<Self::Step> {
        path
    }

    /// Adds the successors of a node all at once and says how many steps lead there, where that is quick and nothing
    /// about the node or its edges is worth telling. Otherwise says nothing, and may have added some.
    fn breed(&mut self, offspring: &mut Offspring<'_>) -> Result<Option<u64>, StoreFull> {
        let _ = offspring;
        Ok(None)
    }

    /// Does the node count as a stored state, or lie inside an atomic chain?
    fn counts(&self, node: &[u8]) -> bool;

    /// Must an accepting cycle pass here infinitely often?
    fn is_accepting(&mut self, node: &[u8]) -> bool;

    /// Does the node only stand before the initial states?
    fn is_root(&self, node: &[u8]) -> bool {
        let _ = node;
        false
    }

    /// How nodes are cut into parts that many of them share.
    fn cut(&self) -> Cut {
        Cut::Whole
    }

    /// Bytes that the space itself uses, beside what a search stores.
    fn memory(&self) -> u64 {
        0
    }
}
