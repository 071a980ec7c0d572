//! The goal of a minimised path, and the positions on the way to it.
//!
//! A [`Position`] is a state together with the set of locations that the claim can have reached (subset construction). So
//! a run is determined by the moves of the system alone, and equal positions have the same future.

use std::rc::Rc;

use lurcher_ir::{LocationId, ProcessTypeId};
use lurcher_search::{ClaimTable, FoundKind};
use lurcher_system::{Interpreter, Move, ProcessId, State, Violation};
use rustc_hash::FxHashMap;

use super::run::{Run, fingerprint};
use crate::Question;

/// A state and the claim locations reachable along the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub state: State,
    /// In ascending order; empty without a claim.
    pub claim: Vec<LocationId>,
}

impl Position {
    /// Copies another position without allocating.
    pub fn copy_from(&mut self, other: &Position) {
        self.state.copy_from(&other.state);
        self.claim.clone_from(&other.claim);
    }

    /// Encodes the position: the state, the claim locations, their number, the holder of exclusive control.
    pub fn pack(&self, node: &mut Vec<u8>) {
        node.clear();
        node.extend_from_slice(self.state.bytes());
        for location in &self.claim {
            node.extend_from_slice(&location.0.to_le_bytes());
        }
        node.extend_from_slice(&(self.claim.len() as u16).to_le_bytes());
        node.extend_from_slice(&self.state.exclusive.map_or(0, |p| p.0 + 1).to_le_bytes());
    }

    /// Decodes a position.
    pub fn unpack(&mut self, interpreter: &Interpreter<'_>, node: &[u8]) {
        let word = |at: usize| u16::from_le_bytes([node[at], node[at + 1]]);
        let (holder, count) = (word(node.len() - 2), word(node.len() - 4) as usize);
        let state = node.len() - 4 - 2 * count;
        self.state.load(interpreter.layout(), &node[..state], holder.checked_sub(1).map(ProcessId));
        self.claim.clear();
        self.claim.extend((0..count).map(|i| LocationId(word(state + 2 * i))));
    }

    /// A hash of the state alone.
    pub fn state_print(&self) -> u64 {
        fingerprint(self.state.bytes())
    }
}

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advance {
    /// The run goes on.
    Continues,
    /// The goal is reached; the move counts for so many steps.
    Reached(u32),
    /// Another violation occurred, or the claim has no move.
    Rejected,
}

