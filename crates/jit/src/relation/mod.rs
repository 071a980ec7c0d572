//! The plans of a relation as native code.
//!
//! A function for each plan runs it from one instruction to the next that is the stepper's. Straight-line operations,
//! tests, values that must lie in a domain and choices that conditions decide are native; a choice among several values
//! is opened by the stepper, which draws or lists them, and the code goes on behind it.

mod emit;
mod entry;
mod operator;

use std::time::Instant;

use cranelift_codegen::Context;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AbiParam, Signature};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use lurcher_system::relation::Stepper;
use lurcher_system::relation::native::Plan;

use crate::budget::{Budget, NotCompiled};
use crate::build::module;
use crate::compiled::Size;

pub use entry::CompiledPlans;

/// What native code answers: these, and behind them the instructions of the stepper.
pub(crate) mod answer {
    pub const END: u32 = 0;
    pub const FAILED: u32 = 1;
    pub const EFFORT: u32 = 2;
    pub const BEFORE: u32 = 3;
}

/// Compiles plans, one function for each, within a budget.
fn compile(stepper: &Stepper, budget: Budget) -> Result<(JITModule, Vec<FuncId>, Size), NotCompiled> {
    let started = Instant::now();
    let mut module = module()?;
    let mut context = Context::new();
    let mut builder = FunctionBuilderContext::new();
    let mut functions = Vec::new();
    let mut instructions = 0;
    let operations = |p: &Plan| p.ops.len() + p.instructions.len();
    // Each becomes at least an instruction: what cannot fit is not begun.
    if stepper.plans().map(operations).sum::<usize>() > budget.instructions {
        return Err(NotCompiled::Instructions(budget.instructions));
    }
    for plan in stepper.plans() {
        context.func.signature = signature();
        let function = FunctionBuilder::new(&mut context.func, &mut builder);
        emit::Emit::new(function, stepper, plan).write(module.target_config());
        instructions += context.func.dfg.num_insts();
        if instructions > budget.instructions {
            return Err(NotCompiled::Instructions(budget.instructions));
        }
        if let Some(most) = budget.time.filter(|most| started.elapsed() > *most) {
            return Err(NotCompiled::Time(most));
        }
        let id = module.declare_anonymous_function(&signature()).expect("a signature of plain numbers");
        module.define_function(id, &mut context).map_err(|e| NotCompiled::Host(format!("{e:?}")))?;
        module.clear_context(&mut context);
        functions.push(id);
    }
    module.finalize_definitions().map_err(|e| NotCompiled::Host(e.to_string()))?;
    let size = Size { functions: functions.len(), instructions, time: started.elapsed() };
    Ok((module, functions, size))
}

/// Slots, the effort that is left, and the instruction to begin with; gives an [`answer`].
fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.extend([I64, I64, I32].map(AbiParam::new));
    signature.returns.push(AbiParam::new(I32));
    signature
}
