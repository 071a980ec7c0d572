//! Which machine runs a model: the interpreter, or native code.
//!
//! Compiling takes a few milliseconds, as long as interpreting a few thousand states. So unless the user says
//! otherwise, a search begins on the interpreter, and only one that turns out not to be small begins again on compiled
//! code. The number of states decides that, not the clock, so the same search always ends on the same machine; and as
//! machines agree in everything, the answer is the same anyway.

use std::time::Duration;

use lurcher_exec::Machine;
use lurcher_ir::{ActionKind, Expr};
use lurcher_jit::{Budget as JitBudget, Compiled, NotCompiled};
use lurcher_search::{Budget, Claim};

use crate::quarry::{Quarry, Watched};

/// How a model is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exec {
    /// Compiled, once a search turns out not to be small.
    #[default]
    Auto,
    /// By the interpreter.
    Interp,
    /// Compiled from the first state on.
    Jit,
}

/// The machine that ran a model, as reports name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// The interpreter.
    Interp,
    /// Native code, which took so long to make.
    Jit(Duration),
}

impl Executor {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Executor::Interp => "interp",
            Executor::Jit(_) => "jit",
        }
    }

    /// How long compiling took.
    pub fn compile_time(self) -> Duration {
        match self {
            Executor::Interp => Duration::ZERO,
            Executor::Jit(time) => time,
        }
    }
}

/// States that a search may store on the interpreter before it is worth compiling.
const SMALL: u64 = 2_000;

/// What the first search of [`Exec::Auto`] may use.
fn small(budget: &Budget) -> Budget {
    Budget { states: Some(budget.states.map_or(SMALL, |states| states.min(SMALL))), ..budget.clone() }
}

/// Compiles the model of a quarry, with the expressions that are watched.
fn compile(quarry: &Quarry, message_loss: bool) -> Result<Compiled<'_>, NotCompiled> {
    let watched = match &quarry.watched {
        Watched::States(invariants) => invariants.clone(),
        Watched::Claim(claim) => guards(quarry, *claim),
    };
    Compiled::watching(&quarry.model, quarry.limits(message_loss), watched, JitBudget::default())
}

/// The conditions that a claim asks for.
fn guards(quarry: &Quarry, claim: Claim) -> Vec<Expr> {
    let Some(id) = claim.process_type() else { return Vec::new() };
    let mut guards = Vec::new();
    for action in &quarry.model.process_type(id).actions {
        if let ActionKind::Guard(e) = &action.kind
            && !guards.contains(e)
        {
            guards.push(e.clone());
        }
    }
    guards
}

/// Said when a model is not compiled although that would have paid.
fn fallback(why: &NotCompiled) -> String {
    format!("the interpreter ran the model, because it cannot be compiled: {why}")
}

/// A question that is asked of a machine, whichever it is.
pub(crate) trait Ask {
    /// What it comes to.
    type Answer;

    /// Asks it of a machine, within a budget.
    fn ask<M: Machine>(&mut self, machine: &M, budget: &Budget) -> Self::Answer;

    /// Did it store as many states as it was allowed, so that it is not answered?
    fn is_cut(answer: &Self::Answer) -> bool;
}

impl Exec {
    /// Has the machine of this choice answer a question; says which it was, and why not another.
    pub(crate) fn answer<A: Ask>(
        self,
        quarry: &Quarry,
        message_loss: bool,
        budget: &Budget,
        question: &mut A,
    ) -> (A::Answer, Executor, Option<String>) {
        let interpreter = quarry.interpreter(message_loss);
        let first = match self {
            Exec::Interp => Some(budget.clone()),
            Exec::Jit => None,
            Exec::Auto => Some(small(budget)),
        };
        if let Some(first) = first {
            let answer = question.ask(&interpreter, &first);
            if first.states == budget.states || !A::is_cut(&answer) {
                return (answer, Executor::Interp, None);
            }
        }
        match compile(quarry, message_loss) {
            Ok(compiled) => (question.ask(&compiled, budget), Executor::Jit(compiled.size().time), None),
            Err(why) => (question.ask(&interpreter, budget), Executor::Interp, Some(fallback(&why))),
        }
    }
}
