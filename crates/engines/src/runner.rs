//! What walks run on: the interpreter at first, native code once they have become many.
//!
//! Compiling a model takes as long as interpreting thousands of steps. Both make the same walks, and steps decide when to
//! compile, not the clock, so a hunt does the same on every machine.

use std::cell::OnceCell;
use std::time::Duration;

use lurcher_ir::Expr;
use lurcher_jit::{Budget, Compiled, Kernel, NotCompiled};
use lurcher_system::{Interpreter, WalkKernel};

use crate::exec::{Exec, Executor, remark};
use crate::quarry::{Quarry, Watched};

/// Steps that walks may take on the interpreter before compiling pays, for each action of the model.
const STEPS_PER_ACTION: u64 = 400;

/// What walks run on.
pub(crate) struct Runner<'m> {
    quarry: &'m Quarry,
    message_loss: bool,
    interpreter: Executor<'m>,
    native: OnceCell<Result<Native<'m>, NotCompiled>>,
}

struct Native<'m> {
    machine: Executor<'m>,
    /// Makes the walks that need nothing but the model: none along a claim.
    kernel: Option<Kernel<'m>>,
    time: Duration,
}

impl<'m> Runner<'m> {
    pub fn new(quarry: &'m Quarry, message_loss: bool) -> Self {
        let interpreter = Executor::Interp(Box::new(Interpreter::new(&quarry.model, quarry.limits(message_loss))));
        Runner { quarry, message_loss, interpreter, native: OnceCell::new() }
    }

    /// Is it time to compile, after so many steps?
    pub fn is_due(&self, exec: Exec, steps: u64) -> bool {
        let actions: usize = self.quarry.model.process_types.iter().map(|p| p.actions.len()).sum();
        exec == Exec::Jit && self.native.get().is_none() && steps >= STEPS_PER_ACTION * actions as u64
    }

    /// Makes native code; where the model is too large for that, the interpreter goes on.
    pub fn compile(&self) {
        self.native.get_or_init(|| self.compiled());
    }

    fn compiled(&self) -> Result<Native<'m>, NotCompiled> {
        let (model, limits) = (&self.quarry.model, self.quarry.limits(self.message_loss));
        let invariants: Option<&[Expr]> = match &self.quarry.watched {
            Watched::States(invariants) => Some(invariants),
            Watched::Claim(_) => None,
        };
        let watched = invariants.unwrap_or_default().to_vec();
        let machine = Compiled::watching(model, limits.clone(), watched, Budget::default())?;
        let kernel = invariants.map(|all| Kernel::new(model, limits, all.to_vec())).transpose()?;
        let time = machine.size().time + kernel.as_ref().map_or(Duration::ZERO, |k| k.size().time);
        Ok(Native { machine: Executor::Jit(Box::new(machine)), kernel, time })
    }

    fn native(&self) -> Option<&Native<'m>> {
        self.native.get()?.as_ref().ok()
    }

    /// What answers questions about states now.
    pub fn machine(&self) -> &Executor<'m> {
        self.native().map_or(&self.interpreter, |native| &native.machine)
    }

    /// What makes the walks that need nothing but the model, where there is native code.
    pub fn kernel(&self) -> Option<&dyn WalkKernel> {
        self.native()?.kernel.as_ref().map(|k| k as &dyn WalkKernel)
    }

    /// How long it took to compile.
    pub fn time(&self) -> Duration {
        self.native().map_or(Duration::ZERO, |native| native.time)
    }

    /// Why it is the interpreter although native code was asked for.
    pub fn remark(&self) -> Option<String> {
        self.native.get()?.as_ref().err().map(remark)
    }
}
