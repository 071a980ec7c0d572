//! What a shorter trace must show, and how a run gets there.
//!
//! A [`Position`] is a state and the set of locations at which the claim can be. The claim is not part of the choice:
//! it rides along on every way it has, so a run is determined by the moves of the system alone, and two positions
//! that are equal have the same future.

use crate::Question;
use lurcher_ir::{LocationId, ProcessTypeId};
use lurcher_search::{ClaimTable, FoundKind};
use lurcher_system::{Interpreter, Move, ProcessId, State, Violation};
use rustc_hash::FxHashMap;

use crate::minimise::lasso::stays_accepted;
use crate::minimise::run::{Run, fingerprint};

/// Where a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub state: State,
    /// Locations at which the claim can be, in order; empty without a claim.
    pub claim: Vec<LocationId>,
}

impl Position {
    /// Makes this a copy of another, without allocating where there is room.
    pub fn copy_from(&mut self, other: &Position) {
        self.state.copy_from(&other.state);
        self.claim.clone_from(&other.claim);
    }

    /// Writes it as bytes: the state, the claim's locations, their number, the holder of exclusive control.
    pub fn pack(&self, node: &mut Vec<u8>) {
        node.clear();
        node.extend_from_slice(self.state.bytes());
        for location in &self.claim {
            node.extend_from_slice(&location.0.to_le_bytes());
        }
        node.extend_from_slice(&(self.claim.len() as u16).to_le_bytes());
        node.extend_from_slice(&self.state.exclusive.map_or(0, |p| p.0 + 1).to_le_bytes());
    }

    /// A number that stands for the state alone.
    pub fn state_print(&self) -> u64 {
        fingerprint(self.state.bytes())
    }

    /// Reads it back.
    pub fn unpack(&mut self, interpreter: &Interpreter<'_>, node: &[u8]) {
        let word = |at: usize| u16::from_le_bytes([node[at], node[at + 1]]);
        let (holder, count) = (word(node.len() - 2), word(node.len() - 4) as usize);
        let state = node.len() - 4 - 2 * count;
        self.state.load(interpreter.layout(), &node[..state], holder.checked_sub(1).map(ProcessId));
        self.claim.clear();
        self.claim.extend((0..count).map(|i| LocationId(word(state + 2 * i))));
    }
}

/// What a move came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advance {
    /// The run goes on.
    On,
    /// The violation is there; the move counts for so many steps.
    Reached(u32),
    /// It is no longer a run that counts: another violation, or the claim cannot follow.
    Lost,
}

