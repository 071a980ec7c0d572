//! What a replayed trace shows.
//!
//! For a lasso the claim is run again, along the lasso and nothing else: the product of its states and the claim's
//! locations is a small graph, and the trace is evidence when that graph has an accepting cycle. How the search that
//! found the lasso moved its claim plays no part.

use std::collections::HashSet;

use lurcher_ir::{ActionKind, Expr, LocationId, ProcessType, ProcessTypeId};
use lurcher_search::Prepared;
use lurcher_syntax::Span;
use lurcher_system::{Fault, Interpreter, ProcessId, State, Violation};

use crate::replay::{Replayed, Visit};

/// What a trace shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing: it replays, and violates nothing.
    None,
    /// A step violates an assertion or meets a fault.
    Step(Violation),
    /// No process can move, and not all may rest where they are.
    Deadlock,
    /// The invariant does not hold in a state of it.
    Invariant,
    /// The claim comes to its end.
    ClaimEnd,
    /// The claim accepts the lasso.
    AcceptingCycle,
    /// The claim accepts whatever comes after it.
    BadPrefix,
}

/// What a trace is judged against; nothing means end states and assertions.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// A claim that must not accept it.
    pub claim: Option<ProcessTypeId>,
    /// The system's own accepting locations do not count.
    pub claim_alone: bool,
    /// The trace is an infinite run: a lasso, or one that stops and stays where it is.
    pub infinite: bool,
    /// An expression that holds in every state.
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
    let Question { infinite, invariant, .. } = question;
    if let Some(violation) = &replayed.start_violation {
        return Evidence::Step(violation.clone());
    }
    if let Some(violation) = replayed.steps.iter().find_map(|s| s.violation.clone()) {
        return Evidence::Step(violation);
    }
    if let Some(invariant) = &invariant {
        let broken = |s: &State| s.exclusive.is_none() && !interpreter.holds(s, invariant).unwrap_or(false);
        let mut found = broken(&replayed.initial);
        replayed.visit(interpreter, |v| found |= broken(v.after));
        return if found { Evidence::Invariant } else { Evidence::None };
    }
    if *infinite {
        return Lasso::new(interpreter, replayed, question).judge();
    }
    if replayed.cycle_start.is_some() {
        return Evidence::None;
    }
    let mut moves = Vec::new();
    let last = &replayed.last;
    interpreter.moves(last, &mut moves);
    if moves.is_empty() && last.process_count() > 0 && !interpreter.is_valid_end(last) {
        return Evidence::Deadlock;
    }
    Evidence::None
}

/// Does the cycle of a lasso neglect no process: does each move in it, or is unable to at some state of it?
pub fn is_fair(interpreter: &Interpreter<'_>, replayed: &Replayed) -> bool {
    let start = replayed.cycle_start.unwrap_or(replayed.steps.len());
    let mut served: Vec<bool> = Vec::new();
    let mut moves = Vec::new();
    replayed.visit(interpreter, |Visit { index, step, before, .. }| {
        if index < start {
            return;
        }
        let count = usize::from(before.process_count());
        served.resize(served.len().max(count), false);
        interpreter.moves(before, &mut moves);
        let settled = before.exclusive.is_none();
        for (process, served) in served.iter_mut().enumerate() {
            let is = |p: ProcessId| usize::from(p.0) == process;
            let moved = is(step.taken.process) || step.taken.partner.is_some_and(|(q, _)| is(q));
            *served |= moved || (settled && !moves.iter().any(|m| is(m.process)));
        }
    });
    served.iter().all(|s| *s)
}

/// A position along the lasso and a location of the claim.
type Node = (usize, LocationId);

struct Lasso<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    /// The states the claim sees, in order.
    states: Vec<State>,
    /// Whether a timeout made the step out of each state possible.
    timeouts: Vec<bool>,
    /// The position that follows the last one; none when the run does not go on.
    back: Option<usize>,
    /// The run ends in a state from which nothing moves, and stays there.
    stopped: bool,
    claim: Option<ProcessTypeId>,
    claim_alone: bool,
}

