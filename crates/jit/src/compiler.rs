//! Compiling functions into one module of native code, within a budget.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cranelift_codegen::Context;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{AbiParam, Signature, Type};
use cranelift_codegen::isa::CallConv;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};

use crate::budget::{Budget, NotCompiled};

/// The amount of compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Functions.
    pub functions: usize,
    /// Instructions of Cranelift's intermediate form.
    pub instructions: usize,
    /// Compile time.
    pub time: Duration,
}

/// A module under construction.
pub(crate) struct Compiler {
    pub module: JITModule,
    budget: Budget,
    started: Instant,
    functions: usize,
    instructions: usize,
}

/// A finished module. Its code is freed when this is dropped (`boundary.rs`).
pub(crate) struct Code {
    /// Locked only to be shared between threads.
    module: Mutex<Option<JITModule>>,
    pub size: Size,
}

impl Compiler {
    pub fn new(budget: Budget) -> Result<Self, NotCompiled> {
        // Verification takes as long as compiling.
        let verify = if cfg!(debug_assertions) { "true" } else { "false" };
        let flags =
            [("opt_level", "speed"), ("is_pic", "false"), ("enable_verifier", verify), ("unwind_info", "false")];
        let builder = JITBuilder::with_flags(&flags, default_libcall_names());
        let module = builder.map(JITModule::new).map_err(|e| NotCompiled::Host(e.to_string()))?;
        Ok(Compiler { module, budget, started: Instant::now(), functions: 0, instructions: 0 })
    }

    pub fn declare(&mut self, signature: &Signature) -> FuncId {
        self.functions += 1;
        self.module.declare_anonymous_function(signature).expect("a signature of plain numbers")
    }

    /// Fails if there are more instructions than the budget allows.
    pub fn check_instructions(&self, instructions: usize) -> Result<(), NotCompiled> {
        let most = self.budget.instructions;
        if instructions > most { Err(NotCompiled::Instructions(most)) } else { Ok(()) }
    }

    /// Compiles the function in a context and clears the context.
    pub fn define(&mut self, id: FuncId, context: &mut Context) -> Result<(), NotCompiled> {
        self.instructions += context.func.dfg.num_insts();
        self.check_instructions(self.instructions)?;
        if let Some(most) = self.budget.time.filter(|most| self.started.elapsed() > *most) {
            return Err(NotCompiled::Time(most));
        }
        self.module.define_function(id, context).map_err(|e| NotCompiled::Host(format!("{e:?}")))?;
        self.module.clear_context(context);
        Ok(())
    }

    pub fn finish(mut self) -> Result<Code, NotCompiled> {
        self.module.finalize_definitions().map_err(|e| NotCompiled::Host(e.to_string()))?;
        let Compiler { functions, instructions, started, .. } = self;
        let size = Size { functions, instructions, time: started.elapsed() };
        Ok(Code { module: Mutex::new(Some(self.module)), size })
    }
}

/// A signature with a 32-bit result.
pub(crate) fn signature(params: impl IntoIterator<Item = Type>) -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.extend(params.into_iter().map(AbiParam::new));
    signature.returns.push(AbiParam::new(I32));
    signature
}

impl Code {
    /// The address of a function.
    pub fn address(&self, id: FuncId) -> *const u8 {
        let module = self.module.lock().unwrap_or_else(PoisonError::into_inner);
        module.as_ref().expect("taken only when dropped").get_finalized_function(id)
    }

    pub fn take(&mut self) -> Option<JITModule> {
        self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take()
    }
}
