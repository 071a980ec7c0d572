//! Making an automaton smaller, whatever its marks.

use crate::automaton::{Automaton, Place};
use crate::bisimulation::bisimilar_merged;
use crate::settle::{Loose, settled};
use crate::simulation::{Budget, answered_taken_away, merged_backwards, merged_forwards};

/// Comparisons of edges that one reduction may spend on simulations; about a second.
const BUDGET: u64 = 20_000_000;

/// An automaton with the same language and no more states. Rounds of settling marks and merging states, until a round
/// does not help; then guards are made more deterministic.
pub(crate) fn reduced(automaton: &Automaton, place: Place) -> Automaton {
    let mut budget = Budget::new(BUDGET);
    let mut best = settled(automaton, place, Loose::Bare);
    loop {
        let size = (best.states.len(), best.edge_count());
        for loose in [Loose::Bare, Loose::Marked] {
            best = bisimilar_merged(&settled(&best, place, loose));
            best = merged_forwards(&best, &mut budget).unwrap_or(best);
            best = merged_backwards(&best, place, &mut budget).unwrap_or(best);
        }
        best = settled(&best, place, Loose::Bare);
        if (best.states.len(), best.edge_count()) >= size {
            return answered_taken_away(&best, &mut budget).unwrap_or(best);
        }
    }
}
