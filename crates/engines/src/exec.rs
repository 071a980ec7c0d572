//! What runs a model: the interpreter, or native code made for it.

use std::sync::Arc;

use lurcher_ir::Expr;
use lurcher_jit::{Budget, Compiled, CompiledPlans, NotCompiled};
use lurcher_system::relation::Stepper;
use lurcher_system::{Fault, Interpreter, Machine, Move, ProcessId, State, Violation};

/// What runs a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exec {
    /// The interpreter.
    Interp,
    /// Native code, made once a search, or a hunt, turns out not to be small; the interpreter before that, and where a
    /// model is too large.
    #[default]
    Jit,
}

/// A machine of either kind.
pub enum Executor<'m> {
    /// The interpreter.
    Interp(Box<Interpreter<'m>>),
    /// Native code.
    Jit(Box<Compiled<'m>>),
}

impl Exec {
    /// Lets a stepper run its plans as native code; says why when it does not.
    pub(crate) fn speed_up(self, stepper: &mut Stepper) -> Option<String> {
        if self == Exec::Interp {
            return None;
        }
        match CompiledPlans::new(stepper, Budget::default()) {
            Ok(plans) => {
                stepper.run_natively(Arc::new(plans));
                None
            }
            Err(why) => Some(remark(&why)),
        }
    }
}

/// Said when a model is not compiled although that was asked for.
pub(crate) fn remark(why: &NotCompiled) -> String {
    format!("run by the interpreter, not as native code: {why}")
}

impl Executor<'_> {
    /// The word for it in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Executor::Interp(_) => "interp",
            Executor::Jit(_) => "jit",
        }
    }
}

impl Machine for Executor<'_> {
    fn interpreter(&self) -> &Interpreter<'_> {
        match self {
            Executor::Interp(machine) => machine,
            Executor::Jit(machine) => machine.interpreter(),
        }
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        match self {
            Executor::Interp(machine) => machine.moves(state, moves),
            Executor::Jit(machine) => machine.moves(state, moves),
        }
    }

    fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        match self {
            Executor::Interp(machine) => machine.moves_by_branch(state, id, branch, timeout, moves),
            Executor::Jit(machine) => machine.moves_by_branch(state, id, branch, timeout, moves),
        }
    }

    fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        match self {
            Executor::Interp(machine) => machine.apply(state, step),
            Executor::Jit(machine) => machine.apply(state, step),
        }
    }

    fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        match self {
            Executor::Interp(machine) => machine.holds(state, expr),
            Executor::Jit(machine) => machine.holds(state, expr),
        }
    }
}
