//! Enabled branches and their transitions.
//!
//! As in the interpreter, `else` is enabled if no earlier branch of the location is, and an enabled escape preempts the
//! branches of other groups. A process keeps exclusive control only while it can move. This is decided when it gains
//! control: whether it can move afterwards is a term over the state before the transition.

use lurcher_ir::relation::{Assignment, Block, Constraint, TermId, Transition};
use lurcher_ir::{ActionKind, Branch, Expr, Location, LocationId};
use lurcher_search::Claim;
use lurcher_syntax::Span;

use super::action::Actor;
use super::{Builder, Case, Refusal, StateMap, Translation, Updates};

impl<'m> Builder<'m> {
    pub(super) fn location(&self, p: usize, at: LocationId) -> &'m Location {
        self.model.process_type(self.slots[p].ty).location(at)
    }

    pub(super) fn kind(&self, p: usize, branch: Branch) -> &'m ActionKind {
        &self.model.process_type(self.slots[p].ty).action(branch.action).kind
    }

    pub(super) fn locations(&self, p: usize) -> impl Iterator<Item = LocationId> + use<> {
        let count = self.model.process_type(self.slots[p].ty).locations.len();
        (1..count as u16).map(LocationId)
    }

    pub(super) fn is_at(&self, updates: &Updates, p: usize, at: LocationId) -> TermId {
        self.is(self.updated(updates, self.slots[p].location), i64::from(at.0))
    }

    /// Whether a process can hold exclusive control at a location.
    fn may_hold(&self, p: usize, at: LocationId) -> bool {
        let process = self.model.process_type(self.slots[p].ty);
        process.locations.iter().flat_map(|l| &l.branches).any(|b| b.atomic && b.target == at)
    }

    /// Whether exclusive control and the `provided` clause let a process at a location move.
    fn may_run(&self, actor: Actor, at: LocationId, updates: &Updates) -> Result<TermId, Refusal> {
        let holder = self.updated(updates, self.holder);
        let free = self.is(holder, 0);
        let mine = self.is(holder, actor.process as i64 + 1);
        let free = if self.may_hold(actor.process, at) { self.or(free, mine) } else { free };
        let provided = self.provided(actor, updates)?;
        Ok(self.and(free, provided))
    }

    pub(super) fn provided(&self, actor: Actor, updates: &Updates) -> Result<TermId, Refusal> {
        match &self.model.process_type(self.slots[actor.process].ty).provided {
            None => Ok(self.truth(true)),
            Some(e) => {
                let value = self.eval(actor.context(updates), e)?;
                Ok(self.or(value.term, value.fault))
            }
        }
    }

    /// For each branch of a location, when it is enabled for a process there that may run.
    fn enabled(&self, actor: Actor, at: LocationId, updates: &Updates) -> Result<Vec<TermId>, Refusal> {
        let location = self.location(actor.process, at);
        let mut enabled: Vec<TermId> = Vec::new();
        let mut any = self.truth(false);
        for (index, branch) in location.branches.iter().enumerate() {
            let kind = self.kind(actor.process, *branch);
            let possible = if kind.is_else() { self.not(any) } else { self.possible(actor, kind, updates)? };
            let possible = self.not_preempted(&location.branches, &enabled, index, possible);
            any = self.or(any, possible);
            enabled.push(possible);
        }
        Ok(enabled)
    }

    /// Restricts the condition of a branch to states where no earlier escape preempts it.
    pub(super) fn not_preempted(
        &self,
        branches: &[Branch],
        enabled: &[TermId],
        index: usize,
        possible: TermId,
    ) -> TermId {
        let preempts = |j: &usize| {
            let escape = branches[*j].escape;
            escape > 0 && branches[j + 1..=index].iter().any(|b| b.escape != escape)
        };
        (0..index).filter(preempts).fold(possible, |possible, j| self.and_not(possible, enabled[j]))
    }

    /// Whether a statement is executable, rendezvous included; a fault counts as executable.
    fn possible(&self, actor: Actor, kind: &ActionKind, updates: &Updates) -> Result<TermId, Refusal> {
        let value = self.executable(actor.context(updates), kind)?;
        let mut possible = self.or(value.term, value.fault);
        if let ActionKind::Send(channel, _, args) = kind {
            for (named, k) in self.rendezvous_channels(actor.context(updates), channel)? {
                for receiver in self.receivers(actor, k, args, updates)? {
                    possible = self.or(possible, self.and(named, receiver.condition));
                }
            }
        }
        Ok(possible)
    }

    /// Adds the transitions of all processes.
    pub(super) fn add_transitions(&mut self) -> Result<(), Refusal> {
        for p in 0..self.slots.len() {
            for at in self.locations(p) {
                self.add_transitions_from(Actor { process: p, timeout: false }, at, None)?;
            }
        }
        if self.uses_timeout() {
            let none = self.not(self.any_enabled(false)?);
            for p in 0..self.slots.len() {
                for at in self.locations(p) {
                    let branches = &self.location(p, at).branches;
                    if branches.iter().any(|&b| mentions_timeout(self.kind(p, b))) {
                        self.add_transitions_from(Actor { process: p, timeout: true }, at, Some(none))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn uses_timeout(&self) -> bool {
        self.model.process_types.iter().flat_map(|p| &p.actions).any(|a| mentions_timeout(&a.kind))
    }

    /// Adds the transitions of a process from a location.
    fn add_transitions_from(&mut self, actor: Actor, at: LocationId, only_if: Option<TermId>) -> Result<(), Refusal> {
        let unchanged = Updates::new();
        let location = self.location(actor.process, at);
        let here = self.is_at(&unchanged, actor.process, at);
        let may = self.may_run(actor, at, &unchanged)?;
        let mut base = self.all([here, may, self.claim_can_move(actor.timeout)]);
        if let Some(only_if) = only_if {
            base = self.and(base, only_if);
        }
        let enabled = self.enabled(actor, at, &unchanged)?;
        for (&branch, enabled) in location.branches.iter().zip(enabled) {
            let kind = self.kind(actor.process, branch);
            self.span = self.model.process_type(self.slots[actor.process].ty).action(branch.action).span;
            let guard = self.and(base, enabled);
            for mut case in self.perform(actor, kind, Case { guard, updates: Updates::new() })? {
                if !case.updates.contains_key(&self.overflow) && !matches!(kind, ActionKind::End) {
                    self.move_to(actor.process, branch.target, &mut case);
                    self.set_holder(actor.process, at, branch, &mut case)?;
                } else {
                    self.release(actor.process, at, &mut case);
                }
                self.add_transition(actor, case);
            }
            if let ActionKind::Send(channel, _, args) = kind {
                self.add_rendezvous(actor, at, branch, channel, args, guard)?;
            }
        }
        Ok(())
    }

    pub(super) fn move_to(&self, p: usize, at: LocationId, case: &mut Case) {
        case.updates.insert(self.slots[p].location, self.value(i64::from(at.0)));
    }

    /// Releases exclusive control if the process may hold it at a location.
    pub(super) fn release(&self, p: usize, at: LocationId, case: &mut Case) {
        if self.may_hold(p, at) {
            case.updates.insert(self.holder, self.value(0));
        }
    }

    /// Updates the holder of exclusive control after a branch.
    pub(super) fn set_holder(
        &self,
        p: usize,
        from: LocationId,
        branch: Branch,
        case: &mut Case,
    ) -> Result<(), Refusal> {
        if !branch.atomic {
            self.release(p, from, case);
            return Ok(());
        }
        let actor = Actor { process: p, timeout: false };
        let provided = self.provided(actor, &case.updates)?;
        let enabled = self.enabled(actor, branch.target, &case.updates)?;
        let can_move = self.and(provided, self.any(enabled));
        let holder = self.ite(can_move, self.value(p as i64 + 1), self.value(0));
        case.updates.insert(self.holder, holder);
        Ok(())
    }

    /// Adds a transition, with the move of the claim.
    pub(super) fn add_transition(&mut self, actor: Actor, mut case: Case) {
        if self.is_false(case.guard) {
            return;
        }
        self.move_claim(actor.timeout, false, &mut case.updates);
        let name = format!("{}:{}", self.model.process_type(self.slots[actor.process].ty).name, actor.process);
        case.updates.retain(|&variable, value| *value != self.current(variable));
        self.push_transition(name, case, self.span);
    }

    pub(super) fn push_transition(&mut self, name: String, case: Case, span: Span) {
        let assignments = case.updates.into_iter().map(|(variable, value)| Assignment { variable, value, span });
        let constraints = vec![Constraint { term: case.guard, span }];
        let block = Block { assignments: assignments.collect(), constraints };
        self.relation.transitions.push(Transition { name, block, keeps: true });
    }

    /// Whether any process can move.
    fn any_enabled(&self, timeout: bool) -> Result<TermId, Refusal> {
        let unchanged = Updates::new();
        let mut any = self.truth(false);
        for p in 0..self.slots.len() {
            let actor = Actor { process: p, timeout };
            for at in self.locations(p) {
                let here = self.is_at(&unchanged, p, at);
                let may = self.may_run(actor, at, &unchanged)?;
                let here = self.and(here, may);
                let enabled = self.enabled(actor, at, &unchanged)?;
                any = self.or(any, self.and(here, self.any(enabled)));
            }
        }
        Ok(any)
    }

    pub(super) fn finish(
        mut self,
        violated_invariants: Vec<TermId>,
        claim: Option<Claim>,
    ) -> Result<Translation, Refusal> {
        let map = StateMap::of(&self);
        let without_timeout = self.any_enabled(false)?;
        let mut moves = without_timeout;
        if self.uses_timeout() {
            moves = self.or(moves, self.any_enabled(true)?);
        }
        let claim_ended = self.claim_ended(without_timeout);
        if let Some(claim) = claim {
            self.add_stutter_transition(self.not(moves));
            let accepting = self.accepting(claim);
            self.relation.justice.push(accepting);
        }
        let unchanged = Updates::new();
        let mut not_ended = self.truth(false);
        for p in 0..self.slots.len() {
            let mut ended = self.truth(false);
            for at in self.locations(p).filter(|&at| self.location(p, at).end) {
                ended = self.or(ended, self.is_at(&unchanged, p, at));
            }
            not_ended = self.or(not_ended, self.and_not(self.alive(&unchanged, p), ended));
        }
        let deadlock = self.and_not(not_ended, moves);
        let stored = self.no_holder();
        let overflow = self.current(self.overflow);
        if self.relation.transitions.is_empty() {
            // A relation has at least one transition.
            let never = Case { guard: self.truth(false), updates: Updates::new() };
            self.push_transition(String::new(), never, self.span);
        }
        let locations = self.slots.iter().map(|slot| self.current(slot.location)).collect();
        let Builder { mut relation, terms, violations, .. } = self;
        relation.terms = terms.into_inner();
        Ok(Translation {
            relation,
            stored,
            deadlock,
            overflow,
            violations,
            violated_invariants,
            claim_ended,
            locations,
            map,
        })
    }
}

fn mentions_timeout(kind: &ActionKind) -> bool {
    kind.any(&|e| matches!(e, Expr::Timeout))
}
