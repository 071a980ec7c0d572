//! The words of a node: few nearly always, and then copied without a loop.

/// Words that need no memory of their own.
const FEW: usize = 16;

/// A short list of words.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    few: [u32; FEW],
    len: usize,
    /// All of them, when they are more than a few.
    many: Vec<u32>,
}

impl Words {
    /// So many zeros.
    pub fn reset(&mut self, len: usize) {
        self.len = len;
        self.few = [0; FEW];
        self.many.clear();
        if len > FEW {
            self.many.resize(len, 0);
        }
    }

    /// Takes over the words of another list.
    #[inline]
    pub fn copy_from(&mut self, other: &Words) {
        self.few = other.few;
        self.len = other.len;
        if self.len > FEW {
            self.many.clone_from(&other.many);
        }
    }

    /// Are these the same?
    #[inline]
    pub fn are(&self, other: &Words) -> bool {
        self.few == other.few && self.len == other.len && (self.len <= FEW || self.many == other.many)
    }

    #[inline]
    pub fn get(&self) -> &[u32] {
        if self.len > FEW { &self.many } else { &self.few[..self.len] }
    }

    #[inline]
    pub fn get_mut(&mut self) -> &mut [u32] {
        if self.len > FEW { &mut self.many } else { &mut self.few[..self.len] }
    }
}
