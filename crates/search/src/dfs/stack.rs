//! The stack of a depth-first search: one array of nodes, one array of their edges.

/// A node on the stack.
#[derive(Clone, Copy, Debug)]
struct Frame<N> {
    node: N,
    depth: u32,
    /// Index of its first edge. Its edges end where those of the next frame begin.
    first: usize,
    /// Index of the next edge to follow.
    next: usize,
}

/// The path from the initial node to the current one. `N` names a node: an id of an exact store, or an offset into
/// encoded nodes.
#[derive(Debug)]
pub(crate) struct Stack<N, E> {
    frames: Vec<Frame<N>>,
    edges: Vec<E>,
}

impl<N: Copy, E: Copy> Stack<N, E> {
    pub fn new() -> Self {
        Stack { frames: Vec::new(), edges: Vec::new() }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.frames.capacity() * size_of::<Frame<N>>() + self.edges.capacity() * size_of::<E>()) as u64
    }

    /// Pushes a node and its edges.
    pub fn push(&mut self, node: N, depth: u32, edges: impl Iterator<Item = E>) {
        let first = self.edges.len();
        self.edges.extend(edges);
        self.frames.push(Frame { node, depth, first, next: first });
    }

    /// The top node.
    pub fn top(&self) -> Option<N> {
        self.frames.last().map(|f| f.node)
    }

    /// The next edge of the top node, with the node and its depth; none when all were followed.
    pub fn next_edge(&mut self) -> Option<(N, u32, E)> {
        let frame = self.frames.last_mut()?;
        let edge = *self.edges.get(frame.next)?;
        frame.next += 1;
        Some((frame.node, frame.depth, edge))
    }

    /// Pops the top node.
    pub fn pop(&mut self) -> Option<N> {
        let frame = self.frames.pop()?;
        self.edges.truncate(frame.first);
        Some(frame.node)
    }

    /// Pops all nodes.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.edges.clear();
    }

    /// The edges of the current path, each with its node and its position among the edges of the node.
    pub fn path(&self) -> impl Iterator<Item = (N, usize, E)> {
        let followed = self.frames.iter().filter(|f| f.next > f.first);
        followed.map(|f| (f.node, f.next - 1 - f.first, self.edges[f.next - 1]))
    }

    /// The nodes from the first to the top.
    pub fn nodes(&self) -> impl Iterator<Item = N> {
        self.frames.iter().map(|f| f.node)
    }
}
