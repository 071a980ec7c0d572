//! State spaces: graphs whose nodes are byte strings.

use lurcher_ir::LocationId;
use lurcher_ir::analysis::Acceptance;
use lurcher_system::{Move, ProcessId, State, Violation};

use crate::budget::StopReason;
use crate::guidance::History;
use crate::outcome::FoundKind;
use crate::parallel::SuccessorBatch;
use crate::store::{Partition, StoreFull};

/// An edge: a move of the system, a move of the claim, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move of the system; none when it has stopped and only the claim moves.
    pub system: Option<Move>,
    /// The index of the claim's move, which comes first; none without a claim and inside an atomic chain.
    pub claim: Option<u16>,
}

/// An edge of a space.
pub trait Edge: Copy + PartialEq {
    /// Its length in steps: 0, 1 or 2.
    fn length(&self) -> u32;

    /// Its length if its last step is a violation.
    fn length_with(&self, violation: &Violation) -> u32;

    /// The process that moves, if the edge is a move of one process and nothing else.
    fn mover(&self) -> Option<u16> {
        None
    }

    /// The process that moves, if the system does: the sender of a rendezvous.
    fn process(&self) -> Option<ProcessId> {
        None
    }
}

impl Step {
    /// A move of the system without a claim.
    pub fn of(taken: Move) -> Self {
        Step { system: Some(taken), claim: None }
    }

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

    fn process(&self) -> Option<ProcessId> {
        self.system.map(|m| m.process)
    }
}

/// What listing the edges of a node tells about the node.
#[derive(Clone, Debug, Default)]
pub struct NodeInfo {
    /// The node is an invalid end state.
    pub deadlock: bool,
    /// An invariant is false.
    pub invariant_broken: bool,
    /// The claim has reached its end.
    pub claim_ended: bool,
    /// A violation in the node itself.
    pub violation: Option<Violation>,
    /// Why the edges could not be listed.
    pub halted: Option<StopReason>,
}

impl NodeInfo {
    /// The violations of the node.
    pub(crate) fn kinds(self) -> impl Iterator<Item = FoundKind> {
        let flags = [
            (self.deadlock, FoundKind::Deadlock),
            (self.invariant_broken, FoundKind::Invariant),
            (self.claim_ended, FoundKind::ClaimEnd),
        ];
        let kinds = flags.into_iter().filter_map(|(found, kind)| found.then_some(kind));
        kinds.chain(self.violation.map(FoundKind::Step))
    }
}

/// A strongly connected component of a claim, as searches for cycles see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimComponent {
    /// Its number. There are no more than locations.
    pub number: u16,
    /// What is known of the cycles in it. In a fully accepting component, all cycles are accepting on which the claim moves.
    pub acceptance: Acceptance,
}

impl ClaimComponent {
    /// The only component of a space without a claim: nothing is known of its cycles.
    pub const ONLY: ClaimComponent = ClaimComponent { number: 0, acceptance: Acceptance::PartiallyAccepting };
}

/// A node, as searches for cycles see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeClass {
    /// Its component of the claim.
    pub component: ClaimComponent,
    /// It is accepting.
    pub accepts: bool,
}

/// The greatest length of a chain that [`Space::chain_length`] reports.
pub const MAX_CHAIN: u32 = 28;

/// A state space whose nodes are byte strings.
pub trait Space {
    /// Its edges.
    type Step: Edge;

    /// Writes the initial node; a violation if the model has no initial state.
    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation>;

    /// Appends the numbers of the watched terms that are false in a new node. Called before the edges of the node are
    /// listed, so that a node with many successors does not delay the report.
    fn check_node(&mut self, node: &[u8], broken: &mut Vec<u32>) {
        let _ = (node, broken);
    }

    /// Lists the edges of a node.
    fn steps(&mut self, node: &[u8], steps: &mut Vec<Self::Step>) -> NodeInfo;

    /// Writes the successor of a node by an edge. There is none after a fatal violation.
    fn take(&mut self, node: &[u8], step: &Self::Step, next: &mut Vec<u8>) -> Option<Violation>;