impl<'a, 'm> Lasso<'a, 'm> {
    fn new(interpreter: &'a Interpreter<'m>, replayed: &Replayed, question: &Question) -> Self {
        let mut states = Vec::new();
        let mut timeouts = Vec::new();
        let mut back = None;
        let mut closes = false;
        let last = &replayed.last;
        replayed.visit(interpreter, |Visit { index, step, before, .. }| {
            if replayed.cycle_start == Some(index) {
                back = Some(states.len());
                closes = before == last;
            }
            if before.exclusive.is_none() {
                states.push(before.clone());
                timeouts.push(step.taken.timeout);
            }
        });
        let mut moves = Vec::new();
        interpreter.moves(last, &mut moves);
        let stopped = moves.is_empty();
        if !closes {
            back = None;
            if last.exclusive.is_none() {
                states.push(last.clone());
                timeouts.push(stopped);
                if stopped {
                    // The claim looks at the last state once as at any other, then for ever as at one that stays.
                    states.push(last.clone());
                    timeouts.push(true);
                    back = Some(states.len() - 1);
                }
            }
        }
        Lasso {
            interpreter,
            states,
            timeouts,
            back,
            stopped: stopped && !closes,
            claim: question.claim,
            claim_alone: question.claim_alone,
        }
    }

    fn judge(&self) -> Evidence {
        let initial = match self.claim {
            Some(id) => self.interpreter.model().process_type(id).initial,
            None => LocationId(0),
        };
        if self.states.is_empty() {
            return Evidence::None;
        }
        let reachable = self.closure(vec![(0, initial)]);
        if let Some(fault) =
            reachable.iter().find_map(|&(position, location)| self.claim_steps(position, location).err())
        {
            let span = self.claim.map_or_else(Span::default, |id| self.interpreter.model().process_type(id).span);
            return Evidence::Step(Violation::Fault { fault, span, fatal: true, half: false });
        }
        if self.reaches(&reachable, |process_type, l| process_type.location(l).end) {
            return Evidence::ClaimEnd;
        }
        if self.back.is_none() {
            let prefix = self.reaches(&reachable, accepts_everything);
            return if prefix { Evidence::BadPrefix } else { Evidence::None };
        }
        let accepted = reachable.iter().any(|&n| self.accepts(n) && self.returns_to(n));
        if accepted { Evidence::AcceptingCycle } else { Evidence::None }
    }

    /// Does the claim come to such a location, its step out of the last state included?
    fn reaches(&self, reachable: &[Node], wanted: impl Fn(&ProcessType, LocationId) -> bool) -> bool {
        let Some(claim) = self.claim else { return false };
        let process_type = self.interpreter.model().process_type(claim);
        let is_wanted = |l: LocationId| wanted(process_type, l);
        let last = self.states.len() - 1;
        reachable.iter().any(|&(position, location)| {
            let steps = || self.claim_targets(position, location);
            is_wanted(location) || (position == last && steps().into_iter().any(is_wanted))
        })
    }

    fn claim_targets(&self, position: usize, location: LocationId) -> Vec<LocationId> {
        self.claim_steps(position, location).unwrap_or_default()
    }

    /// Where the claim can go; a fault when what it asks has no answer.
    fn claim_steps(&self, position: usize, location: LocationId) -> Result<Vec<LocationId>, Fault> {
        let Some(claim) = self.claim else { return Ok(vec![location]) };
        let stutter = self.stopped && position + 1 == self.states.len();
        let state = &self.states[position];
        let steps = self.interpreter.claim_steps(state, claim, location, self.timeouts[position], stutter)?;
        Ok(steps.into_iter().map(|s| s.target).collect())
    }

    fn accepts(&self, (position, location): Node) -> bool {
        let claim = self.claim.is_some_and(|id| self.interpreter.model().process_type(id).location(location).accept);
        claim || (!self.claim_alone && self.interpreter.any_location(&self.states[position], |l| l.accept))
    }

    fn successors(&self, (position, location): Node) -> Vec<Node> {
        let next = if position + 1 < self.states.len() { Some(position + 1) } else { self.back };
        let Some(next) = next else { return Vec::new() };
        self.claim_targets(position, location).into_iter().map(|l| (next, l)).collect()
    }

    /// Everything that can be reached from some nodes, those included.
    fn closure(&self, start: Vec<Node>) -> Vec<Node> {
        let mut seen: HashSet<Node> = start.iter().copied().collect();
        let mut all = start;
        let mut at = 0;
        while at < all.len() {
            for next in self.successors(all[at]) {
                if seen.insert(next) {
                    all.push(next);
                }
            }
            at += 1;
        }
        all
    }

    /// Only positions on the cycle come back, and only they are worth a search.
    fn returns_to(&self, goal: Node) -> bool {
        self.back.is_some_and(|back| goal.0 >= back) && self.closure(self.successors(goal)).contains(&goal)
    }
}

/// Is this an accepting location that the claim can always stay at?
fn accepts_everything(process_type: &ProcessType, at: LocationId) -> bool {
    let location = process_type.location(at);
    let stays = location.branches.iter().any(|b| {
        let kind = &process_type.action(b.action).kind;
        b.target == at && matches!(kind, ActionKind::Skip | ActionKind::Guard(Expr::Const(1)))
    });
    location.accept && stays
}
