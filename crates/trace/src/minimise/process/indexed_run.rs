//! A run with its positions, for searches along it.

use lurcher_system::Move;
use rustc_hash::FxHashMap;

use super::goal::Goal;
use super::run::{Run, fingerprint};
use crate::minimise::budget::Meter;

/// A run with its positions.
pub(super) struct IndexedRun<'r> {
    pub run: &'r Run,
    /// The encoded positions, concatenated, and the end of each.
    nodes: Vec<u8>,
    ends: Vec<usize>,
    /// Steps from each position to the goal.
    pub remaining: Vec<u32>,
    /// The last position with each hash.
    pub index: FxHashMap<u64, usize>,
}

impl<'r> IndexedRun<'r> {
    /// Executes the run; none if its positions take more memory than a search may use.
    pub fn new(goal: &Goal<'_, '_>, run: &'r Run, meter: &mut Meter<'_>) -> Option<Self> {
        let size = goal.start()?.state.bytes().len() + 16;
        if (size * run.moves.len()) as u64 > meter.budget.memory / 4 {
            return None;
        }
        let (nodes, ends, remaining) = (Vec::new(), Vec::new(), Vec::new());
        let mut indexed = IndexedRun { run, nodes, ends, remaining, index: FxHashMap::default() };
        let (mut node, mut rest) = (Vec::new(), run.length);
        goal.execute(&run.moves, meter, |position| {
            position.pack(&mut node);
            let at = indexed.ends.len();
            indexed.index.insert(fingerprint(&node), at);
            indexed.nodes.extend_from_slice(&node);
            indexed.ends.push(indexed.nodes.len());
            indexed.remaining.push(rest);
            rest = rest.saturating_sub(run.moves.get(at).map_or(0, Move::length));
        })?;
        Some(indexed)
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// An encoded position.
    pub fn node(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.nodes[start..self.ends[at]]
    }
}
