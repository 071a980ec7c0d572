//! How nodes are split into parts.

use lurcher_system::Layout;

/// How a store splits nodes into parts.
#[derive(Clone, Debug)]
pub enum Partition {
    /// Not at all: nodes are small, or have little in common.
    Whole,
    /// Nodes begin with a state. The globals, each process and each channel are a part.
    Frames {
        /// The layout of the states.
        layout: Layout,
        /// Where the globals are split further, as offsets from their first byte.
        splits: Vec<u32>,
        /// Bytes at the end of a node that are a part of their own. Other bytes behind the state belong to the last part.
        tail: usize,
    },
}

/// Longer parts are split further.
pub(crate) const MAX_PART: usize = 48;
/// Into pieces of this size, the last one shorter.
const PIECE: usize = 32;

/// The ends of the parts of a node, and the bytes that determine them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PartBounds {
    /// The end of each part.
    pub ends: Vec<u32>,
    /// A mask over the bytes of a node, eight bytes to a word: ones where a frame names its type. Nodes of the same length
    /// that agree in these bytes have the same ends.
    pub type_mask: Vec<u64>,
    /// Whether each frame is a channel's.
    pub channels: Vec<bool>,
}

impl Partition {
    /// Finds the bounds of the parts of a node.
    pub(super) fn bounds(&self, node: &[u8], bounds: &mut PartBounds) {
        bounds.ends.clear();
        bounds.type_mask.clear();
        bounds.channels.clear();
        bounds.type_mask.resize(node.len().div_ceil(8), 0);
        let Partition::Frames { layout, splits, tail } = self else {
            bounds.ends.push(node.len() as u32);
            return;
        };
        let mut start = 0;
        for split in splits.iter().map(|&split| layout.globals_at() + split as usize) {
            push_end(&mut bounds.ends, &mut start, split);
        }
        let mut end = layout.frames_at();
        for _ in 0..layout.frame_count(node) {
            push_end(&mut bounds.ends, &mut start, end);
            for byte in start..start + 2 {
                bounds.type_mask[byte / 8] |= 0xff << (8 * (byte % 8));
            }
            bounds.channels.push(layout.is_channel(node, start));
            end = layout.frame_end(node, start);
        }
        push_end(&mut bounds.ends, &mut start, node.len() - tail);
        if *tail > 0 {
            push_end(&mut bounds.ends, &mut start, node.len());
        }
    }
}

impl Partition {
    /// The parts of states of a layout, and what is behind a state as a part of the last one.
    pub fn frames(layout: &Layout) -> Partition {
        Partition::Frames { layout: layout.clone(), splits: Vec::new(), tail: 0 }
    }
}

/// Ends a part, and splits it further if it is long.
fn push_end(ends: &mut Vec<u32>, start: &mut usize, end: usize) {
    while end - *start > MAX_PART {
        *start += PIECE;
        ends.push(*start as u32);
    }
    ends.push(end as u32);
    *start = end;
}
