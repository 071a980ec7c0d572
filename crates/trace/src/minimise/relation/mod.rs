//! Shorter runs of a relation.
//!
//! A run of a relation is its states, so a shortcut is any path between two of them that is shorter than the way the
//! run takes. [`minimise_states`] looks for shortcuts breadth first: from the initial states, and where that does not
//! reach far enough, from states along the run. A search that meets the goal before its budget ends has found a shortest
//! run.
//!
//! For a lasso the way to the cycle is shortened; the cycle stays as it is, up to where it is entered. Whether the
//! shorter lasso still shows what the long one did is for the caller to say, because a formula may look at the way as well.

mod shortcut;

use lurcher_ir::relation::{Relation, TermId};
use lurcher_system::relation::StateRun;
use lurcher_system::relation::{Formulas, Halt, Packing, Stepper};

use crate::minimise::budget::{Meter, MinimiseBudget};
use shortcut::{Goal, Search};

/// What the last state of a run shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateGoal {
    /// This term is false.
    False(TermId),
    /// It has no successor.
    Stuck,
    /// It is one of the states of the cycle.
    Cycle,
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct ShorterRun {
    /// The run.
    pub run: StateRun,
    /// No shorter one exists.
    pub optimal: bool,
    /// Work used.
    pub expansions: u64,
    /// Minimising came to its own end, rather than being stopped by the clock or the user.
    pub finished: bool,
}

/// Makes a run shorter.
pub fn minimise_states(relation: &Relation, run: &StateRun, goal: StateGoal, budget: &MinimiseBudget) -> ShorterRun {
    let mut meter = Meter::new(budget);
    let watched: Vec<TermId> = match goal {
        StateGoal::False(term) => vec![term],
        StateGoal::Stuck | StateGoal::Cycle => Vec::new(),
    };
    let mut search = Search {
        stepper: Stepper::new(relation),
        packing: Packing::new(relation),
        formulas: Formulas::new(relation, &watched),
        variables: relation.variables.len(),
        memory: budget.memory,
    };
    let end = run.cycle_start.unwrap_or(run.states.len() - 1);
    let mut way: Vec<Vec<i64>> = run.states[..=end].to_vec();
    let cycle = run.states[end..].to_vec();
    let goal = match goal {
        StateGoal::False(_) => Goal::False,
        StateGoal::Stuck => Goal::Stuck,
        StateGoal::Cycle => Goal::OneOf(&cycle),
    };
    search.without_loops(&mut way);
    let optimal = shorten(&mut search, &mut way, &goal, &mut meter);
    let run = match run.cycle_start {
        None => StateRun { states: way, cycle_start: None },
        Some(_) => rejoin(&search, way, &cycle),
    };
    let run = run.with_inputs(&mut search.stepper);
    ShorterRun { run, optimal, expansions: meter.expansions(), finished: !meter.was_stopped() }
}

/// Looks for shortcuts until there are none or the budget ends. Is the result a shortest way?
fn shorten(search: &mut Search, way: &mut Vec<Vec<i64>>, goal: &Goal<'_>, meter: &mut Meter<'_>) -> bool {
    if meter.with_share(1, 2, |meter| search.from(way, None, goal, meter)) {
        return true;
    }
    let mut from = 0;
    while from + 2 < way.len() && meter.may_go_on() {
        let before = way.len();
        let part = (way.len() - from) as u64;
        meter.with_share(2, part.max(2), |meter| search.from(way, Some(from), goal, meter));
        // Where nothing was gained here, try farther on.
        if way.len() == before {
            from += 1 + before / 64;
        }
    }
    false
}

/// A lasso: the way to a state of the cycle, and once round from there.
fn rejoin(search: &Search, mut way: Vec<Vec<i64>>, cycle: &[Vec<i64>]) -> StateRun {
    let entry = way.pop().expect("a way has a last state");
    let at = cycle.iter().position(|s| search.same(s, &entry)).expect("the way ends in the cycle");
    let cycle_start = way.len();
    way.extend(cycle[at..].iter().chain(&cycle[..at]).cloned());
    StateRun { states: way, cycle_start: Some(cycle_start) }
}

/// Listing successors ended early.
fn gave_up(result: Result<(), Halt>) -> bool {
    matches!(result, Err(Halt::Effort))
}