/// Where a run has to end.
#[derive(Clone, Copy, Debug)]
pub(super) enum GoalKind<'a> {
    /// In this kind of violation.
    Violation(&'a FoundKind),
    /// On a cycle.
    CycleEntry(&'a CycleEntries),
    /// In the state with this hash after the last move, whatever states come before.
    Return(u64),
    /// In a state without moves in which the claim accepts stuttering.
    AcceptedStop,
}

/// The states of a cycle by hash, with the claim locations from which the cycle is accepted.
pub(super) type CycleEntries = FxHashMap<u64, Rc<[LocationId]>>;

/// A process model with the question that its paths are judged against.
#[derive(Clone, Copy)]
pub(super) struct ProcessSystem<'a, 'm> {
    pub interpreter: &'a Interpreter<'m>,
    pub question: &'a Question,
    /// The claim of the question as a table, if its guards are conditions on the state alone.
    pub table: Option<&'a ClaimTable>,
    /// Only fair cycles count.
    pub fair: bool,
}

/// A goal in a model.
pub(super) struct Goal<'a, 'm> {
    pub system: ProcessSystem<'a, 'm>,
    pub kind: GoalKind<'a>,
    /// Runs may pass other, non-fatal violations, because the given path does.
    pub tolerant: bool,
    /// Where runs start, if not in the initial state.
    pub start: Option<&'a Position>,
    /// A further condition on runs that reach the goal.
    pub condition: Option<&'a dyn Fn(&Run) -> bool>,
}

impl<'a, 'm> Goal<'a, 'm> {
    pub fn new(system: ProcessSystem<'a, 'm>, kind: GoalKind<'a>) -> Self {
        Goal { system, kind, tolerant: false, start: None, condition: None }
    }

    /// Whether a run that reaches the goal satisfies the further condition.
    pub fn approves(&self, run: &Run) -> bool {
        self.condition.is_none_or(|condition| condition(run))
    }

    /// Whether a position can meet the goal without a further move.
    pub fn may_be_met_at_rest(&self) -> bool {
        !matches!(self.kind, GoalKind::Violation(FoundKind::Step(_) | FoundKind::Invariant) | GoalKind::CycleEntry(_))
    }

    fn claim_ended(&self, claim: &[LocationId]) -> bool {
        let Some(id) = self.system.question.claim else { return false };
        let process_type = self.system.interpreter.model().process_type(id);
        claim.iter().any(|&l| process_type.location(l).end)
    }

    fn wants(&self, violation: &Violation) -> bool {
        matches!(self.kind, GoalKind::Violation(FoundKind::Step(wanted)) if wanted.is_like(violation))
    }

    /// The first position of every run; none if the model has no initial state.
    pub fn start(&self) -> Option<Position> {
        if let Some(start) = self.start {
            return Some(start.clone());
        }
        let state = self.system.interpreter.initial().ok()?;
        let initial = |id: ProcessTypeId| self.system.interpreter.model().process_type(id).initial;
        Some(Position { state, claim: self.system.question.claim.map(initial).into_iter().collect() })
    }

    /// Executes an enabled move.
    pub fn advance(&self, position: &mut Position, step: &Move) -> Advance {
        if position.state.exclusive.is_none() && self.system.question.claim.is_some() {
            position.claim = self.claim_targets(position, step.timeout, false).0;
            // On an infinite run the claim must not end.
            let infinite = matches!(self.kind, GoalKind::CycleEntry(_) | GoalKind::AcceptedStop);
            if position.claim.is_empty() || (infinite && self.claim_ended(&position.claim)) {
                return Advance::Rejected;
            }
        }
        if let Some(violation) = self.system.interpreter.apply(&mut position.state, step) {
            if self.wants(&violation) {
                return Advance::Reached(step.length_with(Some(&violation)));
            }
            if violation.is_fatal() || !self.tolerant {
                return Advance::Rejected;
            }
        }
        if self.is_met(position) { Advance::Reached(step.length()) } else { Advance::Continues }
    }

    /// Whether the goal is met, as far as can be decided without the moves of the position.
    pub fn is_met(&self, position: &Position) -> bool {
        if position.state.exclusive.is_some() {
            return false;
        }
        match (self.kind, &self.system.question.invariant) {
            (GoalKind::Violation(FoundKind::Invariant), Some(e)) => {
                !self.system.interpreter.holds(&position.state, e).unwrap_or(false)
            }
            (GoalKind::Violation(FoundKind::ClaimEnd | FoundKind::Step(_)), _) => self.claim_violates(position, false),
            (GoalKind::CycleEntry(entries), _) => {
                let there = |l: &[LocationId]| l.iter().any(|l| position.claim.contains(l));
                entries.get(&position.state_print()).is_some_and(|l| self.system.question.claim.is_none() || there(l))
            }
            _ => false,
        }
    }

    /// Whether the goal is met, given the moves of the position.
    pub fn is_met_with(&self, position: &Position, moves: &[Move]) -> bool {
        let stopped = moves.is_empty() && position.state.exclusive.is_none();
        match self.kind {
            GoalKind::Return(print) => position.state.exclusive.is_none() && position.state_print() == print,
            _ if !stopped => self.is_met(position),
            GoalKind::Violation(FoundKind::Deadlock) => {
                position.state.process_count() > 0 && !self.system.interpreter.is_valid_end(&position.state)
            }
            GoalKind::Violation(FoundKind::ClaimEnd | FoundKind::Step(_)) => self.claim_violates(position, true),
            GoalKind::AcceptedStop => self.system.accepts_stutter(position),
            _ => self.is_met(position),
        }
    }

    /// Whether the claim ends here or violates its own assertion. If the system has stopped, the claim stutters on until it
    /// finds no new location.
    fn claim_violates(&self, position: &Position, stopped: bool) -> bool {
        let Some(claim) = self.system.question.claim else { return false };
        let process_type = self.system.interpreter.model().process_type(claim);
        let ends = |claim: &[LocationId]| {
            matches!(self.kind, GoalKind::Violation(FoundKind::ClaimEnd)) && self.claim_ended(claim)
        };
        let mut here = position.clone();
        for round in 0..=process_type.locations.len() {
            // The first step of the claim in the last state is an ordinary one.
            let (targets, violated) = self.claim_targets(&here, stopped, stopped && round > 0);
            if violated || ends(&here.claim) || ends(&targets) {
                return true;
            }
            let before = here.claim.len();
            here.claim.extend(targets);
            here.claim.sort_unstable();
            here.claim.dedup();
            if !stopped || (round > 0 && here.claim.len() == before) {
                return false;
            }
        }
        false
    }

    /// The claim's successor locations, and whether a step of the claim causes the wanted violation.
    fn claim_targets(&self, position: &Position, timeout: bool, stopped: bool) -> (Vec<LocationId>, bool) {
        let Some(claim) = self.system.question.claim else { return (Vec::new(), false) };
        let span = self.system.interpreter.model().process_type(claim).span;
        let is_wanted = |fault| self.wants(&Violation::Fault { fault, span, fatal: true, half: false });
        let mut violated = false;
        let mut targets = Vec::new();
        for &from in &position.claim {
            if let Some(table) = self.system.table {
                let before = targets.len();
                let listed =
                    table.targets(self.system.interpreter, &position.state, from, |target| targets.push(target));
                if let Err(fault) = listed {
                    targets.truncate(before);
                    violated |= is_wanted(fault);
                }
                continue;
            }
            match self.system.interpreter.claim_steps(&position.state, claim, from, timeout, stopped) {
                Ok(steps) => {
                    violated |= steps.iter().any(|s| s.violation.as_ref().is_some_and(|v| self.wants(v)));
                    targets.extend(steps.iter().map(|s| s.target));
                }
                Err(fault) => violated |= is_wanted(fault),
            }
        }
        targets.sort_unstable();
        targets.dedup();
        (targets, violated)
    }
}
