//! Calls: of the host, and of other compiled functions.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Type, Value};
use cranelift_codegen::isa::CallConv;

use super::emit::Emit;
use super::unit::Function;
use crate::boundary;

impl Emit<'_, '_, '_> {
    /// Calls a function of the host. All values are 32 bits wide, or 64 where they are addresses or moves.
    pub fn host(&mut self, function: HostFunction, args: &[Value], result: Option<Type>) -> Option<Value> {
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params.push(AbiParam::new(I64));
        for &arg in args {
            let ty = self.b.func.dfg.value_type(arg);
            signature.params.push(AbiParam::new(ty));
        }
        signature.returns.extend(result.map(AbiParam::new));
        let signature = self.b.import_signature(signature);
        let address = self.long(function.address());
        let mut all = vec![self.run];
        all.extend_from_slice(args);
        let call = self.b.ins().call_indirect(signature, address, &all);
        result.map(|_| self.b.inst_results(call)[0])
    }

    /// Calls another compiled function.
    pub fn call(&mut self, function: Function, process: Value, timeout: Value, rest: Value) -> Value {
        let id = self.unit.want(function);
        let callee = self.unit.import(id, self.b.func);
        let call = self.b.ins().call(callee, &[self.run, process, timeout, rest]);
        self.b.inst_results(call)[0]
    }
}

/// Functions of the host.
#[derive(Clone, Copy, Debug)]
pub(super) enum HostFunction {
    Grow,
    Create,
    End,
    Perform,
    Value,
    Report,
    MayRun,
    Offer,
    Apply,
    Filter,
    GoOn,
}

impl HostFunction {
    fn address(self) -> i64 {
        let address = match self {
            HostFunction::Grow => boundary::grow as *const (),
            HostFunction::Create => boundary::create as *const (),
            HostFunction::End => boundary::end as *const (),
            HostFunction::Perform => boundary::perform as *const (),
            HostFunction::Value => boundary::value as *const (),
            HostFunction::Report => boundary::report as *const (),
            HostFunction::MayRun => boundary::may_run as *const (),
            HostFunction::Offer => boundary::offer as *const (),
            HostFunction::Apply => boundary::apply as *const (),
            HostFunction::Filter => boundary::filter as *const (),
            HostFunction::GoOn => boundary::go_on as *const (),
        };
        address as i64
    }
}
