//! The abstract states, and how far each is from an abstract violation.
//!
//! Forwards, breadth first, from the projection of the initial state; then backwards from the goals. An edge is as
//! long as the steps it stands for: one, two for a rendezvous, none when the claim moves while the system has stopped.

use lurcher_ir::{ActionKind, LocationId, ProcessTypeId};
use rustc_hash::FxHashMap;

use super::abstraction::{Abstraction, Obstacle};
use super::moves::{Candidate, is_else, opening_receive};
use super::pattern::OTHER;
use super::value::{Actor, PROPERTY};
use crate::goals::Target;
use crate::reached::backwards;

/// The abstract states with their distances.
pub(super) struct Explored {
    pub states: Vec<Vec<i32>>,
    pub distances: Vec<Option<u32>>,
}

/// What follows from an abstract state.
#[derive(Default)]
struct Expansion {
    next: Vec<(u32, Vec<i32>)>,
    /// From here on, successors by dropped processes.
    by_ghosts: usize,
    goal: Option<u32>,
}

impl Expansion {
    fn goal(&mut self, distance: u32) {
        self.goal = Some(self.goal.map_or(distance, |g| g.min(distance)));
    }
}

/// Lists the abstract states, if there are not more than `limit`.
pub(super) fn explore(abstraction: &Abstraction<'_, '_>, limit: usize) -> Result<Explored, Obstacle> {
    let initial = abstraction.initial();
    let mut known: FxHashMap<Vec<i32>, u32> = FxHashMap::default();
    known.insert(initial.clone(), 0);
    let mut states = vec![initial];
    let mut incoming: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
    let mut goals = Vec::new();
    let mut edges = 0;
    while goals.len() < states.len() {
        let from = goals.len();
        let expansion = abstraction.expand(&states[from])?;
        goals.push(expansion.goal);
        edges += expansion.next.len();
        for (length, next) in expansion.next {
            let number = *known.entry(next).or_insert_with_key(|next| {
                states.push(next.clone());
                incoming.push(Vec::new());
                states.len() as u32 - 1
            });
            incoming[number as usize].push((from as u32, length));
        }
        if states.len() > limit || edges > limit * 32 {
            return Err(Obstacle::TooLarge);
        }
    }
    let distances = backwards(&incoming, &goals);
    Ok(Explored { states, distances })
}

