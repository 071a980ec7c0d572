//! The claim on a cycle.
//!
//! The claim may need several turns around the system's cycle to return to its own location. One turn is a relation between
//! its locations: which ones it can reach, with or without an accepting position on the way. The closure of that relation
//! gives the locations from which the cycle is accepted, and going backwards along the cycle, those at every point of it.
//! So the states of a cycle need not be kept, and the work is linear in its length. The final lasso is judged like any other
//! trace.

use std::rc::Rc;

use indexmap::IndexSet;
use lurcher_ir::LocationId;
use lurcher_resources::checkpoint;
use lurcher_system::Move;
use rustc_hash::FxBuildHasher;

use crate::judge::FairnessTracker;
use crate::minimise::process::goal::{Position, ProcessSystem};

/// A point on a cycle outside atomic chains.
#[derive(Clone, Debug)]
pub(in crate::minimise::process) struct CyclePoint {
    /// Moves of the cycle before it.
    pub index: usize,
    pub state_print: u64,
    /// The claim locations from which the cycle is accepted here; location 0 without a claim.
    pub accepted_from: Rc<[LocationId]>,
}

/// The successors of every claim location, and whether the system is in an accepting state.
type ClaimStep = (Vec<Vec<usize>>, bool);

/// A long sequence of few different values.
struct Interned<T> {
    values: IndexSet<T, FxBuildHasher>,
    sequence: Vec<usize>,
}

impl<T: std::hash::Hash + Eq> Interned<T> {
    fn new() -> Self {
        Interned { values: IndexSet::default(), sequence: Vec::new() }
    }

    fn push(&mut self, value: T) {
        self.sequence.push(self.values.insert_full(value).0);
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.sequence.iter().map(|&number| &self.values[number])
    }
}

impl ProcessSystem<'_, '_> {
    /// Executes a cycle from a position and returns its points. None if that is not possible, does not return to the
    /// state, violates something, is unfair, or if no claim location accepts it.
    pub fn cycle_points(self, start: &Position, cycle: &[Move]) -> Option<Vec<CyclePoint>> {
        let interpreter = self.interpreter;
        let mut position = Position { state: start.state.clone(), claim: Vec::new() };
        let mut fairness = FairnessTracker::default();
        let (mut points, mut steps, mut possible) = (Vec::new(), Interned::new(), Vec::new());
        let nowhere: Rc<[LocationId]> = Rc::new([]);
        for (index, step) in cycle.iter().enumerate() {
            checkpoint();
            if self.fair {
                fairness.step(interpreter, &position.state, step);
            }
            if position.state.exclusive.is_none() {
                points.push(CyclePoint { index, state_print: position.state_print(), accepted_from: nowhere.clone() });
                steps.push(self.claim_step(&position, step.timeout, false));
            }
            let state = &mut position.state;
            possible.clear();
            if step.timeout {
                interpreter.moves(state, &mut possible);
            } else if step.process.0 < state.process_count() {
                interpreter.moves_of(state, step.process, &mut possible);
            }
            if !possible.contains(step) || interpreter.apply(state, step).is_some() {
                return None;
            }
        }
        if position.state != start.state || points.first().is_none_or(|p| p.index > 0) || !fairness.is_fair() {
            return None;
        }
        let accepted = self.accepting_locations(&steps);
        let locations = |accepted: &Vec<bool>| -> Rc<[LocationId]> {
            (0..accepted.len()).filter(|&l| accepted[l]).map(|l| LocationId(l as u16)).collect()
        };
        let sets: Vec<Rc<[LocationId]>> = accepted.values.iter().map(locations).collect();
        for (point, &set) in points.iter_mut().zip(accepted.sequence.iter().rev()) {
            point.accepted_from = sets[set].clone();
        }
        (!points[0].accepted_from.is_empty()).then_some(points)
    }

    /// Whether the claim accepts a cycle that starts at a position.
    pub fn accepts_cycle(self, start: &Position, cycle: &[Move]) -> bool {
        let points = self.cycle_points(start, cycle);
        points.is_some_and(|p| self.is_at(start, |l| p[0].accepted_from.contains(&l)))
    }

    /// Whether the claim accepts stuttering in a state without moves.
    pub fn accepts_stutter(self, position: &Position) -> bool {
        // The claim's first step in the last state is an ordinary one; the following ones are stutter steps.
        let (first, _) = self.claim_step(position, true, false);
        let mut steps = Interned::new();
        steps.push(self.claim_step(position, true, true));
        let accepted = self.accepting_locations(&steps);
        self.is_at(position, |l| first[l.0 as usize].iter().any(|&to| accepted.values[0][to]))
    }

    /// Whether the claim can be at a location with a property; without a claim, whether location 0 has it.
    fn is_at(self, position: &Position, test: impl Fn(LocationId) -> bool) -> bool {
        match self.question.claim {
            Some(_) => position.claim.iter().any(|&l| test(l)),
            None => test(LocationId(0)),
        }
    }

    fn claim_step(self, position: &Position, timeout: bool, stopped: bool) -> ClaimStep {
        let accepting = !self.question.claim_alone && self.interpreter.any_location(&position.state, |l| l.accept);
        let Some(claim) = self.question.claim else { return (vec![vec![0]], accepting) };
        let targets = |l: usize| {
            let from = LocationId(l as u16);
            let steps = self.interpreter.claim_steps(&position.state, claim, from, timeout, stopped);
            steps.unwrap_or_default().into_iter().map(|s| s.target.0 as usize).collect()
        };
        ((0..self.interpreter.model().process_type(claim).locations.len()).map(targets).collect(), accepting)
    }

    /// For every point of a cycle, from the last to the first: by claim location, whether the cycle is accepted from there.
    fn accepting_locations(self, steps: &Interned<ClaimStep>) -> Interned<Vec<bool>> {
        const REACHED: u8 = 1;
        const REACHED_ACCEPTING: u8 = 3;
        let claim = self.question.claim.map(|id| self.interpreter.model().process_type(id));
        let count = claim.map_or(1, |c| c.locations.len());
        let accepting = |l: usize| claim.is_some_and(|c| c.locations[l].accept);
        let mut reach = vec![vec![0u8; count]; count];
        let mut next = vec![0u8; count];
        for (from, row) in reach.iter_mut().enumerate() {
            row[from] = REACHED;
            for (targets, system) in steps.iter() {
                checkpoint();
                next.fill(0);
                for l in (0..count).filter(|&l| row[l] > 0) {
                    let seen = if *system || accepting(l) { REACHED_ACCEPTING } else { row[l] };
                    targets[l].iter().for_each(|&target| next[target] |= seen);
                }
                row.copy_from_slice(&next);
            }
        }
        for via in 0..count {
            for from in 0..count {
                for to in 0..count {
                    if reach[from][via] > 0 && reach[via][to] > 0 {
                        reach[from][to] |= reach[from][via] | reach[via][to];
                    }
                }
            }
        }
        let returns = |l: usize| reach[l][l] == REACHED_ACCEPTING;
        let mut accepted: Vec<bool> =
            (0..count).map(|l| returns(l) || (0..count).any(|m| reach[l][m] > 0 && returns(m))).collect();
        let mut all = Interned::new();
        for (targets, _) in steps.iter().rev() {
            checkpoint();
            accepted = targets.iter().map(|targets| targets.iter().any(|&t| accepted[t])).collect();
            all.push(accepted.clone());
        }
        all
    }
}
