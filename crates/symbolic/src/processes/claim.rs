//! The product with a claim.
//!
//! Every transition of the system also moves the claim, according to the state before it. A process with exclusive control
//! moves without the claim, so the claim sees an atomic chain as one step. A system without moves stutters: a transition
//! of its own moves only the claim (Spin's stutter extension). `np_` is false from the second visit of a stuttering state
//! on; if the claim reads `np_`, a variable records the stuttering. The product has the same nodes as the explicit one of
//! `lurcher_search`; violating runs are the fair runs, with justice for accepting nodes.

use lurcher_ir::relation::{Domain, TermId, VariableId};
use lurcher_ir::{ActionKind, Expr, Location, LocationId, ProcessTypeId};
use lurcher_search::Claim;
use lurcher_syntax::Span;

use super::{Builder, Case, Context, Refusal, Updates, add_variable, refuse};

/// The variables and edges of the claim.
pub(super) struct ClaimVariables {
    ty: ProcessTypeId,
    pub location: VariableId,
    /// Whether the system has stuttered, if the claim reads `np_`.
    pub stuttered: Option<VariableId>,
    /// Its edges without and with a timeout.
    edges: [Vec<Edge>; 2],
}

/// An edge of the claim.
#[derive(Clone, Copy)]
struct Edge {
    /// The claim is at the source, no process holds exclusive control, and the guard is true.
    condition: TermId,
    target: LocationId,
}

impl Builder<'_> {
    /// Adds the variables of a claim; none for `Claim::None`.
    pub(super) fn add_claim(&mut self, claim: Claim) -> Result<(), Refusal> {
        let Some(ty) = claim.process_type() else { return Ok(()) };
        let process = self.model.process_type(ty);
        let last = process.locations.len() as i64 - 1;
        let (initial, zero) = (self.value(i64::from(process.initial.0)), self.value(0));
        let location = add_variable(&mut self.relation, "claim".to_owned(), Domain::Range(0, last), initial);
        let reads_progress = process.actions.iter().any(|a| a.kind.any(&|e| matches!(e, Expr::NonProgress)));
        let stuttered =
            reads_progress.then(|| add_variable(&mut self.relation, "stayed".to_owned(), Domain::Boolean, zero));
        // The guards of the edges may count the claim, or read `stuttered`.
        self.claim = Some(ClaimVariables { ty, location, stuttered, edges: [Vec::new(), Vec::new()] });
        let edges = [self.edges(ty, location, false)?, self.edges(ty, location, true)?];
        self.claim = Some(ClaimVariables { ty, location, stuttered, edges });
        Ok(())
    }

    fn edges(&self, ty: ProcessTypeId, location: VariableId, timeout: bool) -> Result<Vec<Edge>, Refusal> {
        let process = self.model.process_type(ty);
        let unchanged = Updates::new();
        let context = Context { process: None, timeout, created: None, updates: &unchanged };
        let free = self.no_holder();
        let mut edges = Vec::new();
        for (number, from) in process.locations.iter().enumerate() {
            let here = self.and(self.is(self.current(location), number as i64), free);
            let mut before = self.truth(false);
            for branch in &from.branches {
                let possible = match &process.action(branch.action).kind {
                    ActionKind::End => continue,
                    ActionKind::Else => self.not(before),
                    ActionKind::Skip => self.truth(true),
                    ActionKind::Guard(e) => {
                        let value = self.eval(context, e)?;
                        if !self.is_false(value.fault) {
                            return refuse("a claim that may meet a fault cannot be translated to a relation");
                        }
                        value.term
                    }
                    _ => return refuse("a claim that does more than ask cannot be translated to a relation"),
                };
                if branch.atomic {
                    return refuse("a claim with an atomic sequence cannot be translated to a relation");
                }
                before = self.or(before, possible);
                edges.push(Edge { condition: self.and(here, possible), target: branch.target });
            }
        }
        Ok(edges)
    }

    /// No process holds exclusive control.
    pub(super) fn no_holder(&self) -> TermId {
        self.is(self.current(self.holder), 0)
    }

    fn claim_edges(&self, timeout: bool) -> &[Edge] {
        self.claim.as_ref().map_or(&[], |claim| &claim.edges[usize::from(timeout)])
    }

    /// Whether the claim lets the system move.
    pub(super) fn claim_can_move(&self, timeout: bool) -> TermId {
        if self.claim.is_none() {
            return self.truth(true);
        }
        let held = self.not(self.no_holder());
        let any = self.any(self.claim_edges(timeout).iter().map(|edge| edge.condition).collect());
        self.or(held, any)
    }

    /// Adds the move of the claim to a transition of the system or a stutter.
    pub(super) fn move_claim(&self, timeout: bool, stutters: bool, updates: &mut Updates) {
        let Some(&ClaimVariables { location, stuttered, .. }) = self.claim.as_ref() else { return };
        let held = self.not(self.no_holder());
        let here = self.current(location);
        let when = |condition, value| self.terms.borrow_mut().when(condition, value);
        let mut choice = vec![when(held, here)];
        for edge in self.claim_edges(timeout) {
            choice.push(when(edge.condition, self.value(i64::from(edge.target.0))));
        }
        updates.insert(location, self.terms.borrow_mut().choice(choice));
        if let Some(stuttered) = stuttered {
            updates.insert(stuttered, self.truth(stutters));
        }
    }

    /// Adds the transition of a system that cannot move.
    pub(super) fn add_stutter_transition(&mut self, stopped: TermId) {
        let guard = self.all([self.no_holder(), stopped, self.claim_can_move(true)]);
        let mut updates = Updates::from([(self.holder, self.value(0))]);
        self.move_claim(true, true, &mut updates);
        self.push_transition("stays".to_owned(), Case { guard, updates }, Span::default());
    }

    /// The nodes that a violating run visits infinitely often.
    pub(super) fn accepting(&self, claim: Claim) -> TermId {
        let mut any = self.claim_at(|l| l.accept);
        if claim.counts_system() {
            any = self.or(any, self.any_process_at(&Updates::new(), |l| l.accept));
        }
        self.and(any, self.no_holder())
    }

    /// The claim is at its end, or moves there next. `moves` are the states with a move without a timeout.
    pub(super) fn claim_ended(&self, moves: TermId) -> TermId {
        let late = self.not(moves);
        let at_end = self.claim_at(|l| l.end);
        let mut ended = self.and(at_end, self.no_holder());
        let Some(ty) = self.claim.as_ref().map(|c| c.ty) else { return self.truth(false) };
        for (timeout, when) in [(false, moves), (true, late)] {
            for edge in self.claim_edges(timeout) {
                if self.model.process_type(ty).location(edge.target).end {
                    ended = self.or(ended, self.and(edge.condition, when));
                }
            }
        }
        ended
    }

    fn claim_at(&self, wanted: impl Fn(&Location) -> bool) -> TermId {
        let Some(&ClaimVariables { ty, location, .. }) = self.claim.as_ref() else { return self.truth(false) };
        let here = self.current(location);
        let locations = self.model.process_type(ty).locations.iter().enumerate().filter(|(_, l)| wanted(l));
        locations.fold(self.truth(false), |any, (number, _)| self.or(any, self.is(here, number as i64)))
    }

    /// A process is at a location of some kind.
    pub(super) fn any_process_at(&self, updates: &Updates, wanted: impl Fn(&Location) -> bool) -> TermId {
        let mut any = self.truth(false);
        for p in 0..self.slots.len() {
            for at in self.locations(p).filter(|&at| wanted(self.location(p, at))) {
                any = self.or(any, self.is_at(updates, p, at));
            }
        }
        any
    }
}
