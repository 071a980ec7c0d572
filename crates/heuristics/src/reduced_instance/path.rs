//! Finding a goal path, and what is remembered of it.
//!
//! Bad states are looked for breadth first, so the path is a shortest one. Cycles cannot be, so they are looked for
//! by nested depth-first search under a depth limit that doubles until something is found: the path is short, if not
//! the shortest. All searches share one budget of states; nothing depends on the clock.

use lurcher_ir::{Expr, LocationId, ProcessTypeId};
use lurcher_search::{
    Budget, Claim, Found, FoundKind, Outcome, Product, Space, StateGraph, StopReason, bfs, nested_dfs,
};
use lurcher_system::{Interpreter, ProcessId, State, Violation};

use super::variables::{Variable, variables};

/// What counts as a violation.
#[derive(Clone, Debug)]
pub enum Target {
    /// Bad states: those in which an expression does not hold, and with `end_states` invalid end states; failed
    /// assertions and faults always.
    States {
        /// Must hold everywhere.
        invariants: Vec<Expr>,
        /// Look for invalid end states.
        end_states: bool,
    },
    /// Runs that a claim accepts.
    Runs(Claim),
}

/// One process taking one branch on the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The type of the process.
    pub process_type: ProcessTypeId,
    /// Its number.
    pub pid: u16,
    /// How many processes of its type have smaller numbers.
    pub rank: u16,
    /// Where it stands before the step.
    pub previous: LocationId,
    /// Where it stands afterwards.
    pub next: LocationId,
    /// Which branch of its location it takes.
    pub branch: u16,
    /// Values, before the step, of the variables it sees.
    pub(crate) values: Vec<Option<i32>>,
    /// Where all processes stand before the step: type, rank, location.
    pub(crate) places: Vec<(ProcessTypeId, u16, LocationId)>,
    /// Steps to the violation, this one counted.
    pub remaining: u32,
}

/// A path to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalPath {
    /// Its steps. A rendezvous is two, at the same distance.
    pub steps: Vec<PathStep>,
    /// The variables that processes of each type see.
    pub(crate) variables: Vec<Vec<Variable>>,
    /// The most processes of each type at any time on the path.
    pub population: Vec<u16>,
    /// What is violated.
    pub kind: FoundKind,
}

/// A branch of a location of some process type.
pub(crate) type Edge = (LocationId, u16);

impl PathStep {
    pub(crate) fn edge(&self) -> Edge {
        (self.previous, self.branch)
    }
}

impl GoalPath {
    /// Its length in steps of the system.
    pub fn length(&self) -> u32 {
        self.steps.first().map_or(0, |s| s.remaining)
    }

    /// A fault says more about the size of the instance than about the error that is hunted.
    pub fn is_fault(&self) -> bool {
        matches!(self.kind, FoundKind::Step(Violation::Fault { .. }))
    }
}

/// Depth at which the search for cycles begins.
const FIRST_DEPTH: u32 = 16;

/// Looks for a short path to a violation; takes the states it looks at off `states`.
pub fn goal_path(interpreter: &Interpreter<'_>, target: &Target, states: &mut u64) -> Option<GoalPath> {
    let found = match target {
        Target::States { invariants, end_states } => {
            let mut system = StateGraph::new(interpreter.clone(), invariants.clone(), *end_states);
            breadth_first(&mut system, states)?
        }
        Target::Runs(claim) => {
            let mut product = Product::new(interpreter.clone(), *claim, false);
            let mut half = *states / 2;
            *states -= half;
            let bad_state = breadth_first(&mut product, &mut half);
            *states += half;
            bad_state.or_else(|| cycle(&mut product, states))?
        }
    };
    let moves: Vec<_> = found.path.iter().filter_map(|s| s.system).collect();
    Some(record(interpreter, &moves, found.kind))
}

/// The number of states that a search looked at: those it was allowed when that stopped it.
fn spend(outcome: &Outcome, allowed: &mut u64) {
    let used = if outcome.stop == StopReason::States { *allowed } else { outcome.stats.stored };
    *allowed = allowed.saturating_sub(used.max(1));
}

fn breadth_first(space: &mut (impl Space<Step = lurcher_search::Step> + Send), states: &mut u64) -> Option<Found> {
    let outcome = bfs(space, &Budget { states: Some(*states), ..Budget::default() }, &mut ());
    spend(&outcome, states);
    outcome.found.into_iter().next()
}

fn cycle(product: &mut Product<Interpreter<'_>>, states: &mut u64) -> Option<Found> {
    let mut depth = FIRST_DEPTH;
    while *states > 0 {
        let budget = Budget { states: Some(*states), depth: Some(depth), ..Budget::default() };
        let outcome = nested_dfs(product, &budget, &mut ());
        spend(&outcome, states);
        if !outcome.found.is_empty() || outcome.is_complete() {
            return outcome.found.into_iter().next();
        }
        depth = depth.saturating_mul(2);
    }
    None
}

/// Follows a path and notes who moves from where to where, and what the variables are.
pub(crate) fn record(interpreter: &Interpreter<'_>, moves: &[lurcher_system::Move], kind: FoundKind) -> GoalPath {
    let model = interpreter.model();
    let seen: Vec<_> = (0..model.process_types.len()).map(|t| variables(model, ProcessTypeId(t as u16))).collect();
    let mut population = vec![0; seen.len()];
    let mut steps = Vec::new();
    let Ok(mut state) = interpreter.initial() else {
        return GoalPath { steps, variables: seen, population, kind };
    };
    count(&state, &mut population);
    let length: u32 = moves.iter().map(|m| m.length()).sum();
    let mut done = 0;
    for step in moves {
        let mover = Some((step.process, step.branch));
        for (process, branch) in mover.into_iter().chain(step.partner) {
            let process_type = state.process_type(process);
            let value = |v: &Variable| v.value(interpreter.layout(), &state, process);
            steps.push(PathStep {
                process_type,
                pid: process.0,
                rank: rank(&state, process),
                previous: state.location(process),
                next: interpreter.branch(&state, process, branch).0.target,
                branch,
                values: seen[process_type.0 as usize].iter().map(value).collect(),
                places: places(&state),
                remaining: length - done,
            });
        }
        done += step.length();
        if interpreter.apply(&mut state, step).is_some_and(|v| v.is_fatal()) {
            break;
        }
        count(&state, &mut population);
    }
    GoalPath { steps, variables: seen, population, kind }
}

fn places(state: &State) -> Vec<(ProcessTypeId, u16, LocationId)> {
    let all = (0..state.process_count()).map(ProcessId);
    all.map(|p| (state.process_type(p), rank(state, p), state.location(p))).collect()
}

/// How many processes of the same type have smaller numbers.
pub(crate) fn rank(state: &State, process: ProcessId) -> u16 {
    let own = state.process_type(process);
    (0..process.0).filter(|&p| state.process_type(ProcessId(p)) == own).count() as u16
}

fn count(state: &State, population: &mut [u16]) {
    let mut now = vec![0; population.len()];
    for p in 0..state.process_count() {
        now[state.process_type(ProcessId(p)).0 as usize] += 1;
    }
    for (most, now) in population.iter_mut().zip(now) {
        *most = now.max(*most);
    }
}
