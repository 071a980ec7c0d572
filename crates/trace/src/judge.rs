//! What a replayed trace shows.
//!
//! On a lasso the claim is executed anew: the product of the lasso's positions and the claim's locations is a small
//! graph, and the trace is evidence if that graph has a reachable accepting cycle. The claim moves of the search that
//! found the lasso are not used.

use std::collections::HashSet;

use lurcher_ir::{ActionKind, Expr, LocationId, ProcessType, ProcessTypeId};
use lurcher_resources::checkpoint;
use lurcher_search::Prepared;
use lurcher_syntax::Span;
use lurcher_system::{Fault, Interpreter, Move, State, Violation};

use crate::replay::{Replayed, Visit};

/// What a trace shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// No violation.
    None,
    /// A step fails an assertion or causes a fault.
    Step(Violation),
    /// The last state is an invalid end state.
    Deadlock,
    /// The invariant is false in a state of the trace.
    Invariant,
    /// The claim reaches its end.
    ClaimEnd,
    /// The claim accepts the lasso.
    AcceptingCycle,
    /// The claim accepts every continuation of the trace.
    BadPrefix,
}

/// What a trace is judged against; the default is end states and assertions.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// A claim that must not accept the trace.
    pub claim: Option<ProcessTypeId>,
    /// Only the claim's accepting locations count, not those of the system.
    pub claim_alone: bool,
    /// The trace is an infinite run: a lasso, or one that stops and stutters in its last state.
    pub infinite: bool,
    /// An expression that must hold in every state.
    pub invariant: Option<Expr>,
}

impl Question {
    /// What traces of a prepared property are judged against.
    pub fn of(prepared: &Prepared) -> Question {
        match prepared.objective.claim {
            None => Question { invariant: prepared.objective.invariants.first().cloned(), ..Question::default() },
            Some(claim) => Question {
                claim: claim.process_type(),
                claim_alone: !claim.counts_system(),
                infinite: true,
                ..Question::default()
            },
        }
    }
}

/// Judges a trace.
pub fn judge(interpreter: &Interpreter<'_>, replayed: &Replayed, question: &Question) -> Evidence {
    let violations = replayed.path.steps.iter().filter_map(|s| s.violation.as_ref());
    if let Some(violation) = replayed.start_violation.iter().chain(violations).next() {
        return Evidence::Step(violation.clone());
    }
    if let Some(invariant) = &question.invariant {
        let broken = |s: &State| s.exclusive.is_none() && !interpreter.holds(s, invariant).unwrap_or(false);
        let mut found = broken(&replayed.initial);
        replayed.visit(interpreter, |v| found |= broken(v.after));
        return if found { Evidence::Invariant } else { Evidence::None };
    }
    if question.infinite {
        return LassoProduct::new(interpreter, replayed, question).judge();
    }
    let last = &replayed.last;
    let may_end = || last.process_count() == 0 || interpreter.is_valid_end(last);
    if replayed.path.cycle_start.is_none() && is_stuck(interpreter, last) && !may_end() {
        return Evidence::Deadlock;
    }
    Evidence::None
}

fn is_stuck(interpreter: &Interpreter<'_>, state: &State) -> bool {
    let mut moves = Vec::new();
    interpreter.moves(state, &mut moves);
    moves.is_empty()
}

/// Whether the cycle of a lasso is weakly fair: every process moves in it, or is disabled in some state of it.
pub fn is_fair(interpreter: &Interpreter<'_>, replayed: &Replayed) -> bool {
    let start = replayed.path.prefix().len();
    let mut fairness = FairnessTracker::default();
    replayed.visit(interpreter, |Visit { index, step, before, .. }| {
        if index >= start {
            fairness.step(interpreter, before, &step.taken);
        }
    });
    fairness.is_fair()
}

/// Weak fairness along a cycle.
#[derive(Default)]
pub(crate) struct FairnessTracker {
    /// By process: whether it moved or was disabled.
    served: Vec<bool>,
    moves: Vec<Move>,
}

impl FairnessTracker {
    /// Adds a step of the cycle.
    pub fn step(&mut self, interpreter: &Interpreter<'_>, before: &State, step: &Move) {
        let count = usize::from(before.process_count());
        self.served.resize(self.served.len().max(count), false);
        step.processes().for_each(|p| self.served[usize::from(p.0)] = true);
        if before.exclusive.is_none() {
            interpreter.moves(before, &mut self.moves);
            for (process, served) in self.served.iter_mut().enumerate() {
                *served |= !self.moves.iter().any(|m| usize::from(m.process.0) == process);
            }
        }
    }

    /// Whether every process was served.
    pub fn is_fair(&self) -> bool {
        self.served.iter().all(|s| *s)
    }
}

/// A position on the lasso and a location of the claim.
type Node = (usize, LocationId);

/// The product of a lasso and the claim.
struct LassoProduct<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    /// The states in which the claim moves, in order.
    states: Vec<State>,
    /// Whether the step out of each state is a timeout.
    timeouts: Vec<bool>,
    /// The position that follows the last one; none on a finite run.
    back: Option<usize>,
    /// The run ends in a state without moves and stutters there.
    stopped: bool,
    claim: Option<ProcessTypeId>,
    claim_alone: bool,
}

