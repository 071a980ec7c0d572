//! The abstract states and their distances to an abstract violation.
//!
//! Forward breadth-first search from the projection of the initial state, then backwards from the goals. The length of an
//! edge is that of the steps it stands for: one, two for a rendezvous, none if the claim moves after the system has stopped.

use lurcher_ir::{ActionKind, LocationId, ProcessTypeId};
use lurcher_resources::charge;
use rustc_hash::FxHashMap;

use super::abstract_model::{AbstractModel, Obstacle};
use super::effect::{States, with};
use super::moves::{Candidate, Partner, Possible};
use super::pattern::OTHER;
use super::value::Actor;
use crate::goals::Target;
use crate::reachability_graph::goal_distances;

/// The successors of an abstract state.
#[derive(Default)]
struct Expansion {
    /// With the lengths of the edges.
    next: Vec<(u32, Vec<i32>)>,
    /// The index of the first successor by the environment.
    by_environment: usize,
    /// The distance to a violation, if the state itself or one of its steps is one.
    goal: Option<u32>,
}

impl Expansion {
    fn goal(&mut self, distance: u32) {
        self.goal = Some(self.goal.map_or(distance, |g| g.min(distance)));
    }
}

/// The width of a pattern up to which there may be as many states as the limit says; there may be fewer rows of more values.
const WIDTH: usize = 256;

/// The abstract states and their distances, if there are at most `limit` states.
pub(super) fn explore(model: &AbstractModel<'_, '_>, limit: usize) -> Result<(States, Vec<Option<u32>>), Obstacle> {
    let initial = model.initial();
    let mut known: FxHashMap<Vec<i32>, u32> = FxHashMap::default();
    known.insert(initial.clone(), 0);
    let mut states = vec![initial];
    let mut incoming: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
    let mut goals = Vec::new();
    let mut edges = 0;
    while goals.len() < states.len() {
        let from = goals.len();
        let expansion = model.expand(&states[from])?;
        charge((1 + expansion.next.len()) * (1 + model.pattern.width / 64));
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
        if states.len() > limit || edges > limit * 32 || states.len() * model.pattern.width > limit * WIDTH {
            return Err(Obstacle::TooLarge);
        }
    }
    let distances = goal_distances(&incoming, goals);
    Ok((states, distances))
}

impl AbstractModel<'_, '_> {
    fn initial(&self) -> Vec<i32> {
        let claim = self.target.claim().map_or(LocationId(0), |id| self.model().process_type(id).initial);
        let mut values = vec![0; self.pattern.width];
        self.pattern.project(self.facts, &self.facts.initial, claim, |at, v| values[at] = v);
        values
    }

    fn expand(&self, values: &[i32]) -> Result<Expansion, Obstacle> {
        let mut expansion = Expansion::default();
        let holder = values[self.pattern.holder_at()];
        let free = with(values, self.pattern.holder_at(), 0);
        if holder > 0 {
            self.move_process(&free, holder as usize - 1, &mut expansion)?;
            return Ok(expansion);
        }
        let slots = 0..self.pattern.processes.len();
        for slot in slots.clone() {
            self.move_process(&free, slot, &mut expansion)?;
        }
        expansion.by_environment = expansion.next.len();
        self.move_environment(&free, &mut expansion)?;
        let stuck = !slots.into_iter().any(|slot| self.view_of(&free, slot, Some(1)).surely_moves());
        if self.is_goal(&free, stuck) {
            expansion.goal(0);
        }
        if let Some(claim) = self.target.claim() {
            self.move_claim(&free, claim, stuck, &mut expansion);
        }
        Ok(expansion)
    }

    fn move_process(&self, values: &[i32], slot: usize, expansion: &mut Expansion) -> Result<(), Obstacle> {
        let view = self.view_of(values, slot, None);
        for Candidate { branch, kind, alone, partners, .. } in view.candidates() {
            let target = i32::from(branch.target.0);
            if alone {
                let outcomes = view.execute(kind, None)?;
                if outcomes.failed {
                    expansion.goal(1);
                }
                for mut state in outcomes.states {
                    if !matches!(kind, ActionKind::End) {
                        state[slot] = target;
                    }
                    self.settle(state, branch.atomic.then_some(slot), 1, expansion);
                }
            }
            for partner in partners {
                self.hand_over(&with(values, slot, target), partner, expansion)?;
            }
        }
        Ok(())
    }

