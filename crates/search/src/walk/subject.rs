//! What a walk watches for.

use lurcher_ir::{Expr, LocationId, Model};
use lurcher_system::{ClaimStep, Machine, Move, State, Violation};

use crate::outcome::FoundKind;
use crate::product::Claim;

/// What a walk watches for.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Runs that this claim accepts; nothing means bad states only.
    pub claim: Option<Claim>,
    /// Expressions that hold in every state.
    pub invariants: Vec<Expr>,
    /// States in which nothing can move and not every process may rest.
    pub end_states: bool,
    /// Cycles that neglect a process do not count.
    pub fair: bool,
}

impl Subject {
    /// Where the claim starts; location 0 without one.
    pub(crate) fn start(&self, model: &Model) -> LocationId {
        let id = self.claim.and_then(Claim::process_type);
        id.map_or(LocationId(0), |id| model.process_type(id).initial)
    }

    /// What is wrong with a state in itself.
    pub(crate) fn broken(&self, machine: &impl Machine, state: &State) -> Option<FoundKind> {
        let broken = |e| !machine.holds(state, e).unwrap_or(false);
        (state.exclusive.is_none() && self.invariants.iter().any(broken)).then_some(FoundKind::Invariant)
    }

    /// What is wrong with a state in which nothing moves.
    pub(crate) fn stuck(&self, machine: &impl Machine, state: &State) -> Option<FoundKind> {
        let dead = self.end_states && state.process_count() > 0 && !machine.is_valid_end(state);
        dead.then_some(FoundKind::Deadlock)
    }

    /// Must an accepting cycle pass here infinitely often?
    pub(crate) fn accepts(&self, machine: &impl Machine, state: &State, at: LocationId) -> bool {
        let Some(claim) = self.claim else { return false };
        if state.exclusive.is_some() {
            return false;
        }
        let own = claim.process_type().is_some_and(|id| machine.model().process_type(id).location(at).accept);
        own || (claim.counts_system() && machine.interpreter().any_location(state, |l| l.accept))
    }

    /// The claim's choices in a state; a violation when one of them is. No choices: the claim does not move with the
    /// system here, either because there is none or because an atomic chain is under way. `stayed`: the step before was
    /// the claim's alone.
    pub(crate) fn choices(
        &self,
        machine: &impl Machine,
        state: &State,
        at: LocationId,
        timeout: bool,
        stayed: bool,
    ) -> Result<Option<Vec<ClaimStep>>, FoundKind> {
        let Some(id) = self.claim.and_then(Claim::process_type).filter(|_| state.exclusive.is_none()) else {
            return Ok(None);
        };
        let process_type = machine.model().process_type(id);
        let choices = machine.interpreter().claim_steps(state, id, at, timeout, stayed).map_err(|fault| {
            FoundKind::Step(Violation::Fault { fault, span: process_type.span, fatal: true, half: false })
        })?;
        if let Some(violation) = choices.iter().find_map(|c| c.violation.clone()) {
            return Err(FoundKind::Step(violation));
        }
        let ended = |l: LocationId| process_type.location(l).end;
        if ended(at) || choices.iter().any(|c| ended(c.target)) {
            return Err(FoundKind::ClaimEnd);
        }
        Ok(Some(choices))
    }
}

/// Which processes a run has not neglected, and since when: by moving, or by not being able to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attention {
    /// By process: the position behind the last one at which it was served; 0 is never.
    served: Vec<u32>,
    moves: Vec<Move>,
}

impl Attention {
    pub fn clear(&mut self) {
        self.served.clear();
    }

    /// Notes which processes cannot move in the state at a position.
    pub fn rest(&mut self, machine: &impl Machine, state: &State, position: u32) {
        let count = state.process_count() as usize;
        if self.served.len() < count {
            self.served.resize(count, 0);
        }
        if state.exclusive.is_some() {
            return;
        }
        machine.moves(state, &mut self.moves);
        for (process, served) in self.served.iter_mut().enumerate() {
            if !self.moves.iter().any(|m| usize::from(m.process.0) == process) {
                *served = position + 1;
            }
        }
    }

    /// Notes the processes of a move at a position.
    pub fn serve(&mut self, taken: &Move, position: u32) {
        let partner = taken.partner.map(|p| p.0);
        for process in [Some(taken.process), partner].into_iter().flatten() {
            if let Some(served) = self.served.get_mut(usize::from(process.0)) {
                *served = position + 1;
            }
        }
    }

    /// Has every process been served since a position?
    pub fn all_since(&self, position: u32) -> bool {
        self.served.iter().all(|&s| s > position)
    }
}
