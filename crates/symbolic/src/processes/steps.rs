//! Which branches a process is offered, and the transitions they make.
//!
//! As in the interpreter, two rules look back at what was possible before: `else` is possible when nothing before it
//! was, and once a branch of an escape is possible, branches of other groups no longer are. Who holds exclusive
//! control moves alone; he holds it only while he can move, which is decided when he gets it: the values after a step
//! are terms about the state before it, so whether he can move then is such a term as well.

use lurcher_ir::relation::{Assignment, Block, Constraint, TermId, Transition};
use lurcher_ir::{ActionKind, Branch, DStep, Expr, Location, LocationId};
use lurcher_search::Claim;

use super::action::Actor;
use super::{Builder, Case, Refusal, StateMap, Translation, Values};

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

    pub(super) fn is_at(&mut self, values: &Values, p: usize, at: LocationId) -> TermId {
        let here = self.now(values, self.slots[p].location);
        self.terms().is(here, i64::from(at.0))
    }

    /// Can a process hold exclusive control at a location?
    pub(super) fn may_hold(&self, p: usize, at: LocationId) -> bool {
        let process = self.model.process_type(self.slots[p].ty);
        process.locations.iter().flat_map(|l| &l.branches).any(|b| b.atomic && b.target == at)
    }

    /// When a process at a location may move, as far as exclusive control and its `provided` clause go.
    fn may_run(&mut self, actor: Actor, at: LocationId, values: &Values) -> Result<TermId, Refusal> {
        let holder = self.now(values, self.holder);
        let free = self.terms().is(holder, 0);
        let mine = self.terms().is(holder, actor.process as i64 + 1);
        let free = if self.may_hold(actor.process, at) { self.or(free, mine) } else { free };
        let provided = self.provided(actor, values)?;
        Ok(self.and(free, provided))
    }

    pub(super) fn provided(&mut self, actor: Actor, values: &Values) -> Result<TermId, Refusal> {
        match &self.model.process_type(self.slots[actor.process].ty).provided {
            None => Ok(self.terms().truth(true)),
            Some(e) => {
                let value = self.eval(actor.context(values), e)?;
                Ok(self.or(value.term, value.fault))
            }
        }
    }

    /// When each branch of a location is offered to a process that stands there and may move.
    fn offered(&mut self, actor: Actor, at: LocationId, values: &Values) -> Result<Vec<TermId>, Refusal> {
        let location = self.location(actor.process, at);
        let mut offered: Vec<TermId> = Vec::new();
        let mut any = self.terms().truth(false);
        for (index, branch) in location.branches.iter().enumerate() {
            let kind = self.kind(actor.process, *branch);
            let possible = if is_else(kind) { self.terms().not(any) } else { self.possible(actor, kind, values)? };
            let possible = self.unhidden(&location.branches, &offered, index, possible);
            any = self.or(any, possible);
            offered.push(possible);
        }
        Ok(offered)
    }

    /// Possible, and not hidden by an escape before it.
    pub(super) fn unhidden(
        &mut self,
        branches: &[Branch],
        offered: &[TermId],
        index: usize,
        possible: TermId,
    ) -> TermId {
        let hides = |j: usize| {
            let escape = branches[j].escape;
            escape > 0 && branches[j + 1..=index].iter().any(|b| b.escape != escape)
        };
        let hidden: Vec<TermId> = (0..index).filter(|&j| hides(j)).map(|j| offered[j]).collect();
        hidden.into_iter().fold(possible, |possible, other| self.and_not(possible, other))
    }

    /// When a branch can be taken; a fault while finding out counts.
    fn possible(&mut self, actor: Actor, kind: &ActionKind, values: &Values) -> Result<TermId, Refusal> {
        let computed = self.executable(actor.context(values), kind)?;
        let mut possible = self.or(computed.term, computed.fault);
        if let ActionKind::Send(channel, _, args) = kind {
            for (named, k) in self.rendezvous(actor.context(values), channel)? {
                for receiver in self.receivers(actor, k, args, values)? {
                    let met = self.and(named, receiver.condition);
                    possible = self.or(possible, met);
                }
            }
        }
        Ok(possible)
    }

    /// Makes the transitions of all processes.
    pub(super) fn transitions(&mut self) -> Result<(), Refusal> {
        for p in 0..self.slots.len() {
            for at in self.locations(p) {
                self.from(Actor { process: p, timeout: false }, at, None)?;
            }
        }
        if self.uses_timeout() {
            let moves = self.any_move(false)?;
            let none = self.terms().not(moves);
            for p in 0..self.slots.len() {
                for at in self.locations(p) {
                    let branches = &self.location(p, at).branches;
                    if branches.iter().any(|&b| mentions_timeout(self.kind(p, b))) {
                        self.from(Actor { process: p, timeout: true }, at, Some(none))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn uses_timeout(&self) -> bool {
        self.model.process_types.iter().flat_map(|p| &p.actions).any(|a| mentions_timeout(&a.kind))
    }

    /// The transitions of a process from a location.
    fn from(&mut self, actor: Actor, at: LocationId, only_if: Option<TermId>) -> Result<(), Refusal> {
        let nothing = Values::new();
        let location = self.location(actor.process, at);
        let here = self.is_at(&nothing, actor.process, at);
        let may = self.may_run(actor, at, &nothing)?;
        let attended = self.attended(actor.timeout);
        let mut base = self.terms().all([here, may, attended]);
        if let Some(only_if) = only_if {
            base = self.and(base, only_if);
        }
        let offered = self.offered(actor, at, &nothing)?;
        for (&branch, offer) in location.branches.iter().zip(offered) {
            let kind = self.kind(actor.process, branch);
            self.span = self.model.process_type(self.slots[actor.process].ty).action(branch.action).span;
            let guard = self.and(base, offer);
            let case = Case { guard, values: Values::new() };
            for mut case in self.perform(actor, kind, case.clone())? {
                if !case.values.contains_key(&self.beyond) && !matches!(kind, ActionKind::End) {
                    self.arrive(actor.process, branch.target, &mut case);
                    self.hold(actor.process, at, branch, &mut case)?;
                } else if self.may_hold(actor.process, at) {
                    let nobody = self.terms().value(0);
                    case.values.insert(self.holder, nobody);
                }
                self.emit(actor, case);
            }
            if let ActionKind::Send(channel, _, args) = kind {
                self.hand_over(actor, at, branch, channel, args, &case)?;
            }
        }
        Ok(())
    }

    pub(super) fn arrive(&mut self, p: usize, at: LocationId, case: &mut Case) {
        let target = self.terms().value(i64::from(at.0));
        case.values.insert(self.slots[p].location, target);
    }

    /// Who holds exclusive control after a branch.
    pub(super) fn hold(&mut self, p: usize, from: LocationId, branch: Branch, case: &mut Case) -> Result<(), Refusal> {
        if !branch.atomic {
            if self.may_hold(p, from) {
                let nobody = self.terms().value(0);
                case.values.insert(self.holder, nobody);
            }
            return Ok(());
        }
        let values = case.values.clone();
        let actor = Actor { process: p, timeout: false };
        let provided = self.provided(actor, &values)?;
        let offered = self.offered(actor, branch.target, &values)?;
        let any = self.relation.terms.any(offered);
        let goes_on = self.and(provided, any);
        let (me, nobody) = (self.terms().value(p as i64 + 1), self.terms().value(0));
        let holder = self.terms().ite(goes_on, me, nobody);
        case.values.insert(self.holder, holder);
        Ok(())
    }

    /// Adds a transition.
    pub(super) fn emit(&mut self, actor: Actor, mut case: Case) {
        if self.relation.terms.constant(case.guard) == Some(0) {
            return;
        }
        self.accompany(actor.timeout, false, &mut case.values);
        let span = self.span;
        let mut block = Block { constraints: vec![Constraint { term: case.guard, span }], ..Block::default() };
        for (variable, value) in case.values {
            if value != self.relation.terms.current(variable) {
                block.assignments.push(Assignment { variable, value, span });
            }
        }
        let name = format!("{}:{}", self.model.process_type(self.slots[actor.process].ty).name, actor.process);
        self.relation.transitions.push(Transition { name, block, keeps: true });
    }

    /// When any process can move.
    fn any_move(&mut self, timeout: bool) -> Result<TermId, Refusal> {
        let nothing = Values::new();
        let mut any = self.terms().truth(false);
        for p in 0..self.slots.len() {
            let actor = Actor { process: p, timeout };
            for at in self.locations(p) {
                let here = self.is_at(&nothing, p, at);
                let may = self.may_run(actor, at, &nothing)?;
                let here = self.and(here, may);
                let offered = self.offered(actor, at, &nothing)?;
                let some = self.relation.terms.any(offered);
                let moves = self.and(here, some);
                any = self.or(any, moves);
            }
        }
        Ok(any)
    }

    pub(super) fn finish(
        mut self,
        broken: Vec<TermId>,
        map: StateMap,
        claim: Option<Claim>,
    ) -> Result<Translation, Refusal> {
        let in_time = self.any_move(false)?;
        let mut moves = in_time;
        if self.uses_timeout() {
            let late = self.any_move(true)?;
            moves = self.or(moves, late);
        }
        let claim_ended = self.claim_ended(in_time);
        if let Some(claim) = claim {
            let stopped = self.terms().not(moves);
            self.stay(stopped);
            let accepting = self.accepting(claim);
            self.relation.justice.push(accepting);
        }
        let nothing = Values::new();
        let mut restless = self.terms().truth(false);
        for p in 0..self.slots.len() {
            let mut rests = self.terms().truth(false);
            for at in self.locations(p).filter(|&at| self.location(p, at).end).collect::<Vec<_>>() {
                let here = self.is_at(&nothing, p, at);
                rests = self.or(rests, here);
            }
            let alive = self.alive(&nothing, p);
            let not_yet = self.and_not(alive, rests);
            restless = self.or(restless, not_yet);
        }
        let stuck = self.and_not(restless, moves);
        let stored = self.free();
        let beyond = self.now(&nothing, self.beyond);
        if self.relation.transitions.is_empty() {
            // Nothing ever moves; a relation has to have a transition all the same.
            let never = self.terms().truth(false);
            let constraints = vec![Constraint { term: never, span: self.span }];
            let block = Block { constraints, ..Block::default() };
            self.relation.transitions.push(Transition { name: String::new(), block, keeps: true });
        }
        let locations = self.slots.iter().map(|slot| self.relation.terms.current(slot.location)).collect();
        let Builder { relation, violations, .. } = self;
        Ok(Translation { relation, stored, stuck, beyond, violations, broken, claim_ended, locations, map })
    }
}

fn is_else(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Else => true,
        ActionKind::DStep(DStep { guards, .. }) => matches!(guards.as_slice(), [ActionKind::Else]),
        _ => false,
    }
}

fn mentions_timeout(kind: &ActionKind) -> bool {
    mentions(kind, |e| matches!(e, Expr::Timeout))
}

/// Is there such an expression in a statement?
pub(super) fn mentions(kind: &ActionKind, wanted: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    kind.exprs(&mut |e| found |= e.any(&wanted));
    found
}
