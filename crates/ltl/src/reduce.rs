//! Making an automaton smaller, whatever its marks.

use crate::automaton::{Automaton, Place};
use crate::bisimulation::bisimilar_merged;
use crate::settle::{Loose, settled};
use crate::simulation::similar_merged;

/// An automaton with the same language and no more states. Rounds of settling marks and merging states, until a round
/// does not help.
pub(crate) fn reduced(automaton: &Automaton, place: Place) -> Automaton {
    let mut best = settled(automaton, place, Loose::Bare);
    loop {
        let size = (best.states.len(), best.edge_count());
        for loose in [Loose::Bare, Loose::Marked] {
            best = bisimilar_merged(&settled(&best, place, loose));
            best = similar_merged(&best).unwrap_or(best);
            best = crate::simulation::backward_merged(&best, place).unwrap_or(best);
        }
        best = settled(&best, place, Loose::Bare);
        if (best.states.len(), best.edge_count()) >= size {
            return best;
        }
    }
}
