//! What runs a process model: the interpreter, or native code.
//!
//! Compiling takes a few milliseconds, as long as interpreting hundreds or thousands of states. So searches and walks begin on
//! the interpreter and switch when they turn out not to be small. Counts decide that, not the clock.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use lurcher_ir::{Action, ActionKind, Expr, Model};
use lurcher_search::{Budget, Prepared};
use lurcher_system::relation::Stepper;
use lurcher_system::{Fault, Interpreter, Machine, Move, ProcessId, State, Violation, WalkKernel};

use crate::options::{Kind, Options, Parameter};

use super::jit::{Budget as JitBudget, Compiled, CompiledPlans, Kernel, NotCompiled};

/// What runs a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exec {
    /// The interpreter.
    Interp,
    /// Native code once a search or a hunt is not small; the interpreter before that, and where a model is too large.
    #[default]
    Jit,
}

/// What runs the model.
pub static EXEC: Parameter = Parameter {
    name: "exec",
    value: "HOW",
    kind: Kind::Word(&[
        ("interp", "The interpreter"),
        ("jit", "Native code, made in milliseconds; the interpreter where a model is too large or a search is small"),
    ]),
    help: "What runs the model; the results are the same",
    default: "jit",
};

impl Exec {
    /// What options ask for.
    pub fn chosen(options: &Options) -> Exec {
        if options.is(&EXEC, "interp") { Exec::Interp } else { Exec::Jit }
    }

    /// Compiles the plans of a relation's stepper; returns why that is not done.
    pub(crate) fn compile_plans(self, stepper: &mut Stepper) -> Option<String> {
        if self == Exec::Interp {
            return None;
        }
        match CompiledPlans::new(stepper, JitBudget::default()) {
            Ok(plans) => {
                stepper.run_natively(Arc::new(plans));
                None
            }
            Err(why) => Some(not_compiled(&why)),
        }
    }
}

/// Said when a model is not compiled although that was asked for.
pub(crate) fn not_compiled(why: &NotCompiled) -> String {
    format!("run by the interpreter, not as native code: {why}")
}

/// States that a search may store on the interpreter, for each action of the model: compiling an action takes as long as
/// native code saves on so many states.
const STATES_PER_ACTION: u64 = 45;
/// The same for sends and receives, which take several times as long to compile.
const STATES_PER_MESSAGE: u64 = 90;
/// The same for models of any size.
const MOST_STATES: u64 = 5_000;
/// Steps that walks may take on the interpreter, for each action of the model.
const STEPS_PER_ACTION: u64 = 400;

/// The budget of a search on the interpreter.
pub(super) fn small(model: &Model, budget: &Budget) -> Budget {
    let worth = |action: &Action| match action.kind {
        ActionKind::Send(..) | ActionKind::Receive { .. } => STATES_PER_MESSAGE,
        _ => STATES_PER_ACTION,
    };
    let small = MOST_STATES.min(model.process_types.iter().flat_map(|p| &p.actions).map(worth).sum());
    Budget { states: Some(budget.states.map_or(small, |states| states.min(small))), ..budget.clone() }
}

/// Compiles a model with the conditions that a search evaluates: invariants, and the guards of the claim.
pub(super) fn compiled(prepared: &Prepared) -> Result<Compiled<'_>, NotCompiled> {
    let mut conditions = prepared.objective.invariants.clone();
    if let Some(id) = prepared.objective.claim.and_then(|c| c.process_type()) {
        for action in &prepared.model.process_type(id).actions {
            if let ActionKind::Guard(e) = &action.kind
                && !conditions.contains(e)
            {
                conditions.push(e.clone());
            }
        }
    }
    Compiled::watching(&prepared.model, prepared.limits(), conditions, JitBudget::default())
}

/// The machines of a model for walks: the interpreter, and native code once it is made.
pub(super) struct Machines<'p> {
    prepared: &'p Prepared,
    interpreter: Executor<'p>,
    native: OnceLock<Result<Native<'p>, NotCompiled>>,
}

struct Native<'p> {
    machine: Executor<'p>,
    /// Makes unguided walks for bad states; none with a claim.
    kernel: Option<Kernel<'p>>,
    time: Duration,
}

impl<'p> Machines<'p> {
    pub fn new(prepared: &'p Prepared) -> Self {
        let interpreter = Executor::Interp(Box::new(prepared.interpreter()));
        Machines { prepared, interpreter, native: OnceLock::new() }
    }

    /// Compiles once walks have taken enough steps; true if that happens now. Where the model is too large, the
    /// interpreter goes on.
    pub fn compile_after(&self, steps: u64) -> bool {
        let actions: usize = self.prepared.model.process_types.iter().map(|p| p.actions.len()).sum();
        let due = self.native.get().is_none() && steps >= STEPS_PER_ACTION * actions as u64;
        if due {
            self.native.get_or_init(|| self.compile());
        }
        due
    }

    fn compile(&self) -> Result<Native<'p>, NotCompiled> {
        let (model, limits) = (&self.prepared.model, self.prepared.limits());
        let invariants = self.prepared.objective.invariants.clone();
        let machine = Compiled::watching(model, limits.clone(), invariants.clone(), JitBudget::default())?;
        let kernel = match self.prepared.is_about_runs() {
            true => None,
            false => Some(Kernel::new(model, limits, invariants)?),
        };
        let time = machine.size().time + kernel.as_ref().map_or(Duration::ZERO, |k| k.size().time);
        Ok(Native { machine: Executor::Jit(Box::new(machine)), kernel, time })
    }

    fn native(&self) -> Option<&Native<'p>> {
        self.native.get()?.as_ref().ok()
    }

    pub fn machine(&self) -> &Executor<'p> {
        self.native().map_or(&self.interpreter, |native| &native.machine)
    }

    pub fn kernel(&self) -> Option<&dyn WalkKernel> {
        self.native()?.kernel.as_ref().map(|k| k as &dyn WalkKernel)
    }

    pub fn compile_time(&self) -> Duration {
        self.native().map_or(Duration::ZERO, |native| native.time)
    }

    /// Why it is the interpreter although native code was asked for.
    pub fn remark(&self) -> Option<String> {
        self.native.get()?.as_ref().err().map(not_compiled)
    }
}

/// A machine of either kind.
pub enum Executor<'m> {
    /// The interpreter.
    Interp(Box<Interpreter<'m>>),
    /// Native code.
    Jit(Box<Compiled<'m>>),
}

impl Executor<'_> {
    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Executor::Interp(_) => "interp",
            Executor::Jit(_) => "jit",
        }
    }
}

/// Calls a method of whichever machine it is.
macro_rules! either {
    ($self:ident, $machine:ident => $call:expr) => {
        match $self {
            Executor::Interp($machine) => $call,
            Executor::Jit($machine) => $call,
        }
    };
}

impl<'m> Machine for Executor<'m> {
    type Base = Interpreter<'m>;

    fn base(&self) -> &Interpreter<'m> {
        either!(self, machine => machine.base())
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        either!(self, machine => machine.moves(state, moves));
    }

    fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        either!(self, machine => machine.moves_by_branch(state, id, branch, timeout, moves));
    }

    fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        either!(self, machine => machine.apply(state, step))
    }

    fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        either!(self, machine => machine.holds(state, expr))
    }
}
