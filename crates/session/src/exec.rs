//! What runs a model: the interpreter, or native code made for it.

use std::sync::Arc;
use std::time::Duration;

use lurcher_exec::relation::Stepper;
use lurcher_exec::{Fault, Interpreter, Limits, Machine, Move, ProcessId, State, Violation, WalkKernel};
use lurcher_ir::{Expr, Model};
use lurcher_jit::{Budget, Compiled, CompiledPlans, Kernel, NotCompiled};

/// What runs a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exec {
    /// The interpreter.
    Interp,
    /// Native code, made before the first walk, or once a complete search turns out not to be small; the interpreter
    /// where a model is too large for that.
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

/// What walks run on: a machine, and a kernel where there is one.
pub(crate) struct Runner<'m> {
    pub machine: Executor<'m>,
    kernel: Option<Kernel<'m>>,
    /// How long it took to compile.
    pub time: Duration,
    /// Why it is the interpreter although native code was asked for.
    pub remark: Option<String>,
}

impl Exec {
    /// What walks run on; all states must satisfy the invariants.
    pub(crate) fn runner<'m>(self, model: &'m Model, limits: Limits, invariants: &[Expr]) -> Runner<'m> {
        let interpreter = || Executor::Interp(Box::new(Interpreter::new(model, limits.clone())));
        let remark = match self {
            Exec::Interp => None,
            Exec::Jit => match compile(model, &limits, invariants) {
                Ok(runner) => return runner,
                Err(why) => Some(remark(&why)),
            },
        };
        Runner { machine: interpreter(), kernel: None, time: Duration::ZERO, remark }
    }

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

fn compile<'m>(model: &'m Model, limits: &Limits, invariants: &[Expr]) -> Result<Runner<'m>, NotCompiled> {
    let machine = Compiled::watching(model, limits.clone(), invariants.to_vec(), Budget::default())?;
    let kernel = Kernel::new(model, limits.clone(), invariants.to_vec())?;
    let time = machine.size().time + kernel.size().time;
    Ok(Runner { machine: Executor::Jit(Box::new(machine)), kernel: Some(kernel), time, remark: None })
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

impl Runner<'_> {
    /// Makes the walks that need nothing but the model.
    pub fn kernel(&self) -> Option<&dyn WalkKernel> {
        self.kernel.as_ref().map(|k| k as &dyn WalkKernel)
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
