//! Choueka's construction for weak fairness.

use lurcher_system::ProcessId;

/// The round of a node behind the last round.
pub(super) const DONE: u16 = u16::MAX;

/// The round behind a move from a node in a round. Round 0 is left if the node `accepts`, the round of a process if the process
/// has moved or is blocked (`passes`).
pub(super) fn next_round(round: u16, accepts: bool, processes: u16, passes: impl Fn(ProcessId) -> bool) -> u16 {
    let mut round = if round == DONE { 0 } else { round };
    if round == 0 {
        if !accepts {
            return 0;
        }
        round = 1;
    }
    while round <= processes && passes(ProcessId(round - 1)) {
        round += 1;
    }
    if round <= processes { round } else { DONE }
}
