//! What a replayed trace shows.
//!
//! On a lasso the claim is executed anew ([`LassoProduct`]): the claim moves of the search that found the lasso are not used.

use lurcher_ir::{Expr, ProcessTypeId};
use lurcher_search::Prepared;
use lurcher_system::{Interpreter, Move, State, Violation};

use crate::lasso_product::LassoProduct;
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
    /// End states are not judged.
    pub any_end: bool,
}

impl Question {
    /// What traces of a prepared property are judged against.
    pub fn of(prepared: &Prepared) -> Question {
        match prepared.objective.claim {
            None => Question {
                invariant: prepared.objective.invariants.first().cloned(),
                any_end: !prepared.objective.end_states,
                ..Question::default()
            },
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
        return LassoProduct::new(interpreter, replayed, question).evidence();
    }
    let last = &replayed.last;
    let may_end = || question.any_end || last.process_count() == 0 || interpreter.is_valid_end(last);
    if replayed.path.cycle_start.is_none() && is_stuck(interpreter, last) && !may_end() {
        return Evidence::Deadlock;
    }
    Evidence::None
}

pub(crate) fn is_stuck(interpreter: &Interpreter<'_>, state: &State) -> bool {
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
