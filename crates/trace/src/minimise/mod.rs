//! Shorter traces that show the same violation.
//!
//! A random walk finds a violation thousands of steps away; nobody wants to read that. [`minimise`] makes the trace
//! shorter, in this order:
//!
//! 1. loop removal (`loops`);
//! 2. delta debugging on what the processes do (`shrink`, with `script` and `follow` to execute what is left, and
//!    `journey` for what messages bring about);
//! 3. breadth-first search below the length of the trace, which proves it shortest where it can finish (`explore`);
//! 4. fresh random walks among the processes that matter (`restart`);
//! 5. trail-directed search: A\* from positions of the trace to later ones (`aim`); `improve` has the whole order.
//!
//! Lassos are cut where states repeat (`recut`), and their two parts go through the same mill; the search is one for
//! the shortest lasso of the product of model and claim (`lassos`, `shortest_lasso`, `lasso_graph`).
//!
//! Every candidate is executed by the interpreter from the start and must end in the same kind of violation: the same
//! assertion, the same fault at the same place, a deadlock, the invariant, the end of the claim, an accepted cycle, a fair
//! one where fairness was asked for. What comes out is written down, replayed and judged by `trace` (`confirm`); where
//! that does not agree, the trace that was given is the result.
//!
//! This is a crate of its own, between `trace` and `session`, because it needs both the exact store and the product of
//! `search` and the judge of `trace`, and `trace` shares no code with the searches.
//!
//! The result depends on the trace and the budget only, not on time or threads.

mod aim;
mod budget;
mod confirm;
mod explore;
mod follow;
mod improve;
mod journey;
mod lasso;
mod lasso_graph;
mod lassos;
mod loops;
mod quest;
mod rand;
mod recut;
mod relation;
mod restart;
mod run;
mod script;
mod shortest_lasso;
mod shrink;
mod trail;

use crate::Question;
use lurcher_search::{ClaimTable, FoundKind};
use lurcher_system::{Interpreter, Move};

pub use budget::{MinimiseBudget, MinimiseObserver};
pub use relation::{ShorterRun, StateGoal, minimise_states};

use budget::Meter;
use confirm::confirms;
use improve::shorten;
use lasso::Lasso;
use lassos::Chase;
use loops::remove_loops;
use quest::{Quest, Target};

/// A trace that shows a violation.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// What is violated.
    pub kind: &'a FoundKind,
    /// The moves of the system.
    pub moves: &'a [Move],
    /// For a lasso: the number of moves before the cycle; all of them when the run stops and stays where it is.
    pub cycle_start: Option<usize>,
    /// Only cycles in which no process is neglected count.
    pub fair: bool,
}

/// The result of minimising.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimised {
    /// The moves of the system.
    pub moves: Vec<Move>,
    /// For a lasso: the number of moves before the cycle.
    pub cycle_start: Option<usize>,
    /// Steps of the trace that was given.
    pub found_length: u32,
    /// Steps of this trace.
    pub length: u32,
    /// It is proven that no trace with fewer steps shows this kind of violation without showing another one before it.
    /// Of lassos this is only said where there is no claim and no fairness.
    pub optimal: bool,
    /// Work done, in expanded states.
    pub expansions: u64,
    /// It was not stopped from outside: the result is the same on every machine.
    pub finished: bool,
}

/// Makes a trace shorter.
///
/// `interpreter` runs the model with the claim of the property in it and with the limits under which the trace was found,
/// and `question` is what the trace is judged against: `Quarry::interpreter` and `Quarry::question` of the session.
///
/// ```no_run
/// # use lurcher_trace::minimise::{Found, MinimiseBudget, minimise};
/// # fn example(interpreter: &lurcher_system::Interpreter<'_>, question: &lurcher_trace::Question,
/// #            kind: &lurcher_search::FoundKind, moves: &[lurcher_system::Move]) {
/// let found = Found { kind, moves, cycle_start: None, fair: false };
/// let minimised = minimise(interpreter, question, &found, &MinimiseBudget::default(), &mut ());
/// println!("{} steps, {} were found", minimised.length, minimised.found_length);
/// # }
/// ```
pub fn minimise(
    interpreter: &Interpreter<'_>,
    question: &Question,
    found: &Found<'_>,
    budget: &MinimiseBudget,
    observer: &mut impl MinimiseObserver,
) -> Minimised {
    let mut meter = Meter::new(budget);
    let mut shortened = |length, expansions| observer.shortened(length, expansions);
    let given = Minimised {
        moves: found.moves.to_vec(),
        cycle_start: found.cycle_start,
        found_length: length_of(interpreter, found.moves),
        length: length_of(interpreter, found.moves),
        optimal: interpreter.initial().is_err(),
        expansions: 0,
        finished: true,
    };
    let table = question.claim.and_then(|claim| ClaimTable::new(interpreter, claim));
    let shorter = match (found.kind, found.cycle_start) {
        (FoundKind::Cycle, Some(cycle_start)) => {
            let chase = Chase { interpreter, question, table: table.as_ref(), fair: found.fair };
            let lasso = Lasso { moves: found.moves.to_vec(), cycle_start };
            chase.accepts(&lasso, &mut meter).then(|| {
                let (lasso, optimal) = chase.minimise(lasso, &mut meter, &mut shortened);
                let length = lasso.length();
                Minimised { cycle_start: Some(lasso.cycle_start), moves: lasso.moves, length, optimal, ..given.clone() }
            })
        }
        _ => {
            let quest = Quest::new(interpreter, question, table.as_ref(), Target::Violation(found.kind));
            minimise_run(quest, found, &mut meter, &mut shortened).map(|(run, optimal)| {
                let length = run.length;
                Minimised { moves: run.moves, cycle_start: None, length, optimal, ..given.clone() }
            })
        }
    };
    let confirmed = |m: &Minimised| confirms(interpreter, question, found.fair, found.kind, &m.moves, m.cycle_start);
    let result = shorter.filter(|m| m.length <= given.length && confirmed(m)).unwrap_or(given);
    Minimised { expansions: meter.expansions(), finished: !meter.was_stopped(), ..result }
}

/// Minimises what is not a lasso; none when the moves do not show the violation.
fn minimise_run(
    mut quest: Quest<'_, '_>,
    found: &Found<'_>,
    meter: &mut Meter<'_>,
    shortened: &mut dyn FnMut(u32, u64),
) -> Option<(run::Run, bool)> {
    let run = match quest.execute(found.moves, meter, |_| {}) {
        Some(run) => run,
        None => {
            quest.tolerant = true;
            quest.execute(found.moves, meter, |_| {})?
        }
    };
    let run = remove_loops(&quest, run, meter);
    shortened(run.length, meter.expansions());
    Some(shorten(&quest, run, meter, shortened))
}

/// Steps of some moves, as traces count them.
fn length_of(interpreter: &Interpreter<'_>, moves: &[Move]) -> u32 {
    let Ok(mut state) = interpreter.initial() else { return 0 };
    moves.iter().map(|m| m.length_with(interpreter.apply(&mut state, m).as_ref())).sum()
}