impl<'m> Abstraction<'_, 'm> {
    fn initial(&self) -> Vec<i32> {
        let claim = self.claim().map_or(LocationId(0), |id| self.model.process_type(id).initial);
        self.pattern.abstracted(self.interpreter(), self.initial_state(), claim)
    }

    fn claim(&self) -> Option<ProcessTypeId> {
        match &self.target {
            Target::Claim(claim) => claim.process_type(),
            _ => None,
        }
    }

    fn expand(&self, values: &[i32]) -> Result<Expansion, Obstacle> {
        let mut expansion = Expansion::default();
        let holder = values[self.pattern.holder_at()];
        let mut free = values.to_vec();
        free[self.pattern.holder_at()] = 0;
        if holder > 0 {
            self.move_process(&free, holder as usize - 1, &mut expansion)?;
            return Ok(expansion);
        }
        for slot in 0..self.pattern.processes.len() {
            self.move_process(&free, slot, &mut expansion)?;
        }
        expansion.by_ghosts = expansion.next.len();
        self.move_ghosts(&free, &mut expansion)?;
        let slots = 0..self.pattern.processes.len();
        let stuck = !slots.into_iter().any(|s| self.surely_moves(&free, s, Some(1)));
        if self.is_goal(&free, stuck) {
            expansion.goal(0);
        }
        if let Some(claim) = self.claim() {
            self.move_claim(&free, claim, stuck, &mut expansion);
        }
        Ok(expansion)
    }

    fn move_process(&self, values: &[i32], slot: usize, expansion: &mut Expansion) -> Result<(), Obstacle> {
        let actor = self.actor(slot, None);
        for Candidate { branch, kind, alone, partners, .. } in self.candidates(values, slot, None) {
            let moved = |mut state: Vec<i32>| {
                if !matches!(kind, ActionKind::End) {
                    state[slot] = i32::from(branch.target.0);
                }
                state
            };
            if alone {
                let outcomes = self.execute(values, actor, kind, None)?;
                if outcomes.failed && matches!(self.target, Target::Assertion) {
                    expansion.goal(1);
                }
                for state in outcomes.states {
                    let state = moved(state);
                    self.settle(state, branch.atomic.then_some(slot), 1, expansion);
                }
            }
            for partner in partners {
                let sent = moved(values.to_vec());
                self.hand_over(&sent, partner, expansion)?;
            }
        }
        Ok(())
    }

    /// The receiver's half of a rendezvous.
    fn hand_over(
        &self,
        sent: &[i32],
        partner: super::moves::Partner<'_>,
        expansion: &mut Expansion,
    ) -> Result<(), Obstacle> {
        let outcomes = self.execute(sent, partner.actor, partner.kind, Some(&partner.message))?;
        if outcomes.failed && matches!(self.target, Target::Assertion) {
            expansion.goal(2);
        }
        for mut state in outcomes.states {
            let mut holder = None;
            if let (Some(slot), Some(answer)) = (partner.actor.slot, partner.branch) {
                state[slot] = i32::from(answer.target.0);
                holder = answer.atomic.then_some(slot);
            }
            self.settle(state, holder, 2, expansion);
        }
        Ok(())
    }

    /// Adds a successor; who is inside an atomic chain keeps control if it can go on.
    fn settle(&self, mut state: Vec<i32>, holder: Option<usize>, length: u32, expansion: &mut Expansion) {
        if let Some(slot) = holder {
            let may = !self.candidates(&state, slot, Some(0)).is_empty();
            let sure = !self.model.uses_priorities && self.surely_moves(&state, slot, Some(0));
            if may || sure {
                state[self.pattern.holder_at()] = slot as i32 + 1;
                expansion.next.push((length, state.clone()));
                state[self.pattern.holder_at()] = 0;
            }
            if sure {
                return;
            }
        }
        expansion.next.push((length, state));
    }

    /// What dropped processes may do to what is kept.
    fn move_ghosts(&self, values: &[i32], expansion: &mut Expansion) -> Result<(), Obstacle> {
        for ghost in &self.ghosts {
            if let ActionKind::Send(c, _, args) = ghost.kind {
                for partner in self.partners(values, ghost.actor, c, args) {
                    self.hand_over(values, partner, expansion)?;
                }
            }
            let mut outcomes = Vec::new();
            if is_else(ghost.kind) || self.possible(values, ghost.actor, ghost.kind).0 {
                outcomes.push(self.execute(values, ghost.actor, ghost.kind, None)?);
            }
            // It may also receive from another ghost.
            if opening_receive(ghost.kind).is_some() {
                outcomes.push(self.execute(values, ghost.actor, ghost.kind, Some(&[]))?);
            }
            for outcome in outcomes {
                if outcome.failed && matches!(self.target, Target::Assertion) {
                    expansion.goal(1);
                }
                let changed = outcome.states.into_iter().filter(|s| s != values);
                expansion.next.extend(changed.map(|s| (1, s)));
            }
        }
        Ok(())
    }

    fn is_goal(&self, values: &[i32], stuck: bool) -> bool {
        match &self.target {
            Target::Deadlock => stuck && !self.surely_over(values),
            Target::Assertion => false,
            Target::Invariant(e) => self.eval(values, PROPERTY, e).is_none_or(|v| v == 0),
            Target::Claim(claim) => {
                let own = claim.process_type().map(|id| self.claim_location(id, values));
                let system = claim.counts_system() && self.may_stand(values, |l| l.accept);
                own.is_some_and(|l| l.accept || l.end) || system
            }
        }
    }

    /// Is every process kept, and at a place where it may end?
    fn surely_over(&self, values: &[i32]) -> bool {
        let ends = |(slot, &(_, ty)): (usize, &(u16, ProcessTypeId))| match values[slot] {
            0 => true,
            OTHER => false,
            at => self.model.process_type(ty).locations[at as usize].end,
        };
        self.exact
            && self.created.is_empty()
            && self.model.event_trace.is_none()
            && self.pattern.processes.iter().enumerate().all(ends)
    }

    /// May a process stand at a location that satisfies the test?
    fn may_stand(&self, values: &[i32], test: impl Fn(&lurcher_ir::Location) -> bool) -> bool {
        let stands = |(slot, &(_, ty)): (usize, &(u16, ProcessTypeId))| {
            values[slot] > 0 && test(&self.model.process_type(ty).locations[values[slot] as usize])
        };
        let mut ghosts = self.ghost_types().map(|ty| self.model.process_type(ty));
        self.pattern.processes.iter().enumerate().any(stands) || ghosts.any(|p| p.locations.iter().any(&test))
    }

    fn claim_location(&self, claim: ProcessTypeId, values: &[i32]) -> &'m lurcher_ir::Location {
        &self.model.process_type(claim).locations[values[self.pattern.claim_at()] as usize]
    }

    /// Lets the claim move with every step of the system, and alone where the system may have stopped.
    fn move_claim(&self, values: &[i32], claim: ProcessTypeId, stuck: bool, expansion: &mut Expansion) {
        let at = self.pattern.claim_at();
        let from = LocationId(values[at] as u16);
        let process_type = self.model.process_type(claim);
        // A ghost may be inside an atomic chain, which is one step to the claim.
        let mut next = expansion.next[expansion.by_ghosts..].to_vec();
        for target in self.claim_targets(values, claim, from, false) {
            next.extend(expansion.next.iter().map(|(length, state)| (*length, moved(state, at, target))));
            if process_type.location(target).end {
                expansion.goal(0);
            }
        }
        // A ghost may move without changing anything kept, and the claim with it.
        let unseen = self.ghost_types().next().is_some();
        if stuck || unseen {
            for target in self.claim_targets(values, claim, from, stuck) {
                next.push((u32::from(!stuck), moved(values, at, target)));
                if process_type.location(target).end {
                    expansion.goal(0);
                }
            }
        }
        expansion.next = next;
    }

    /// Where the claim may go from a location in one step of its own, atomic chains being one.
    fn claim_targets(&self, values: &[i32], claim: ProcessTypeId, from: LocationId, stutter: bool) -> Vec<LocationId> {
        let process_type = self.model.process_type(claim);
        let actor = Actor { stutter, ty: Some(claim), ..PROPERTY };
        let mut found = Vec::new();
        let mut seen = vec![from];
        let mut waiting = vec![from];
        while let Some(location) = waiting.pop() {
            let mut sure_before = false;
            for branch in &process_type.location(location).branches {
                let kind = &process_type.action(branch.action).kind;
                let (may, sure) = match kind {
                    ActionKind::End => (false, false),
                    ActionKind::Else => (!sure_before, false),
                    // Whether the run has stopped is not certain, so what it decides is not either.
                    _ => (self.may_hold(values, actor, kind), self.possible(values, actor, kind).1 && !stutter),
                };
                sure_before |= sure;
                if may && branch.atomic && !seen.contains(&branch.target) {
                    seen.push(branch.target);
                    waiting.push(branch.target);
                }
                if may && !found.contains(&branch.target) {
                    found.push(branch.target);
                }
            }
        }
        found
    }

    /// May a statement of the claim be possible, whether the system has stopped or not?
    fn may_hold(&self, values: &[i32], actor: Actor, kind: &ActionKind) -> bool {
        let going_on = Actor { stutter: false, ..actor };
        self.possible(values, actor, kind).0 || self.possible(values, going_on, kind).0
    }
}

fn moved(values: &[i32], at: usize, claim: LocationId) -> Vec<i32> {
    let mut next = values.to_vec();
    next[at] = i32::from(claim.0);
    next
}
