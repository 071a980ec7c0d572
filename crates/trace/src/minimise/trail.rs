//! A run with all its positions, as searches along it need them.

use lurcher_system::Move;
use rustc_hash::FxHashMap;

use crate::minimise::budget::Meter;
use crate::minimise::quest::Quest;
use crate::minimise::run::{Run, fingerprint};

/// A run with its positions.
pub(crate) struct Trail<'r> {
    pub run: &'r Run,
    /// The positions as bytes, one behind the other, and where each ends.
    nodes: Vec<u8>,
    ends: Vec<usize>,
    /// Steps from each position to the target.
    pub behind: Vec<u32>,
    /// By fingerprint: the last position that has it.
    pub index: FxHashMap<u64, usize>,
}

impl<'r> Trail<'r> {
    /// The positions of a run; none where they take more memory than a search may use.
    pub fn of(quest: &Quest<'_, '_>, run: &'r Run, meter: &mut Meter<'_>) -> Option<Trail<'r>> {
        let size = quest.start()?.state.bytes().len() + 16;
        if (size * run.moves.len()) as u64 > meter.budget.memory / 4 {
            return None;
        }
        let (nodes, ends, behind) = (Vec::new(), Vec::new(), Vec::new());
        let mut trail = Trail { run, nodes, ends, behind, index: FxHashMap::default() };
        let (mut node, mut rest) = (Vec::new(), run.length);
        quest.execute(&run.moves, meter, |position| {
            position.pack(&mut node);
            let at = trail.ends.len();
            trail.index.insert(fingerprint(&node), at);
            trail.nodes.extend_from_slice(&node);
            trail.ends.push(trail.nodes.len());
            trail.behind.push(rest);
            rest = rest.saturating_sub(run.moves.get(at).map_or(0, Move::length));
        })?;
        Some(trail)
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// A position as bytes.
    pub fn node(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.nodes[start..self.ends[at]]
    }

    /// Steps between two positions.
    pub fn steps(&self, from: usize, to: usize) -> u32 {
        self.behind[from] - self.behind[to]
    }
}
