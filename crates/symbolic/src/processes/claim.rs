//! Runs that a claim watches.
//!
//! The claim looks at a state and moves, and the system moves with it: a transition of the system also chooses where the
//! claim goes, from what it can do in the state before. A process that holds exclusive control moves without the claim,
//! so an atomic chain is one move to it. Where the system has stopped it stays for ever, and a transition of its own lets
//! the claim go on (Spin's stutter extension). `np_` is false from the claim's second look at such a state on; where
//! a claim asks for it, a variable tells whether the system has stayed. This is what `lurcher_search`'s product does
//! state by state, node for node; a run that violates the property is a fair one here, with justice for accepting nodes.

use lurcher_ir::relation::{
    Assignment, Block, Constraint, Domain, TermId, Transition, Variable, VariableId, VariableRole,
};
use lurcher_ir::{ActionKind, Expr, Location, LocationId, ProcessTypeId};
use lurcher_search::Claim;
use lurcher_syntax::Span;

use super::expr::Computed;
use super::steps::mentions;
use super::{Builder, Context, Refusal, Values, refuse};

/// A claim that watches.
pub(super) struct Watcher {
    ty: ProcessTypeId,
    pub location: VariableId,
    /// The system has stayed where it is, where the claim asks for progress.
    pub stayed: Option<VariableId>,
    /// Where it can go while something moves, and where after a timeout.
    ways: [Vec<Way>; 2],
}

/// Somewhere a claim can go.
struct Way {
    /// The claim is at the location it starts from, nobody holds exclusive control, and it is possible.
    condition: TermId,
    target: LocationId,
}

