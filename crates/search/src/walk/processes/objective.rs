//! What a search of a process model looks for.

use lurcher_ir::{Expr, LocationId, Model};
use lurcher_system::{ClaimStep, Machine, State, Violation};

use crate::outcome::FoundKind;
use crate::product::Claim;

/// What counts as a violation beside failed assertions and faults.
#[derive(Clone, Debug)]
pub struct Objective {
    /// Runs that this claim accepts; `None` means bad states only.
    pub claim: Option<Claim>,
    /// Expressions that hold in every state.
    pub invariants: Vec<Expr>,
    /// Invalid end states: no process can move and not every process is at a valid end.
    pub end_states: bool,
    /// Only weakly fair cycles count.
    pub fair: bool,
}

impl Objective {
    /// The claim's initial location; location 0 without a claim.
    pub(crate) fn start(&self, model: &Model) -> LocationId {
        let id = self.claim.and_then(Claim::process_type);
        id.map_or(LocationId(0), |id| model.process_type(id).initial)
    }

    /// Whether an accepting cycle must pass this state infinitely often.
    pub(crate) fn accepts(&self, machine: &impl Machine, state: &State, at: LocationId) -> bool {
        let Some(claim) = self.claim else { return false };
        if state.exclusive.is_some() {
            return false;
        }
        let own = claim.process_type().is_some_and(|id| machine.model().process_type(id).location(at).accept);
        own || (claim.counts_system() && machine.interpreter().any_location(state, |l| l.accept))
    }

    /// The claim's steps in a state; a violation if one of them is. `None` if the claim does not move with the system here:
    /// there is none, or an atomic sequence is under way. `stayed`: the step before was the claim's alone.
    pub(crate) fn claim_steps(
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
        let steps = machine.interpreter().claim_steps(state, id, at, timeout, stayed).map_err(|fault| {
            FoundKind::Step(Violation::Fault { fault, span: process_type.span, fatal: true, half: false })
        })?;
        if let Some(violation) = steps.iter().find_map(|c| c.violation.clone()) {
            return Err(FoundKind::Step(violation));
        }
        let ended = |l: LocationId| process_type.location(l).end;
        if ended(at) || steps.iter().any(|c| ended(c.target)) {
            return Err(FoundKind::ClaimEnd);
        }
        Ok(Some(steps))
    }
}
