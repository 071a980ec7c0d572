//! Minimising paths of process models.
//!
//! The order of the strategies is in `strategies`: loop removal, delta debugging (`delta_debugging`, with `schedule`,
//! `reexecute` and `causality`), breadth-first and trail-directed search (`trail_search`), fresh random walks
//! (`fresh_walks`). A lasso is cut at repeated states, its two parts go through the same strategies, and a search looks for
//! the shortest lasso of the product of model and claim (`lasso`).
//!
//! Every candidate is executed by the interpreter from the start and must show the same kind of violation: the same
//! assertion, the same fault at the same place, a deadlock, the invariant, the end of the claim, an accepting cycle, under
//! fairness a fair one. The result is replayed and judged like any other trace; if that fails, the given path is the
//! result.

mod causality;
mod delta_debugging;
mod fresh_walks;
mod goal;
mod lasso;
mod location_distance;
mod loop_removal;
mod rand;
mod reexecute;
mod run;
mod schedule;
mod strategies;
mod trail_search;

use lurcher_resources::checkpoint;
use lurcher_search::{ClaimTable, FoundKind};
use lurcher_system::{Interpreter, Move, Path};

use super::Minimised;
use super::budget::{Meter, MinimiseBudget};
use crate::{Evidence, Question, Trail, is_fair, judge, replay};
use goal::{Goal, GoalKind, ProcessSystem};

/// Minimises a path of moves that shows a violation of this kind; under `fair`, only fair cycles count.
///
/// The interpreter runs the model with the claim of the property in it, under the limits with which the path was found.
/// `question` is what the path is judged against.
///
/// ```no_run
/// # use lurcher_trace::minimise::{MinimiseBudget, minimise};
/// # fn example(interpreter: &lurcher_system::Interpreter<'_>, question: &lurcher_trace::Question,
/// #            kind: &lurcher_search::FoundKind, path: &lurcher_system::Path<lurcher_system::Move>) {
/// let minimised = minimise(interpreter, question, kind, false, path, &MinimiseBudget::default());
/// println!("{} steps, {} were found", minimised.length, minimised.found_length);
/// # }
/// ```
pub fn minimise(
    interpreter: &Interpreter<'_>,
    question: &Question,
    kind: &FoundKind,
    fair: bool,
    path: &Path<Move>,
    budget: &MinimiseBudget,
) -> Minimised<Move> {
    let mut meter = Meter::new(budget);
    let found_length = length_of(interpreter, &path.steps);
    let table = question.claim.and_then(|claim| ClaimTable::new(interpreter, claim));
    let system = ProcessSystem { interpreter, question, table: table.as_ref(), fair };
    let shorter = if *kind == FoundKind::Cycle && path.cycle_start.is_some() {
        let accepted = system.accepts_lasso(path, &mut meter);
        let minimised = accepted.then(|| system.minimise_lasso(path.clone(), &mut meter));
        minimised.map(|(lasso, optimal)| (lasso.length(), lasso, optimal))
    } else {
        let goal = Goal::new(system, GoalKind::Violation(kind));
        let minimised = strategies::minimise_finite(goal, &path.steps, &mut meter);
        minimised.map(|(run, optimal)| (run.length, Path::finite(run.moves), optimal))
    };
    let shorter = shorter.filter(|(length, path, _)| *length <= found_length && system.confirms(kind, path));
    let (length, path, optimal) = shorter.unwrap_or((found_length, path.clone(), interpreter.initial().is_err()));
    let (expansions, finished) = (meter.expansions(), !meter.was_stopped());
    Minimised { path, found_length, length, optimal, expansions, finished }
}

/// Steps of some moves, as traces count them.
fn length_of(interpreter: &Interpreter<'_>, moves: &[Move]) -> u32 {
    let Ok(mut state) = interpreter.initial() else { return 0 };
    let length = |(index, m): (usize, &Move)| {
        checkpoint();
        let violation = interpreter.apply(&mut state, m).filter(|_| index + 1 == moves.len());
        m.length_with(violation.as_ref())
    };
    moves.iter().enumerate().map(length).sum()
}

impl ProcessSystem<'_, '_> {
    /// Whether a path replays and is evidence for this kind of violation.
    fn confirms(self, kind: &FoundKind, path: &Path<Move>) -> bool {
        let ProcessSystem { interpreter, question, fair, .. } = self;
        let Ok(replayed) = replay(interpreter, &Trail::of_path(interpreter, path)) else { return false };
        match (kind, judge(interpreter, &replayed, question)) {
            (FoundKind::Deadlock, Evidence::Deadlock)
            | (FoundKind::Invariant, Evidence::Invariant)
            | (FoundKind::ClaimEnd, Evidence::ClaimEnd | Evidence::BadPrefix) => true,
            (FoundKind::Cycle, Evidence::AcceptingCycle) => !fair || is_fair(interpreter, &replayed),
            (FoundKind::Step(wanted), evidence) => {
                let mut violations = replayed.path.steps.iter().filter_map(|s| s.violation.as_ref());
                // The claim's own assertions are not part of the system's run.
                violations.any(|v| wanted.is_like(v))
                    || match &evidence {
                        Evidence::Step(shown) => wanted.is_like(shown),
                        _ => question.claim.is_some(),
                    }
            }
            // The given path may pass other violations, so the minimised one may, too.
            (_, evidence) => matches!(evidence, Evidence::Step(_)),
        }
    }
}
