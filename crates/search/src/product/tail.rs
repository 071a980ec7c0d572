//! What nodes of a product have behind an encoded state.

use lurcher_ir::LocationId;

use crate::state_graph::SUFFIX;

/// What a node has behind an encoded state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail {
    pub claim: LocationId,
    /// The system has stuttered, if the claim reads `np_`.
    pub stuttered: bool,
    pub round: u16,
}

impl Tail {
    /// The bytes behind an encoded state.
    #[inline]
    pub fn suffix(self) -> [u8; SUFFIX] {
        let mark = if self.stuttered { STUTTERED } else { 0 };
        let ([a, b], [c, d]) = ((self.claim.0 | mark).to_le_bytes(), self.round.to_le_bytes());
        [a, b, c, d]
    }
}

/// Marks the claim's location in a node in which the system has stuttered.
pub(super) const STUTTERED: u16 = 0x8000;

/// Splits a node into an encoded state and the rest.
#[inline]
pub(super) fn split(node: &[u8]) -> (&[u8], Tail) {
    let (state, tail) = node.split_at(node.len() - SUFFIX);
    let word = |i: usize| u16::from_le_bytes([tail[i], tail[i + 1]]);
    let claim = LocationId(word(0) & !STUTTERED);
    (state, Tail { claim, stuttered: word(0) & STUTTERED != 0, round: word(2) })
}