    /// The same for the node that [`Space::steps`] or [`Space::take`] was last called with.
    fn follow(&mut self, node: &[u8], step: &Self::Step, next: &mut Vec<u8>) -> Option<Violation> {
        self.take(node, step, next)
    }

    /// Number of moves, of length 1 each, that were merged into the edge that was followed last. At most `MAX_CHAIN`.
    fn chain_length(&self) -> u32 {
        0
    }

    /// Whether the node counts as a stored state. Nodes inside atomic chains do not.
    fn counts(&self, node: &[u8]) -> bool;

    /// Whether the node is accepting.
    fn is_accepting(&mut self, node: &[u8]) -> bool;

    /// The component of the claim in which a node lies. Every cycle of the space stays in one component.
    fn component(&self, node: &[u8]) -> ClaimComponent {
        let _ = node;
        ClaimComponent::ONLY
    }

    /// Tells the node that a cycle has to return to, while a search tries to close one.
    fn seek(&mut self, seed: Option<&[u8]>) {
        let _ = seed;
    }

    /// Whether the node is an artificial predecessor of the initial states.
    fn is_root(&self, node: &[u8]) -> bool {
        let _ = node;
        false
    }

    /// How a store splits nodes into parts.
    fn partition(&self) -> Partition {
        Partition::Whole
    }

    /// Bytes that the space itself uses.
    fn memory(&self) -> u64 {
        0
    }
}

/// A space whose nodes hold states of a process model.
pub trait StateSpace: Space {
    /// A state to decode nodes into.
    fn empty_state(&self) -> State;

    /// Decodes the state of a node; returns the location of the claim, or location 0 without a claim.
    fn decode(&self, node: &[u8], state: &mut State) -> LocationId;
}

/// A space, perhaps with a fast path that expands whole nodes. A plain space has none.
pub trait Expander {
    /// The space.
    type Space: Space;
    /// It has a fast path.
    const EXPANDS: bool;

    /// The space, for everything that the fast path does not handle.
    fn space(&mut self) -> &mut Self::Space;

    /// The same, for what changes nothing in it.
    fn graph(&self) -> &Self::Space;

    /// Expands a node into the batch and returns the number of transitions; `None` if the node needs the slow path (a
    /// violation, a deadlock, an unknown layout). The batch may hold some successors then.
    fn expand_into(&mut self, batch: &mut SuccessorBatch<'_>) -> Result<Option<u64>, StoreFull>;

    /// The component of a successor that the last expansion found, by its position in the batch.
    fn component_of(&self, successor: usize) -> ClaimComponent {
        let _ = successor;
        ClaimComponent::ONLY
    }

    /// The class of the node of the last expansion.
    fn class(&self) -> NodeClass {
        NodeClass { component: ClaimComponent::ONLY, accepts: false }
    }

    /// How a store splits nodes into parts.
    fn partition(&self) -> Partition;

    /// Bytes that the space and the fast path use.
    fn memory(&self) -> u64;

    /// The heuristic value of a node; 0 without a heuristic.
    fn estimate(&mut self, node: &[u8], history: History) -> u32 {
        let _ = (node, history);
        0
    }

    /// Whether heuristic values depend on the processes that moved last.
    fn looks_back(&self) -> bool {
        false
    }

    /// Sets the node that [`Expander::distance_to_aim`] measures the distance to.
    fn aim_at(&mut self, node: &[u8]) {
        let _ = node;
    }

    /// The estimated distance of a node from the aim; 0 without a heuristic.
    fn distance_to_aim(&mut self, node: &[u8]) -> u32 {
        let _ = node;
        0
    }
}

impl<S: Space> Expander for S {
    type Space = S;
    const EXPANDS: bool = false;

    fn space(&mut self) -> &mut S {
        self
    }

    fn graph(&self) -> &S {
        self
    }

    fn expand_into(&mut self, _: &mut SuccessorBatch<'_>) -> Result<Option<u64>, StoreFull> {
        Ok(None)
    }

    fn partition(&self) -> Partition {
        Space::partition(self)
    }

    fn memory(&self) -> u64 {
        Space::memory(self)
    }
}
