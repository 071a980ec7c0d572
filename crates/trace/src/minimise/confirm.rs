//! The last word on a trace: it is written down, replayed and judged by the `trace` crate alone.

use crate::{Evidence, Question, Replayed, Trail, is_fair, judge, replay};
use lurcher_search::FoundKind;
use lurcher_system::{Interpreter, Move};

use crate::minimise::quest::same_violation;

/// Does a trace replay, and is it evidence for this kind of violation?
pub(crate) fn confirms(
    interpreter: &Interpreter<'_>,
    question: &Question,
    fair: bool,
    kind: &FoundKind,
    moves: &[Move],
    cycle_start: Option<usize>,
) -> bool {
    let trail = Trail::of_moves(interpreter, moves, cycle_start);
    let Ok(replayed) = replay(interpreter, &trail) else { return false };
    let evidence = judge(interpreter, &replayed, question);
    match (kind, evidence) {
        (FoundKind::Deadlock, Evidence::Deadlock)
        | (FoundKind::Invariant, Evidence::Invariant)
        | (FoundKind::ClaimEnd, Evidence::ClaimEnd) => true,
        (FoundKind::Cycle, Evidence::AcceptingCycle) => !fair || is_fair(interpreter, &replayed),
        (FoundKind::Step(wanted), evidence) => {
            let is_there =
                |r: &Replayed| r.steps.iter().filter_map(|s| s.violation.as_ref()).any(|v| same_violation(wanted, v));
            // What a claim itself asserts is not part of the system's run.
            is_there(&replayed)
                || match &evidence {
                    Evidence::Step(shown) => same_violation(wanted, shown),
                    _ => question.claim.is_some(),
                }
        }
        // A found trace may pass other violations on its way; then so may this one.
        (_, evidence) => matches!(evidence, Evidence::Step(_)),
    }
}
