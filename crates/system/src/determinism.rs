//! Checks of `D_proctype`, whose processes must be deterministic.
//!
//! As in Spin, a process that takes a branch although an earlier one is enabled is reported, and the run continues. Jumps,
//! `skip`, `else` and `d_step` are not reported, but count as earlier branches.

use lurcher_ir::{ActionKind, Expr};

use crate::eval::Context;
use crate::fault::{Fault, Violation};
use crate::interpreter::{Interpreter, Move};
use crate::state::{ProcessId, State};

impl Interpreter<'_> {
    /// The violation of a move that is not the first enabled one of a deterministic process.
    pub(crate) fn nondeterminism(&self, state: &State, step: &Move) -> Option<Violation> {
        let deterministic = |id: ProcessId| self.model.process_type(state.process_type(id)).deterministic;
        let answers = step.partner.is_some_and(|(id, _)| deterministic(id));
        if !deterministic(step.process) && !answers {
            return None;
        }
        let mut moves = Vec::new();
        self.branch_moves(state, step.process, Context::of(step.process, step.timeout), &mut moves);
        let second = |id: ProcessId, branch: u16, half: bool| {
            let action = self.branch(state, id, branch).1;
            let violation = Violation::Fault { fault: Fault::Nondeterminism, span: action.span, fatal: false, half };
            (deterministic(id) && is_reported(&action.kind)).then_some(violation)
        };
        if moves.iter().any(|m| m.branch < step.branch)
            && let Some(violation) = second(step.process, step.branch, step.partner.is_some())
        {
            return Some(violation);
        }
        let (receiver, answer) = step.partner?;
        let earlier = |m: &Move| m.branch == step.branch && m.partner.is_some_and(|(p, b)| p == receiver && b < answer);
        if moves.iter().any(earlier) { second(receiver, answer, false) } else { None }
    }
}

fn is_reported(kind: &ActionKind) -> bool {
    let skip = |e: &Expr| matches!(e, Expr::Const(1));
    !matches!(kind, ActionKind::Skip | ActionKind::Else | ActionKind::DStep(_))
        && !matches!(kind, ActionKind::Guard(e) if skip(e))
}
