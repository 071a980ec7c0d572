//! The stack of a depth-first search: two flat rows, one of nodes and one of their edges, and no copy of any state.

use crate::store::StateId;

/// A node on the way, and where its edges stand.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: StateId,
    depth: u32,
    /// Its first edge; the last one is in front of those of the next frame.
    first: usize,
    /// The next edge to follow.
    next: usize,
}

/// The way from the initial node to where a search stands.
#[derive(Debug)]
pub(crate) struct Stack<E> {
    frames: Vec<Frame>,
    edges: Vec<E>,
}

impl<E: Copy> Stack<E> {
    pub fn new() -> Self {
        Stack { frames: Vec::new(), edges: Vec::new() }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        let (frame, edge) = (std::mem::size_of::<Frame>(), std::mem::size_of::<E>());
        (self.frames.capacity() * frame + self.edges.capacity() * edge) as u64
    }

    /// Adds a node and the edges it has.
    pub fn push(&mut self, node: StateId, depth: u32, edges: &[E]) {
        let first = self.edges.len();
        self.edges.extend_from_slice(edges);
        self.frames.push(Frame { node, depth, first, next: first });
    }

    /// The last node.
    pub fn top(&self) -> Option<StateId> {
        self.frames.last().map(|f| f.node)
    }

    /// The next edge of the last node, with the node and its depth; none when all were followed.
    pub fn follow(&mut self) -> Option<(StateId, u32, E)> {
        let frame = self.frames.last_mut()?;
        let edge = *self.edges.get(frame.next)?;
        frame.next += 1;
        Some((frame.node, frame.depth, edge))
    }

    /// Removes the last node.
    pub fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.edges.truncate(frame.first);
        }
    }

    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.edges.clear();
    }

    /// The edges that are being followed.
    pub fn path(&self) -> Vec<E> {
        self.frames.iter().filter(|f| f.next > f.first).map(|f| self.edges[f.next - 1]).collect()
    }

    /// The nodes, first to last.
    pub fn nodes(&self) -> impl Iterator<Item = StateId> {
        self.frames.iter().map(|f| f.node)
    }
}
