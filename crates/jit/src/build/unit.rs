//! A unit of compiled code: functions that call each other, compiled when somebody wants them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cranelift_codegen::Context;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AbiParam, FuncRef, Function as Body, Signature};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use lurcher_ir::{Expr, ProcessTypeId};
use lurcher_syntax::Span;

use super::emit::Emit;
use crate::budget::{Budget, NotCompiled};
use crate::facts::Facts;

/// A function that can be compiled. All of them take the registers, a process, whether this is a timeout, and one more
/// value, and give a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    /// Lists what a process can do.
    List(ProcessTypeId),
    /// Can a process do anything?
    Any(ProcessTypeId),
    /// Takes a branch of a process: the one that the last value numbers.
    Apply(ProcessTypeId),
    /// Lists by which branches a process could answer a rendezvous. The last value is the send, and the channel.
    Accept(ProcessTypeId),
    /// Lists who could answer a rendezvous. The last value is the send, and the channel.
    Receivers,
    /// Executes a rendezvous: the move that the last value is.
    HandOver,
    /// The value of a watched expression.
    Holds(u32),
    /// Tries the branches of a process in random order; takes the first that is possible.
    Step(ProcessTypeId),
    /// Walks until something stops it, by try-a-child.
    Walk,
    /// The same, by all-children.
    WalkAll,
}

/// A unit being compiled.
pub(crate) struct Unit<'m> {
    pub facts: Facts<'m>,
    /// Expressions that are watched.
    pub watched: std::sync::Arc<[Expr]>,
    /// Executed actions are noted.
    pub coverage: bool,
    module: JITModule,
    known: HashMap<Function, FuncId>,
    wanted: Vec<Function>,
    spans: Vec<Span>,
    span_numbers: HashMap<Span, u32>,
    budget: Budget,
    started: Instant,
    instructions: usize,
}

/// Code that is ready to run. It lives as long as this does.
pub(crate) struct Code {
    /// Locked only to be shared: nobody compiles into it any more.
    module: Mutex<Option<JITModule>>,
    known: HashMap<Function, FuncId>,
    pub spans: Vec<Span>,
    pub instructions: usize,
    pub time: Duration,
}

impl<'m> Unit<'m> {
    pub fn new(facts: Facts<'m>, budget: Budget) -> Result<Self, NotCompiled> {
        Ok(Unit {
            facts,
            watched: std::sync::Arc::new([]),
            coverage: false,
            module: module()?,
            known: HashMap::new(),
            wanted: Vec::new(),
            spans: Vec::new(),
            span_numbers: HashMap::new(),
            budget,
            started: Instant::now(),
            instructions: 0,
        })
    }

    pub fn frontend_config(&self) -> TargetFrontendConfig {
        self.module.target_config()
    }

    /// Asks for a function.
    pub fn want(&mut self, function: Function) -> FuncId {
        if let Some(id) = self.known.get(&function) {
            return *id;
        }
        let id = self.module.declare_anonymous_function(&signature()).expect("a signature of plain numbers");
        self.known.insert(function, id);
        self.wanted.push(function);
        id
    }

    /// Makes a function callable from another.
    pub fn import(&mut self, id: FuncId, body: &mut Body) -> FuncRef {
        self.module.declare_func_in_func(id, body)
    }

    /// The number of a place in the source.
    pub fn span(&mut self, span: Span) -> u32 {
        *self.span_numbers.entry(span).or_insert_with(|| {
            self.spans.push(span);
            self.spans.len() as u32 - 1
        })
    }

    /// Compiles everything that is wanted.
    pub fn compile(mut self) -> Result<Code, NotCompiled> {
        let mut context = Context::new();
        let mut builder = FunctionBuilderContext::new();
        while let Some(function) = self.wanted.pop() {
            context.func.signature = signature();
            let emit = Emit::new(FunctionBuilder::new(&mut context.func, &mut builder), &mut self);
            emit.write(function);
            self.instructions += context.func.dfg.num_insts();
            self.within_budget()?;
            let id = self.known[&function];
            self.module.define_function(id, &mut context).map_err(|e| NotCompiled::Host(format!("{e:?}")))?;
            self.module.clear_context(&mut context);
        }
        self.module.finalize_definitions().map_err(|e| NotCompiled::Host(e.to_string()))?;
        let Unit { module, known, spans, instructions, started, .. } = self;
        Ok(Code { module: Mutex::new(Some(module)), known, spans, instructions, time: started.elapsed() })
    }

    fn within_budget(&self) -> Result<(), NotCompiled> {
        if self.instructions > self.budget.instructions {
            return Err(NotCompiled::Instructions(self.budget.instructions));
        }
        match self.budget.time {
            Some(most) if self.started.elapsed() > most => Err(NotCompiled::Time(most)),
            _ => Ok(()),
        }
    }
}

/// An empty module.
pub(crate) fn module() -> Result<JITModule, NotCompiled> {
    // The verifier of the instructions is for whoever changes this crate; it takes as long as compiling.
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    let flags = [("opt_level", "speed"), ("is_pic", "false"), ("enable_verifier", verify), ("unwind_info", "false")];
    let builder = JITBuilder::with_flags(&flags, default_libcall_names());
    builder.map(JITModule::new).map_err(|e| NotCompiled::Host(e.to_string()))
}

fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.extend([I64, I32, I32, I64].map(AbiParam::new));
    signature.returns.push(AbiParam::new(I32));
    signature
}

impl Code {
    /// The address of a function that was compiled.
    pub fn address(&self, function: Function) -> Option<*const u8> {
        let module = self.module.lock().unwrap_or_else(PoisonError::into_inner);
        let module = module.as_ref().expect("taken only when dropped");
        self.known.get(&function).map(|id| module.get_finalized_function(*id))
    }

    /// Number of functions.
    pub fn functions(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn take(&mut self) -> Option<JITModule> {
        self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take()
    }
}
