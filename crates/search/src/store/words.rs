//! The words of an encoded node. Nearly all nodes have few, which are copied without a loop.

/// Words that are kept inline.
const INLINE: usize = 16;

/// A short list of words.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    inline: [u32; INLINE],
    len: usize,
    /// All words, if there are more than `INLINE`.
    heap: Vec<u32>,
}

impl Words {
    /// Sets the list to `len` zeros.
    pub fn reset(&mut self, len: usize) {
        self.len = len;
        self.inline = [0; INLINE];
        self.heap.clear();
        if len > INLINE {
            self.heap.resize(len, 0);
        }
    }

    /// Copies another list.
    #[inline]
    pub fn copy_from(&mut self, other: &Words) {
        self.inline = other.inline;
        self.len = other.len;
        if self.len > INLINE {
            self.heap.clone_from(&other.heap);
        }
    }

    /// Whether both lists are equal.
    #[inline]
    pub fn equal(&self, other: &Words) -> bool {
        self.inline == other.inline && self.len == other.len && (self.len <= INLINE || self.heap == other.heap)
    }

    #[inline]
    pub fn get(&self) -> &[u32] {
        if self.len > INLINE { &self.heap } else { &self.inline[..self.len] }
    }

    #[inline]
    pub fn get_mut(&mut self) -> &mut [u32] {
        if self.len > INLINE { &mut self.heap } else { &mut self.inline[..self.len] }
    }
}
