//! Reduction of an automaton.

use crate::automaton::{Acceptance, Automaton};
use crate::bisimulation::bisimilar_merged;
use crate::normalise::{TransientMarks, normalised};
use crate::simulation::{Budget, merged_backwards, merged_forwards, prune_guards};

/// Edge comparisons for the simulations of one reduction; about a second.
const BUDGET: u64 = 20_000_000;

/// An automaton with the same language and no more states. Normalises marks and merges states until nothing changes;
/// then makes guards more deterministic.
pub(crate) fn reduced(automaton: &Automaton, acceptance: Acceptance) -> Automaton {
    let mut budget = Budget::new(BUDGET);
    let mut best = normalised(automaton, acceptance, TransientMarks::None);
    loop {
        let size = (best.states.len(), best.edge_count());
        for transient in [TransientMarks::None, TransientMarks::All] {
            best = bisimilar_merged(&normalised(&best, acceptance, transient));
            best = merged_forwards(&best, &mut budget).unwrap_or(best);
            best = merged_backwards(&best, acceptance, &mut budget).unwrap_or(best);
        }
        best = normalised(&best, acceptance, TransientMarks::None);
        if (best.states.len(), best.edge_count()) >= size {
            return prune_guards(&best, &mut budget).unwrap_or(best);
        }
    }
}