impl<'a, 'm> LassoProduct<'a, 'm> {
    fn new(interpreter: &'a Interpreter<'m>, replayed: &Replayed, question: &Question) -> Self {
        let mut states = Vec::new();
        let mut timeouts = Vec::new();
        let mut back = None;
        let mut closes = false;
        let last = &replayed.last;
        replayed.visit(interpreter, |Visit { index, step, before, .. }| {
            if replayed.path.cycle_start == Some(index) {
                back = Some(states.len());
                closes = before == last;
            }
            if before.exclusive.is_none() {
                states.push(before.clone());
                timeouts.push(step.taken.timeout);
            }
        });
        let stopped = is_stuck(interpreter, last);
        if !closes {
            back = None;
            if last.exclusive.is_none() {
                states.push(last.clone());
                timeouts.push(stopped);
                if stopped {
                    // The claim's first step in the last state is an ordinary one; the following ones are stutter steps.
                    states.push(last.clone());
                    timeouts.push(true);
                    back = Some(states.len() - 1);
                }
            }
        }
        LassoProduct {
            interpreter,
            states,
            timeouts,
            back,
            stopped: stopped && !closes,
            claim: question.claim,
            claim_alone: question.claim_alone,
        }
    }

    fn claim_type(&self) -> Option<&ProcessType> {
        self.claim.map(|id| self.interpreter.model().process_type(id))
    }

    fn judge(&self) -> Evidence {
        if self.states.is_empty() {
            return Evidence::None;
        }
        let initial = self.claim_type().map_or(LocationId(0), |claim| claim.initial);
        let reachable = self.closure(vec![(0, initial)]);
        if let Some(fault) = reachable.iter().find_map(|&node| self.claim_steps(node).err()) {
            let span = self.claim_type().map_or_else(Span::default, |claim| claim.span);
            return Evidence::Step(Violation::Fault { fault, span, fatal: true, half: false });
        }
        if self.reaches(&reachable, |claim, l| claim.location(l).end) {
            return Evidence::ClaimEnd;
        }
        if self.back.is_none() {
            let prefix = self.reaches(&reachable, accepts_everything);
            return if prefix { Evidence::BadPrefix } else { Evidence::None };
        }
        let accepted = reachable.iter().any(|&n| self.accepts(n) && self.returns_to(n));
        if accepted { Evidence::AcceptingCycle } else { Evidence::None }
    }

    /// Whether the claim reaches such a location, its step out of the last state included.
    fn reaches(&self, reachable: &[Node], wanted: impl Fn(&ProcessType, LocationId) -> bool) -> bool {
        let Some(claim) = self.claim_type() else { return false };
        let last = self.states.len() - 1;
        reachable.iter().any(|&(position, location)| {
            let targets = || self.claim_steps((position, location)).unwrap_or_default();
            wanted(claim, location) || (position == last && targets().into_iter().any(|l| wanted(claim, l)))
        })
    }

    /// The claim's successor locations, or the fault that one of its expressions causes.
    fn claim_steps(&self, (position, location): Node) -> Result<Vec<LocationId>, Fault> {
        let Some(claim) = self.claim else { return Ok(vec![location]) };
        let stutter = self.stopped && position + 1 == self.states.len();
        let state = &self.states[position];
        let steps = self.interpreter.claim_steps(state, claim, location, self.timeouts[position], stutter)?;
        Ok(steps.into_iter().map(|s| s.target).collect())
    }

    fn accepts(&self, (position, location): Node) -> bool {
        let claim = self.claim_type().is_some_and(|claim| claim.location(location).accept);
        claim || (!self.claim_alone && self.interpreter.any_location(&self.states[position], |l| l.accept))
    }

    fn successors(&self, node: Node) -> Vec<Node> {
        let next = if node.0 + 1 < self.states.len() { Some(node.0 + 1) } else { self.back };
        let Some(next) = next else { return Vec::new() };
        self.claim_steps(node).unwrap_or_default().into_iter().map(|l| (next, l)).collect()
    }

    /// The nodes reachable from some nodes, those included.
    fn closure(&self, start: Vec<Node>) -> Vec<Node> {
        let mut seen: HashSet<Node> = start.iter().copied().collect();
        let mut all = start;
        let mut at = 0;
        while at < all.len() {
            checkpoint();
            for next in self.successors(all[at]) {
                if seen.insert(next) {
                    all.push(next);
                }
            }
            at += 1;
        }
        all
    }

    /// Whether a node lies on a cycle of the product. Only positions on the lasso's cycle can.
    fn returns_to(&self, goal: Node) -> bool {
        self.back.is_some_and(|back| goal.0 >= back) && self.closure(self.successors(goal)).contains(&goal)
    }
}

/// Whether a location accepts and has a self-loop that is always enabled.
fn accepts_everything(process_type: &ProcessType, at: LocationId) -> bool {
    let location = process_type.location(at);
    let stays = location.branches.iter().any(|b| {
        let kind = &process_type.action(b.action).kind;
        b.target == at && matches!(kind, ActionKind::Skip | ActionKind::Guard(Expr::Const(1)))
    });
    location.accept && stays
}