impl Builder<'_> {
    /// Lets a claim watch; `Claim::None` watches without moving.
    pub(super) fn watch(&mut self, claim: Claim) -> Result<(), Refusal> {
        let Some(ty) = claim.process_type() else { return Ok(()) };
        let process = self.model.process_type(ty);
        let last = process.locations.len() as i64 - 1;
        let location = self.variable("claim", Domain::Range(0, last), i64::from(process.initial.0));
        let asks = process.actions.iter().any(|a| mentions(&a.kind, |e| matches!(e, Expr::NonProgress)));
        let stayed = asks.then(|| self.variable("stayed", Domain::Boolean, 0));
        // Conditions of the claim may count it, or ask whether the system has stayed.
        self.watcher = Some(Watcher { ty, location, stayed, ways: [Vec::new(), Vec::new()] });
        let ways = [self.ways(ty, location, false)?, self.ways(ty, location, true)?];
        self.watcher = Some(Watcher { ty, location, stayed, ways });
        Ok(())
    }

    fn variable(&mut self, name: &str, domain: Domain, initial: i64) -> VariableId {
        let span = Span::default();
        let variable = Variable { name: name.to_owned(), role: VariableRole::State, domain, span };
        let variable = self.relation.add_variable(variable);
        let value = self.relation.terms.value(initial);
        self.relation.initial.assignments.push(Assignment { variable, value, span });
        variable
    }

    fn ways(&mut self, ty: ProcessTypeId, location: VariableId, timeout: bool) -> Result<Vec<Way>, Refusal> {
        let process = self.model.process_type(ty);
        let nothing = Values::new();
        let context = Context { process: None, timeout, created: None, values: &nothing };
        let free = self.free();
        let mut ways = Vec::new();
        for (number, from) in process.locations.iter().enumerate() {
            let at = self.terms().current(location);
            let here = self.terms().is(at, number as i64);
            let here = self.and(here, free);
            let mut before = self.terms().truth(false);
            for branch in &from.branches {
                let possible = match &process.action(branch.action).kind {
                    ActionKind::End => continue,
                    ActionKind::Else => self.terms().not(before),
                    ActionKind::Skip => self.terms().truth(true),
                    ActionKind::Guard(e) => {
                        let Computed { term, fault } = self.eval(context, e)?;
                        if self.relation.terms.constant(fault) != Some(0) {
                            return refuse("a claim that may meet a fault cannot be translated to a relation");
                        }
                        term
                    }
                    _ => return refuse("a claim that does more than ask cannot be translated to a relation"),
                };
                if branch.atomic {
                    return refuse("a claim with an atomic sequence cannot be translated to a relation");
                }
                before = self.or(before, possible);
                ways.push(Way { condition: self.and(here, possible), target: branch.target });
            }
        }
        Ok(ways)
    }

    /// Nobody holds exclusive control.
    pub(super) fn free(&mut self) -> TermId {
        let holder = self.relation.terms.current(self.holder);
        self.terms().is(holder, 0)
    }

    /// Where the claim can go: conditions and targets.
    fn goes(&self, timeout: bool) -> Vec<(TermId, LocationId)> {
        let ways = self.watcher.iter().flat_map(|w| &w.ways[usize::from(timeout)]);
        ways.map(|w| (w.condition, w.target)).collect()
    }

    /// When the system may move, as far as the claim goes.
    pub(super) fn attended(&mut self, timeout: bool) -> TermId {
        if self.watcher.is_none() {
            return self.terms().truth(true);
        }
        let free = self.free();
        let held = self.terms().not(free);
        let ways: Vec<TermId> = self.goes(timeout).into_iter().map(|(condition, _)| condition).collect();
        let any = self.terms().any(ways);
        self.or(held, any)
    }

    /// What the claim does while the system moves, or stays.
    pub(super) fn accompany(&mut self, timeout: bool, stays: bool, values: &mut Values) {
        let Some(&Watcher { location, stayed, .. }) = self.watcher.as_ref() else { return };
        let free = self.free();
        let held = self.terms().not(free);
        let here = self.terms().current(location);
        let mut choice = vec![self.terms().when(held, here)];
        for (condition, target) in self.goes(timeout) {
            let target = self.terms().value(i64::from(target.0));
            choice.push(self.terms().when(condition, target));
        }
        values.insert(location, self.relation.terms.choice(choice));
        if let Some(stayed) = stayed {
            values.insert(stayed, self.relation.terms.truth(stays));
        }
    }

    /// A system that has stopped stays where it is.
    pub(super) fn stay(&mut self, stopped: TermId) {
        let free = self.free();
        let attended = self.attended(true);
        let guard = self.terms().all([free, stopped, attended]);
        let span = Span::default();
        let nobody = self.terms().value(0);
        let mut values = Values::from([(self.holder, nobody)]);
        self.accompany(true, true, &mut values);
        let assignments = values.into_iter().map(|(variable, value)| Assignment { variable, value, span }).collect();
        let block = Block { assignments, constraints: vec![Constraint { term: guard, span }] };
        self.relation.transitions.push(Transition { name: "stays".to_owned(), block, keeps: true });
    }

    /// The nodes that a violating run meets again and again.
    pub(super) fn accepting(&mut self, claim: Claim) -> TermId {
        let mut any = self.claim_at(|l| l.accept);
        if claim.counts_system() {
            let system = self.somebody_at(&Values::new(), |l| l.accept);
            any = self.or(any, system);
        }
        let free = self.free();
        self.and(any, free)
    }

    /// The claim has come to its end, or does so now. What moves without a timeout is `moves`.
    pub(super) fn claim_ended(&mut self, moves: TermId) -> TermId {
        let late = self.terms().not(moves);
        let at_end = self.claim_at(|l| l.end);
        let free = self.free();
        let mut ended = self.and(at_end, free);
        let Some(ty) = self.watcher.as_ref().map(|w| w.ty) else { return self.terms().truth(false) };
        for (timeout, when) in [(false, moves), (true, late)] {
            for (condition, target) in self.goes(timeout) {
                if self.model.process_type(ty).location(target).end {
                    let ends = self.and(condition, when);
                    ended = self.or(ended, ends);
                }
            }
        }
        ended
    }

    fn claim_at(&mut self, wanted: impl Fn(&Location) -> bool) -> TermId {
        let Some(&Watcher { ty, location, .. }) = self.watcher.as_ref() else { return self.terms().truth(false) };
        let process = self.model.process_type(ty);
        let here = self.terms().current(location);
        let mut any = self.terms().truth(false);
        for (number, _) in process.locations.iter().enumerate().filter(|(_, l)| wanted(l)) {
            let is = self.terms().is(here, number as i64);
            any = self.or(any, is);
        }
        any
    }

    /// A process is at a location of some kind.
    pub(super) fn somebody_at(&mut self, values: &Values, wanted: impl Fn(&Location) -> bool) -> TermId {
        let mut any = self.terms().truth(false);
        for p in 0..self.slots.len() {
            for at in self.locations(p).filter(|&at| wanted(self.location(p, at))).collect::<Vec<_>>() {
                let here = self.is_at(values, p, at);
                any = self.or(any, here);
            }
        }
        any
    }
}
