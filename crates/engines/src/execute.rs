//! Which machine answers a question about a model.
//!
//! Compiling takes a few milliseconds, as long as interpreting hundreds of states or thousands, as the model is small or
//! large. So a search begins on the interpreter, and only one that turns out not to be small begins again as native code.
//! The number of states decides that, not the clock, so the same search always ends on the same machine; and as machines
//! agree in everything, the answer is the same anyway.

use std::time::Duration;

use lurcher_ir::{Action, ActionKind, Expr, Model};
use lurcher_jit::{Budget as JitBudget, Compiled, NotCompiled};
use lurcher_search::{Budget, Claim};
use lurcher_system::Machine;

use crate::exec::{Exec, remark};
use crate::quarry::{Quarry, Watched};

/// States that a search may store on the interpreter before compiling pays, for each action of the model: to compile
/// an action takes as long as native code saves on so many states.
const SMALL_PER_ACTION: u64 = 45;
/// The same for sends and receives, which take several times as long to compile.
const SMALL_PER_MESSAGE: u64 = 90;
/// The same for models of any size.
const SMALL: u64 = 5_000;

/// A question that can be asked of every machine.
pub(crate) trait Ask {
    /// What it comes to.
    type Answer;

    /// Asks it of a machine, within a budget.
    fn ask<M: Machine + Sync>(&mut self, machine: &M, budget: &Budget) -> Self::Answer;

    /// Did it store as many states as it was allowed, so that it is not answered?
    fn is_cut(answer: &Self::Answer) -> bool;
}

/// An answer, and where it comes from.
pub(crate) struct Answered<A> {
    pub answer: A,
    /// What ran the model: `interp` or `jit`.
    pub executor: &'static str,
    /// How long it took to compile.
    pub compile: Duration,
    /// Why it was the interpreter although native code was asked for.
    pub remark: Option<String>,
}

impl Exec {
    /// Has a machine answer a question about the model of a quarry.
    pub(crate) fn answer<A: Ask>(
        self,
        quarry: &Quarry,
        message_loss: bool,
        budget: &Budget,
        question: &mut A,
    ) -> Answered<A::Answer> {
        let interpreter = quarry.interpreter(message_loss);
        let interpreted = |answer, remark| Answered { answer, executor: "interp", compile: Duration::ZERO, remark };
        let first = match self {
            Exec::Interp => budget.clone(),
            Exec::Jit => small(&quarry.model, budget),
        };
        let answer = question.ask(&interpreter, &first);
        if first.states == budget.states || !A::is_cut(&answer) {
            return interpreted(answer, None);
        }
        match compile(quarry, message_loss) {
            Ok(compiled) => {
                let answer = question.ask(&compiled, budget);
                Answered { answer, executor: "jit", compile: compiled.size().time, remark: None }
            }
            Err(why) => interpreted(question.ask(&interpreter, budget), Some(remark(&why))),
        }
    }
}

/// What a search may use before it is not small any more.
fn small(model: &Model, budget: &Budget) -> Budget {
    let worth = |action: &Action| match action.kind {
        ActionKind::Send(..) | ActionKind::Receive { .. } => SMALL_PER_MESSAGE,
        _ => SMALL_PER_ACTION,
    };
    let actions = model.process_types.iter().flat_map(|p| &p.actions);
    let small = SMALL.min(actions.map(worth).sum());
    Budget { states: Some(budget.states.map_or(small, |states| states.min(small))), ..budget.clone() }
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