/// Where a run has to come to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target<'a> {
    /// This kind of violation.
    Violation(&'a FoundKind),
    /// A state, known by its fingerprint, in which the claim can be at one of these locations.
    Meeting(&'a Meetings),
    /// This state, after the last move, whatever was passed before.
    End(u64),
    /// A state where nothing can move and the claim accepts that it stays so.
    Stop,
}

/// States by fingerprint, with locations of the claim.
pub(crate) type Meetings = FxHashMap<u64, Vec<LocationId>>;

/// What is looked for, in which model.
pub(crate) struct Quest<'a, 'm> {
    pub interpreter: &'a Interpreter<'m>,
    pub question: &'a Question,
    /// The claim of the question, if it only asks for conditions.
    pub table: Option<&'a ClaimTable>,
    pub target: Target<'a>,
    /// The found trace passes other violations on its way, so others may as well.
    pub tolerant: bool,
    /// Where runs start, when not in the initial state.
    pub start: Option<&'a Position>,
    /// What else must be true of a run that reaches the target.
    pub approve: Option<&'a dyn Fn(&Run) -> bool>,
}

impl<'a, 'm> Quest<'a, 'm> {
    /// Looks for a violation from the initial state.
    pub fn new(
        interpreter: &'a Interpreter<'m>,
        question: &'a Question,
        table: Option<&'a ClaimTable>,
        target: Target<'a>,
    ) -> Self {
        Quest { interpreter, question, table, target, tolerant: false, start: None, approve: None }
    }

    /// Is nothing wrong with this run?
    pub fn approves(&self, run: &Run) -> bool {
        self.approve.is_none_or(|approve| approve(run))
    }

    /// Can a run be at the target before it has moved once more?
    pub fn may_be_met_at_rest(&self) -> bool {
        !matches!(self.target, Target::Violation(FoundKind::Step(_) | FoundKind::Invariant) | Target::Meeting(_))
    }

    /// Is it about runs that go on for ever? Then the claim must not come to its end on the way.
    fn is_endless(&self) -> bool {
        matches!(self.target, Target::Meeting(_) | Target::Stop)
    }

    fn claim_ended(&self, claim: &[LocationId]) -> bool {
        let Some(id) = self.question.claim else { return false };
        let process_type = self.interpreter.model().process_type(id);
        claim.iter().any(|&l| process_type.location(l).end)
    }

    fn wants(&self, violation: &Violation) -> bool {
        matches!(self.target, Target::Violation(FoundKind::Step(wanted)) if same_violation(wanted, violation))
    }

    /// Where every run starts; none when the model cannot even start.
    pub fn start(&self) -> Option<Position> {
        if let Some(start) = self.start {
            return Some(start.clone());
        }
        let state = self.interpreter.initial().ok()?;
        let initial = |id: ProcessTypeId| self.interpreter.model().process_type(id).initial;
        Some(Position { state, claim: self.question.claim.map(initial).into_iter().collect() })
    }

    /// Takes a move that is possible.
    pub fn advance(&self, position: &mut Position, step: &Move) -> Advance {
        if position.state.exclusive.is_none() && self.question.claim.is_some() {
            position.claim = self.claim_targets(position, step.timeout, false).0;
            if position.claim.is_empty() || (self.is_endless() && self.claim_ended(&position.claim)) {
                return Advance::Lost;
            }
        }
        if let Some(violation) = self.interpreter.apply(&mut position.state, step) {
            if self.wants(&violation) {
                return Advance::Reached(step.length_with(Some(&violation)));
            }
            if violation.is_fatal() || !self.tolerant {
                return Advance::Lost;
            }
        }
        if self.is_met(position) { Advance::Reached(step.length()) } else { Advance::On }
    }

    /// Is the target reached, as far as can be told without listing what can move?
    pub fn is_met(&self, position: &Position) -> bool {
        if position.state.exclusive.is_some() {
            return false;
        }
        match (self.target, &self.question.invariant) {
            (Target::Violation(FoundKind::Invariant), Some(e)) => {
                !self.interpreter.holds(&position.state, e).unwrap_or(false)
            }
            (Target::Violation(FoundKind::ClaimEnd | FoundKind::Step(_)), _) => self.claim_shows(position, false),
            (Target::Meeting(meetings), _) => {
                let there = |l: &Vec<LocationId>| l.iter().any(|l| position.claim.contains(l));
                meetings.get(&position.state_print()).is_some_and(|l| self.question.claim.is_none() || there(l))
            }
            _ => false,
        }
    }

    /// Is the target reached, given what can move?
    pub fn is_met_with(&self, position: &Position, moves: &[Move]) -> bool {
        let stopped = moves.is_empty() && position.state.exclusive.is_none();
        match self.target {
            Target::End(print) => position.state.exclusive.is_none() && position.state_print() == print,
            _ if !stopped => self.is_met(position),
            Target::Violation(FoundKind::Deadlock) => {
                position.state.process_count() > 0 && !self.interpreter.is_valid_end(&position.state)
            }
            Target::Violation(FoundKind::ClaimEnd | FoundKind::Step(_)) => self.claim_shows(position, true),
            Target::Stop => stays_accepted(self.interpreter, self.question, position),
            _ => self.is_met(position),
        }
    }

    /// Does the claim come to its end here, or violate its own assertion? Where the system has stopped, it goes on
    /// alone as long as it finds new locations.
    fn claim_shows(&self, position: &Position, stopped: bool) -> bool {
        let Some(claim) = self.question.claim else { return false };
        let process_type = self.interpreter.model().process_type(claim);
        let ends = |claim: &[LocationId]| {
            matches!(self.target, Target::Violation(FoundKind::ClaimEnd)) && self.claim_ended(claim)
        };
        let mut here = position.clone();
        for look in 0..=process_type.locations.len() {
            // The claim's first look at a state that stays is like any other.
            let (targets, violated) = self.claim_targets(&here, stopped, stopped && look > 0);
            if violated || ends(&here.claim) || ends(&targets) {
                return true;
            }
            let before = here.claim.len();
            here.claim.extend(targets);
            here.claim.sort_unstable();
            here.claim.dedup();
            if !stopped || (look > 0 && here.claim.len() == before) {
                return false;
            }
        }
        false
    }

    /// Where the claim can go, and whether it violates what is looked for on its way.
    fn claim_targets(&self, position: &Position, timeout: bool, stopped: bool) -> (Vec<LocationId>, bool) {
        let Some(claim) = self.question.claim else { return (Vec::new(), false) };
        let span = self.interpreter.model().process_type(claim).span;
        let is_wanted = |fault| self.wants(&Violation::Fault { fault, span, fatal: true, half: false });
        let mut violated = false;
        let mut targets = Vec::new();
        for &from in &position.claim {
            if let Some(table) = self.table {
                let before = targets.len();
                let listed = table.targets(self.interpreter, &position.state, from, |target| targets.push(target));
                if let Err(fault) = listed {
                    targets.truncate(before);
                    violated |= is_wanted(fault);
                }
                continue;
            }
            let steps = self.interpreter.claim_steps(&position.state, claim, from, timeout, stopped);
            let steps = steps.unwrap_or_else(|fault| {
                violated |= is_wanted(fault);
                Vec::new()
            });
            for step in steps {
                violated |= step.violation.as_ref().is_some_and(|v| self.wants(v));
                targets.push(step.target);
            }
        }
        targets.sort_unstable();
        targets.dedup();
        (targets, violated)
    }
}

/// Is it the same assertion, or the same fault at the same place? Numbers inside a fault may differ.
pub(crate) fn same_violation(a: &Violation, b: &Violation) -> bool {
    match (a, b) {
        (Violation::Assertion(a), Violation::Assertion(b)) => a == b,
        (Violation::Fault { fault: f, span: a, .. }, Violation::Fault { fault: g, span: b, .. }) => {
            std::mem::discriminant(f) == std::mem::discriminant(g) && a == b
        }
        _ => false,
    }
}
