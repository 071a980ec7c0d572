//! Shorter traces that show the same violation.

mod aim;
mod budget;
mod explore;
mod follow;
mod improve;
mod loops;
mod quest;
mod restart;
mod run;
mod script;
mod shrink;

use lurcher_exec::{Interpreter, Move};
use lurcher_search::FoundKind;
use lurcher_trace::Question;

pub use budget::{MinimiseBudget, MinimiseObserver};

use budget::Meter;
use quest::Quest;

/// What is to be minimised.
#[derive(Clone, Debug)]
pub struct Violating<'a> {
    /// What it violates.
    pub kind: &'a FoundKind,
    /// The moves of the system.
    pub moves: &'a [Move],
    /// For a lasso: the number of moves before the cycle.
    pub cycle_start: Option<usize>,
}

/// The result of minimising.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimised {
    /// The moves of the system.
    pub moves: Vec<Move>,
    /// For a lasso: the number of moves before the cycle.
    pub cycle_start: Option<usize>,
    /// Steps of what was given.
    pub found_length: u32,
    /// Steps of the result.
    pub length: u32,
    /// It is proven that no run with fewer steps shows this kind of violation.
    pub optimal: bool,
    /// Work done, in expanded states.
    pub expansions: u64,
    /// It was not stopped from outside: the result is the same on every machine.
    pub finished: bool,
}

/// Minimises.
pub fn minimise(
    interpreter: &Interpreter<'_>,
    question: &Question,
    found: &Violating<'_>,
    budget: &MinimiseBudget,
    observer: &mut impl MinimiseObserver,
) -> Minimised {
    let quest = Quest { interpreter, question, kind: found.kind, tolerant: false };
    let mut meter = Meter::new(budget);
    let Some(run) = quest.execute(found.moves, &mut meter, |_| {}) else {
        panic!("not a run");
    };
    let mut times = vec![];
    let t = std::time::Instant::now();
    let found_length: u32 = run.length;
    let run = loops::remove_loops(&quest, run, &mut meter);
    times.push((run.length, meter.expansions(), t.elapsed()));
    let run = meter.with_share(1, 3, |meter| shrink::shrink(&quest, run, shrink::Effort::Quick, meter));
    times.push((run.length, meter.expansions(), t.elapsed()));
    let (run, optimal) = improve::improve(&quest, run, &mut meter);
    times.push((run.length, meter.expansions(), t.elapsed()));
    if std::env::var("DBG").is_ok() { eprintln!("{times:?}"); }
    observer.shortened(run.length, meter.expansions());
    Minimised {
        length: run.length,
        moves: run.moves,
        cycle_start: None,
        found_length,
        optimal,
        expansions: meter.expansions(),
        finished: !meter.was_stopped(),
    }
}
