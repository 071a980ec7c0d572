//! The stack of a search that cannot ask its storage for nodes: the bytes of the nodes on it, and their edges.

/// A node on the way.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Its first byte; the last one is in front of those of the next frame.
    node: usize,
    /// Its first edge, and the next to follow.
    first: usize,
    next: usize,
    depth: u32,
}

/// The way from a node to where a search stands.
#[derive(Debug)]
pub(super) struct Way<E> {
    frames: Vec<Frame>,
    bytes: Vec<u8>,
    edges: Vec<E>,
}

impl<E: Copy> Way<E> {
    pub fn new() -> Self {
        Way { frames: Vec::new(), bytes: Vec::new(), edges: Vec::new() }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        let (frame, edge) = (std::mem::size_of::<Frame>(), std::mem::size_of::<E>());
        (self.frames.capacity() * frame + self.edges.capacity() * edge + self.bytes.capacity()) as u64
    }

    pub fn push(&mut self, node: &[u8], depth: u32, edges: &[E]) {
        let first = self.edges.len();
        self.frames.push(Frame { node: self.bytes.len(), first, next: first, depth });
        self.bytes.extend_from_slice(node);
        self.edges.extend_from_slice(edges);
    }

    /// The last node.
    pub fn top(&self) -> &[u8] {
        &self.bytes[self.frames.last().expect("a node").node..]
    }

    /// A node, counted from the first.
    pub fn node(&self, index: usize) -> &[u8] {
        let end = self.frames.get(index + 1).map_or(self.bytes.len(), |f| f.node);
        &self.bytes[self.frames[index].node..end]
    }

    /// The next edge of the last node, with the depth of that node; none when all were followed.
    pub fn follow(&mut self) -> Option<(u32, E)> {
        let frame = self.frames.last_mut()?;
        let edge = *self.edges.get(frame.next)?;
        frame.next += 1;
        Some((frame.depth, edge))
    }

    pub fn pop(&mut self) {
        let frame = self.frames.pop().expect("a node");
        self.bytes.truncate(frame.node);
        self.edges.truncate(frame.first);
    }

    /// The edges that are being followed.
    pub fn path(&self) -> Vec<E> {
        self.edges_of(&self.frames)
    }

    /// The edges that lead to the last node.
    pub fn path_to_top(&self) -> Vec<E> {
        self.edges_of(&self.frames[..self.frames.len() - 1])
    }

    fn edges_of(&self, frames: &[Frame]) -> Vec<E> {
        frames.iter().filter(|f| f.next > f.first).map(|f| self.edges[f.next - 1]).collect()
    }
}
