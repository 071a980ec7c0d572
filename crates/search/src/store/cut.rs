//! How nodes are cut into parts.

use lurcher_system::Layout;

/// How nodes are cut into parts.
#[derive(Clone, Debug)]
pub enum Cut {
    /// Not at all: nodes are small, or have little in common.
    Whole,
    /// Nodes begin with a state of this layout. The globals are a part, each process and each channel is one, and what
    /// stands behind the state belongs to the last. The globals may be cut further, at these places behind their first byte.
    Frames(Layout, Vec<u32>),
}

/// Parts longer than this are cut further.
pub(crate) const LONG: usize = 48;
/// Into pieces of this size, the last one shorter.
const PIECE: usize = 32;

/// Where the parts of a node end, and what tells that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Ends {
    /// The end of each part.
    pub ends: Vec<u32>,
    /// A bit for each byte, eight to a word as the bytes are: ones where a frame says what it is. While those bytes and
    /// the length of a node stay the same, so do the ends.
    pub kinds: Vec<u64>,
}

impl Cut {
    /// Cuts a node.
    pub(super) fn ends(&self, node: &[u8], found: &mut Ends) {
        found.ends.clear();
        found.kinds.clear();
        found.kinds.resize(node.len().div_ceil(8), 0);
        let Cut::Frames(layout, cuts) = self else {
            found.ends.push(node.len() as u32);
            return;
        };
        let mut start = 0;
        for cut in cuts.iter().map(|&cut| layout.globals_at() + cut as usize) {
            push_end(&mut found.ends, &mut start, cut);
        }
        let mut frames = layout.frame_count(node);
        let mut end = layout.frames_at();
        loop {
            if frames == 0 {
                end = node.len();
            }
            push_end(&mut found.ends, &mut start, end);
            if frames == 0 {
                return;
            }
            for byte in start..start + 2 {
                found.kinds[byte / 8] |= 0xff << (8 * (byte % 8));
            }
            end = layout.frame_end(node, start);
            frames -= 1;
        }
    }
}

/// Ends a part, and cuts it further where it is long.
fn push_end(ends: &mut Vec<u32>, start: &mut usize, end: usize) {
    while end - *start > LONG {
        *start += PIECE;
        ends.push(*start as u32);
    }
    ends.push(end as u32);
    *start = end;
}
