//! What a shorter trace must show, and how a run gets there.
//!
//! A [`Position`] is a state and the set of locations at which the claim can be. The claim is not part of the choice:
//! it rides along on every way it has, so a run is determined by the moves of the system alone, and two positions
//! that are equal have the same future.

use lurcher_exec::{Interpreter, Move, ProcessId, State, Violation};
use lurcher_ir::{LocationId, ProcessTypeId};
use lurcher_search::FoundKind;
use lurcher_trace::Question;

/// Where a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub state: State,
    /// Locations at which the claim can be, in order; empty without a claim.
    pub claim: Vec<LocationId>,
}

impl Position {
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

/// What is looked for, in which model.
pub(crate) struct Quest<'a, 'm> {
    pub interpreter: &'a Interpreter<'m>,
    pub question: &'a Question,
    pub kind: &'a FoundKind,
    /// The found trace passes other violations on its way, so others may as well.
    pub tolerant: bool,
}

impl<'m> Quest<'_, 'm> {
    /// Where every run starts; none when the model cannot even start.
    pub fn start(&self) -> Option<Position> {
        let state = self.interpreter.initial().ok()?;
        let initial = |id: ProcessTypeId| self.interpreter.model().process_type(id).initial;
        Some(Position { state, claim: self.question.claim.map(initial).into_iter().collect() })
    }

    /// Takes a move that is possible.
    pub fn advance(&self, position: &mut Position, step: &Move) -> Advance {
        if position.state.exclusive.is_none() && self.question.claim.is_some() {
            position.claim = self.claim_targets(position, step.timeout, false).0;
            if position.claim.is_empty() {
                return Advance::Lost;
            }
        }
        if let Some(violation) = self.interpreter.apply(&mut position.state, step) {
            if matches!(self.kind, FoundKind::Step(wanted) if same_violation(wanted, &violation)) {
                return Advance::Reached(step.length_with(Some(&violation)));
            }
            if violation.is_fatal() || !self.tolerant {
                return Advance::Lost;
            }
        }
        if self.is_met(position) { Advance::Reached(step.length()) } else { Advance::On }
    }

    /// Does the position itself show the violation, as far as can be told without listing what can move?
    pub fn is_met(&self, position: &Position) -> bool {
        if position.state.exclusive.is_some() {
            return false;
        }
        match (self.kind, &self.question.invariant) {
            (FoundKind::Invariant, Some(e)) => !self.interpreter.holds(&position.state, e).unwrap_or(false),
            (FoundKind::ClaimEnd | FoundKind::Step(_), _) => self.claim_shows(position, false),
            _ => false,
        }
    }

    /// Does the position show the violation, given what can move?
    pub fn is_met_with(&self, position: &Position, moves: &[Move]) -> bool {
        if !moves.is_empty() || position.state.exclusive.is_some() {
            return self.is_met(position);
        }
        match self.kind {
            FoundKind::Deadlock => {
                position.state.process_count() > 0 && !self.interpreter.is_valid_end(&position.state)
            }
            FoundKind::ClaimEnd | FoundKind::Step(_) => self.claim_shows(position, true),
            _ => self.is_met(position),
        }
    }

    /// Does the claim come to its end here, or violate its own assertion? Where the system has stopped, it goes on
    /// alone as long as it finds new locations.
    fn claim_shows(&self, position: &Position, stopped: bool) -> bool {
        let Some(claim) = self.question.claim else { return false };
        let process_type = self.interpreter.model().process_type(claim);
        let ends = |claim: &[LocationId]| {
            *self.kind == FoundKind::ClaimEnd && claim.iter().any(|&l| process_type.location(l).end)
        };
        let mut here = position.clone();
        for _ in 0..process_type.locations.len() {
            let (targets, violated) = self.claim_targets(&here, stopped, stopped);
            if violated || ends(&here.claim) || ends(&targets) {
                return true;
            }
            let before = here.claim.len();
            here.claim.extend(targets);
            here.claim.sort_unstable();
            here.claim.dedup();
            if !stopped || here.claim.len() == before {
                return false;
            }
        }
        false
    }

    /// Where the claim can go, and whether it violates what is looked for on its way.
    fn claim_targets(&self, position: &Position, timeout: bool, stopped: bool) -> (Vec<LocationId>, bool) {
        let Some(claim) = self.question.claim else { return (Vec::new(), false) };
        let mut violated = false;
        let mut targets = Vec::new();
        for &from in &position.claim {
            let steps = self.interpreter.claim_steps(&position.state, claim, from, timeout, stopped);
            for step in steps.unwrap_or_default() {
                let is_wanted = |v: &Violation| matches!(self.kind, FoundKind::Step(wanted) if wanted == v);
                violated |= step.violation.as_ref().is_some_and(is_wanted);
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
