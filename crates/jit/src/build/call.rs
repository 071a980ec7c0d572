//! Calls of host functions and of other compiled functions.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Inst, InstBuilder, Signature, Type, Value};
use cranelift_codegen::isa::CallConv;

use super::emit::Emit;
use super::unit::Function;

impl Emit<'_, '_, '_> {
    /// Calls a function of `boundary.rs`. Values have 32 bits, addresses and moves 64.
    pub fn host(&mut self, function: *const (), args: &[Value]) {
        self.call_host(function, args, None);
    }

    /// Calls a function of `boundary.rs` that has a result.
    pub fn host_value(&mut self, function: *const (), args: &[Value], result: Type) -> Value {
        let call = self.call_host(function, args, Some(result));
        self.b.inst_results(call)[0]
    }

    fn call_host(&mut self, function: *const (), args: &[Value], result: Option<Type>) -> Inst {
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params.push(AbiParam::new(I64));
        signature.params.extend(args.iter().map(|&arg| AbiParam::new(self.b.func.dfg.value_type(arg))));
        signature.returns.extend(result.map(AbiParam::new));
        let signature = self.b.import_signature(signature);
        let address = self.long(function as i64);
        let all: Vec<Value> = [self.run].iter().chain(args).copied().collect();
        self.b.ins().call_indirect(signature, address, &all)
    }

    /// Calls another compiled function.
    pub fn call(&mut self, function: Function, process: Value, timeout: Value, rest: Value) -> Value {
        let id = self.unit.want(function);
        let callee = self.unit.import(id, self.b.func);
        let call = self.b.ins().call(callee, &[self.run, process, timeout, rest]);
        self.b.inst_results(call)[0]
    }
}
