//! Finding a goal path.
//!
//! Breadth-first search finds a shortest path to a bad state. Accepting cycles are found by nested depth-first search with a
//! depth limit that doubles until something is found: the path is short, if not shortest. All searches share one budget of
//! states; nothing depends on the clock, unless it ends the whole construction.

use lurcher_ir::{LocationId, ProcessTypeId};
use lurcher_resources::{ResourceLimits, charge, checkpoint_now};
use lurcher_search::{
    Budget, Found, FoundKind, Nesting, Objective, Outcome, Product, Space, StateGraph, StopReason, bfs, nested_dfs,
};
use lurcher_system::{Interpreter, ProcessId, State, Violation};

use super::variables::{Variable, variables};

/// One process taking one branch on the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The type of the process.
    pub process_type: ProcessTypeId,
    /// Its number.
    pub pid: u16,
    /// Its rank: the number of processes of its type with smaller numbers.
    pub rank: u16,
    /// Its location before the step.
    pub previous: LocationId,
    /// Its location after the step.
    pub next: LocationId,
    /// Its branch.
    pub branch: u16,
    /// The values of its visible variables before the step.
    pub(crate) values: Vec<Option<i32>>,
    /// The locations of all processes before the step: type, rank, location.
    pub(crate) locations: Vec<(ProcessTypeId, u16, LocationId)>,
    /// Steps to the violation, including this one.
    pub remaining: u32,
}

/// A path to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalPath {
    /// Its steps. A rendezvous is two with the same distance.
    pub steps: Vec<PathStep>,
    /// The visible variables of each process type.
    pub(crate) variables: Vec<Vec<Variable>>,
    /// The most processes of each type at any time on the path.
    pub population: Vec<u16>,
    /// The kind of violation.
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
    /// Its length in steps of a trace.
    pub fn length(&self) -> u32 {
        self.steps.first().map_or(0, |s| s.remaining)
    }

    /// Whether it ends in a fault, which is often due to the size of the instance.
    pub fn is_fault(&self) -> bool {
        matches!(self.kind, FoundKind::Step(Violation::Fault { .. }))
    }
}

/// The first depth limit of the search for cycles.
const FIRST_DEPTH: u32 = 16;

/// Finds a short path to a violation, and subtracts the states it explores from `states`.
pub fn goal_path(interpreter: &Interpreter<'_>, objective: &Objective, states: &mut u64) -> Option<GoalPath> {
    let found = match objective.claim {
        None => {
            let invariants = objective.invariants.clone();
            breadth_first(&mut StateGraph::new(interpreter.clone(), invariants, objective.end_states), states)?
        }
        Some(claim) => {
            let mut product = Product::new(interpreter.clone(), claim, false);
            let mut half = *states / 2;
            *states -= half;
            let bad_state = breadth_first(&mut product, &mut half);
            *states += half;
            bad_state.or_else(|| cycle(&mut product, states))?
        }
    };
    let moves: Vec<_> = found.path.steps.iter().filter_map(|s| s.system).collect();
    Some(record(interpreter, &moves, found.kind))
}

/// The first violation of a search. Subtracts the states it explored; all of them if it was stopped by their number.
fn first(outcome: Outcome, allowed: &mut u64) -> Option<Found> {
    let used = if outcome.stop == StopReason::States { *allowed } else { outcome.stats.stored };
    *allowed = allowed.saturating_sub(used.max(1));
    checkpoint_now();
    outcome.found.into_iter().next()
}

/// So many states, within the limits of whoever builds the heuristic.
fn budget(states: u64) -> Budget {
    Budget { states: Some(states), resources: ResourceLimits::current(), ..Budget::default() }
}

fn breadth_first(space: &mut (impl Space<Step = lurcher_search::Step> + Send), states: &mut u64) -> Option<Found> {
    first(bfs(space, &budget(*states), &mut ()), states)
}

fn cycle(product: &mut Product<Interpreter<'_>>, states: &mut u64) -> Option<Found> {
    let mut depth = FIRST_DEPTH;
    while *states > 0 {
        let budget = Budget { depth: Some(depth), ..budget(*states) };
        let outcome = nested_dfs(product, Nesting::Everywhere, &budget, &mut ());
        let complete = outcome.is_complete();
        let found = first(outcome, states);
        if found.is_some() || complete {
            return found;
        }
        depth = depth.saturating_mul(2);
    }
    None
}

/// Executes a path and records its steps.
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
        charge(1 + state.bytes().len() / 64);
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
                locations: locations(&state),
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

fn locations(state: &State) -> Vec<(ProcessTypeId, u16, LocationId)> {
    let all = (0..state.process_count()).map(ProcessId);
    all.map(|p| (state.process_type(p), rank(state, p), state.location(p))).collect()
}

/// The rank of a process.
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
