//! Execution of deterministic sequences (`d_step`).

use lurcher_ir::{ActionKind, DStep, DStepNode};
use lurcher_syntax::Span;

use crate::channel;
use crate::eval::Context;
use crate::fault::{Fault, Violation};
use crate::interpreter::Interpreter;
use crate::state::State;

/// The most statements that a `d_step` executes.
const D_STEP_FUEL: u32 = 1_000_000;

impl Interpreter<'_> {
    /// Executes a sequence.
    pub(crate) fn run_d_step(
        &self,
        state: &mut State,
        context: Context,
        sequence: &DStep,
        span: Span,
    ) -> Option<Violation> {
        let fatal = |fault, span| Some(Violation::fatal(fault, span));
        let mut first_violation = None;
        let mut at = 0;
        for _ in 0..D_STEP_FUEL {
            match &sequence.nodes[at as usize] {
                DStepNode::Exit => return first_violation,
                DStepNode::Goto(next) => at = *next,
                DStepNode::Choose(options, span) => match self.choose(state, context, sequence, options) {
                    Ok(Some(option)) => at = option,
                    Ok(None) => return fatal(Fault::BlockedInDStep, *span),
                    Err(fault) => return fatal(fault, *span),
                },
                DStepNode::Do(kind, span, next) => {
                    match self.executable(state, context, kind) {
                        Ok(true) => {}
                        Ok(false) => return fatal(Fault::BlockedInDStep, *span),
                        Err(fault) => return fatal(fault, *span),
                    }
                    if let ActionKind::Send(c, ..) = kind
                        && let Ok(id) = self.channel(state, context, c)
                        && channel::channel_type(self.model, state, id).capacity == 0
                    {
                        return fatal(Fault::RendezvousInDStep, *span);
                    }
                    let violation = self.execute(state, context, kind, *span);
                    if violation.as_ref().is_some_and(Violation::is_fatal) {
                        return violation;
                    }
                    first_violation = first_violation.or(violation);
                    at = *next;
                }
            }
        }
        fatal(Fault::EndlessDStep(D_STEP_FUEL), span)
    }

    fn choose(&self, state: &State, context: Context, sequence: &DStep, options: &[u32]) -> Result<Option<u32>, Fault> {
        for &option in options {
            let taken = match &sequence.nodes[option as usize] {
                DStepNode::Do(kind, ..) => self.executable(state, context, kind)?,
                _ => true,
            };
            if taken {
                return Ok(Some(option));
            }
        }
        Ok(None)
    }
}
