//! A unit of compiled code: functions that call each other, compiled on demand.

use std::collections::HashMap;
use std::sync::Arc;

use cranelift_codegen::Context;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{FuncRef, Function as Body};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module};
use lurcher_ir::{Expr, ProcessTypeId};
use lurcher_syntax::Span;

use super::emit::Emit;
use crate::budget::{Budget, NotCompiled};
use crate::compiler::{Code, Compiler, signature};
use crate::facts::Facts;

/// A function to compile. All take the registers, a process, whether a timeout is pending, and an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    /// Lists the moves of a process.
    ListMoves(ProcessTypeId),
    /// Whether a process has a move.
    AnyEnabled(ProcessTypeId),
    /// Executes a branch of a process. The argument is the branch.
    Apply(ProcessTypeId),
    /// Lists the branches by which a process can receive a rendezvous message. The argument is the send and the channel.
    ListReceives(ProcessTypeId),
    /// Lists the receivers of a rendezvous message. The argument is the send and the channel.
    Receivers,
    /// Executes a rendezvous. The argument is the packed move.
    Rendezvous,
    /// The value of a watched expression.
    Holds(u32),
    /// Tries the branches of a process in random order and executes the first that is enabled.
    Step(ProcessTypeId),
    /// Walks by try-a-child.
    Walk,
    /// Walks by all-children.
    WalkAll,
}

/// A unit under construction.
pub(crate) struct Unit<'m> {
    pub facts: Facts<'m>,
    /// Expressions to evaluate in states.
    pub watched: Arc<[Expr]>,
    /// Whether executed actions are recorded.
    pub coverage: bool,
    compiler: Compiler,
    ids: HashMap<Function, FuncId>,
    wanted: Vec<Function>,
    spans: Vec<Span>,
    span_numbers: HashMap<Span, u32>,
}

/// A compiled unit.
pub(crate) struct UnitCode {
    pub code: Code,
    ids: HashMap<Function, FuncId>,
    pub spans: Vec<Span>,
}

impl<'m> Unit<'m> {
    pub fn new(facts: Facts<'m>, budget: Budget, watched: Arc<[Expr]>) -> Result<Self, NotCompiled> {
        Ok(Unit {
            facts,
            watched,
            coverage: false,
            compiler: Compiler::new(budget)?,
            ids: HashMap::new(),
            wanted: Vec::new(),
            spans: Vec::new(),
            span_numbers: HashMap::new(),
        })
    }

    pub fn frontend_config(&self) -> TargetFrontendConfig {
        self.compiler.module.target_config()
    }

    /// The id of a function, which is compiled if it is not yet.
    pub fn want(&mut self, function: Function) -> FuncId {
        *self.ids.entry(function).or_insert_with(|| {
            self.wanted.push(function);
            self.compiler.declare(&signature([I64, I32, I32, I64]))
        })
    }

    /// Makes a function callable from another.
    pub fn import(&mut self, id: FuncId, body: &mut Body) -> FuncRef {
        self.compiler.module.declare_func_in_func(id, body)
    }

    /// The number of a source position.
    pub fn span(&mut self, span: Span) -> u32 {
        *self.span_numbers.entry(span).or_insert_with(|| {
            self.spans.push(span);
            self.spans.len() as u32 - 1
        })
    }

    /// Compiles all wanted functions, and those they call.
    pub fn compile(mut self) -> Result<UnitCode, NotCompiled> {
        let mut context = Context::new();
        let mut builder = FunctionBuilderContext::new();
        while let Some(function) = self.wanted.pop() {
            context.func.signature = signature([I64, I32, I32, I64]);
            Emit::new(FunctionBuilder::new(&mut context.func, &mut builder), &mut self).write(function);
            self.compiler.define(self.ids[&function], &mut context)?;
        }
        Ok(UnitCode { code: self.compiler.finish()?, ids: self.ids, spans: self.spans })
    }
}

impl UnitCode {
    /// The address of a compiled function.
    pub fn address(&self, function: Function) -> Option<*const u8> {
        self.ids.get(&function).map(|id| self.code.address(*id))
    }
}