    /// The receiver's half of a rendezvous.
    fn hand_over(&self, sent: &[i32], partner: Partner<'_>, expansion: &mut Expansion) -> Result<(), Obstacle> {
        let outcomes = self.view(sent, partner.actor).execute(partner.kind, Some(&partner.message))?;
        if outcomes.failed {
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

    /// Adds a successor; a process inside an atomic chain keeps control if it can continue.
    fn settle(&self, state: Vec<i32>, holder: Option<usize>, length: u32, expansion: &mut Expansion) {
        if let Some(slot) = holder {
            let view = self.view_of(&state, slot, Some(0));
            let may = !view.candidates().is_empty();
            let sure = !self.model().uses_priorities && view.surely_moves();
            if may || sure {
                expansion.next.push((length, with(&state, self.pattern.holder_at(), slot as i32 + 1)));
            }
            if sure {
                return;
            }
        }
        expansion.next.push((length, state));
    }

    /// The effects of environment actions.
    fn move_environment(&self, values: &[i32], expansion: &mut Expansion) -> Result<(), Obstacle> {
        for &(actor, kind) in &self.environment {
            let view = self.view(values, actor);
            if let ActionKind::Send(c, _, args) = kind {
                for partner in view.partners(c, args) {
                    self.hand_over(values, partner, expansion)?;
                }
            }
            let mut outcomes = Vec::new();
            if kind.is_else() || view.possible(kind).may() {
                outcomes.push(view.execute(kind, None)?);
            }
            // It may also receive from another environment process.
            if kind.rendezvous_receive().is_some() {
                outcomes.push(view.execute(kind, Some(&[]))?);
            }
            for outcome in outcomes {
                if outcome.failed {
                    expansion.goal(1);
                }
                let changed = outcome.states.into_iter().filter(|s| s != values);
                expansion.next.extend(changed.map(|s| (1, s)));
            }
        }
        // A process that has the number of a kept one, but another type, may die.
        let youngest = (0..self.pattern.processes.len()).rev().find(|&slot| values[slot] != 0);
        if let Some(slot) = youngest.filter(|&slot| values[slot] == OTHER) {
            expansion.next.push((1, with(values, slot, 0)));
        }
        Ok(())
    }

    fn is_goal(&self, values: &[i32], stuck: bool) -> bool {
        match self.target {
            Target::Deadlock => stuck && !self.is_valid_end(values),
            Target::Assertion => false,
            Target::Invariant(e) => self.view(values, Actor::PROPERTY).eval(e).is_none_or(|v| v == 0),
            Target::Claim(claim) => {
                let at = values[self.pattern.claim_at()] as usize;
                let own = claim.process_type().map(|id| &self.model().process_type(id).locations[at]);
                let system = claim.counts_system() && self.any_at(values, |l| l.accept) != Some(false);
                own.is_some_and(|l| l.accept || l.end) || system
            }
        }
    }

    /// Whether every process is kept and at a valid end location.
    fn is_valid_end(&self, values: &[i32]) -> bool {
        let ends = |(&(_, ty), &at): (&(u16, ProcessTypeId), &i32)| match at {
            0 => true,
            OTHER => false,
            at => self.model().process_type(ty).locations[at as usize].end,
        };
        self.all_kept() && self.model().event_trace.is_none() && self.pattern.processes.iter().zip(values).all(ends)
    }

    /// Moves the claim with every step of the system, and alone where the system may have stopped.
    fn move_claim(&self, values: &[i32], claim: ProcessTypeId, stuck: bool, expansion: &mut Expansion) {
        let at = self.pattern.claim_at();
        let process_type = self.model().process_type(claim);
        // An environment process may be inside an atomic chain, which is one step for the claim.
        let mut next = expansion.next[expansion.by_environment..].to_vec();
        for target in self.claim_targets(values, claim, false) {
            let moved = |(length, state): &(u32, Vec<i32>)| (*length, with(state, at, i32::from(target.0)));
            next.extend(expansion.next.iter().map(moved));
            if process_type.location(target).end {
                expansion.goal(0);
            }
        }
        // An environment process may move without changing anything kept, and the claim with it.
        if stuck || self.environment_types().next().is_some() {
            for target in self.claim_targets(values, claim, stuck) {
                next.push((u32::from(!stuck), with(values, at, i32::from(target.0))));
                if process_type.location(target).end {
                    expansion.goal(0);
                }
            }
        }
        expansion.next = next;
    }

    /// The locations that the claim may reach in one step of its own; an atomic chain is one step.
    fn claim_targets(&self, values: &[i32], claim: ProcessTypeId, stutter: bool) -> Vec<LocationId> {
        let process_type = self.model().process_type(claim);
        let running = self.view(values, Actor { ty: Some(claim), ..Actor::PROPERTY });
        let view = self.view(values, Actor { stutter, ..running.actor });
        let from = LocationId(values[self.pattern.claim_at()] as u16);
        let mut found = Vec::new();
        let mut seen = vec![from];
        let mut open = vec![from];
        while let Some(location) = open.pop() {
            let mut sure_before = false;
            for branch in &process_type.location(location).branches {
                let kind = &process_type.action(branch.action).kind;
                let may = match kind {
                    ActionKind::End => false,
                    ActionKind::Else => !sure_before,
                    _ => {
                        let possible = view.possible(kind);
                        // Whether the system has stopped is not certain.
                        sure_before |= possible == Possible::Surely && !stutter;
                        possible.may() || running.possible(kind).may()
                    }
                };
                if may && branch.atomic && !seen.contains(&branch.target) {
                    seen.push(branch.target);
                    open.push(branch.target);
                }
                if may && !found.contains(&branch.target) {
                    found.push(branch.target);
                }
            }
        }
        found
    }
}
