//! Nodes on the stack of a nested search, and their edges: listed by the space, or found all at once by a fast path.

use crate::space::{ClaimComponent, NodeClass};

/// A node on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackNode<N> {
    pub node: N,
    /// Known if a fast path has expanded the node.
    pub class: Option<NodeClass>,
}

/// An edge of a node on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StackEdge<N, S> {
    /// An edge of the space, which has to be followed.
    Step(S),
    /// The successor that a fast path has found, at the position of the edge.
    Successor(Successor<N>),
}

/// A stored successor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Successor<N> {
    pub node: N,
    pub component: ClaimComponent,
    /// It counts as a stored state.
    pub counts: bool,
}
