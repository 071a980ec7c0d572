//! Native code for the plans of a relation.
//!
//! Each plan is one function. Straight-line operations, tests, domain checks and deterministic choices are native. At a
//! choice among several values the function returns to the stepper, which enumerates or draws the values and re-enters
//! behind it.

mod emit;
mod entry;
mod operator;

use cranelift_codegen::Context;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module};
use lurcher_system::relation::Stepper;
use lurcher_system::relation::native::Plan;

use crate::budget::{Budget, NotCompiled};
use crate::compiler::{Code, Compiler, signature};

pub use entry::CompiledPlans;

/// Results of native code. `BEFORE + i` returns to the stepper before instruction `i`.
pub(crate) mod answer {
    pub const END: u32 = 0;
    pub const FAILED: u32 = 1;
    pub const EFFORT: u32 = 2;
    pub const BEFORE: u32 = 3;
}

/// Compiles the plans of a stepper. Functions take the slots, the remaining effort and the first instruction, and return
/// an [`answer`].
fn compile(stepper: &Stepper, budget: Budget) -> Result<(Code, Vec<FuncId>), NotCompiled> {
    let mut compiler = Compiler::new(budget)?;
    let mut context = Context::new();
    let mut builder = FunctionBuilderContext::new();
    let mut functions = Vec::new();
    // Each operation becomes at least one instruction.
    let operations = |p: &Plan| p.ops.len() + p.instructions.len();
    compiler.check_instructions(stepper.plans().map(operations).sum())?;
    for plan in stepper.plans() {
        context.func.signature = signature([I64, I64, I32]);
        let function = FunctionBuilder::new(&mut context.func, &mut builder);
        emit::Emit::new(function, stepper, plan).write(compiler.module.target_config());
        let id = compiler.declare(&context.func.signature);
        compiler.define(id, &mut context)?;
        functions.push(id);
    }
    Ok((compiler.finish()?, functions))
}
