//! Basic emitters: constants, control flow and faults.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, JumpTableData, Value};
use cranelift_frontend::{FunctionBuilder, Variable};
use lurcher_ir::{ProcessType, ProcessTypeId};
use lurcher_syntax::Span;

use super::unit::Unit;
use crate::boundary;
use crate::run::field;

/// What happens when the evaluation of an expression faults.
#[derive(Clone, Copy, Debug)]
pub(super) enum OnFault {
    /// Jumps to a block.
    Jump(Block),
    /// Reports the fault at a source position and jumps to a block.
    Report(Block, u32),
}

/// A function under construction.
pub(super) struct Emit<'f, 'u, 'm> {
    pub b: FunctionBuilder<'f>,
    pub unit: &'u mut Unit<'m>,
    pub run: Value,
    params: [Value; 4],
    /// The current process.
    pub pid: Option<Value>,
    pub process_type: Option<ProcessTypeId>,
    pub timeout: Option<Value>,
    /// The pid that `run` has created.
    pub created: Option<Value>,
    pub on_fault: OnFault,
    /// Whether a jump on a fault was emitted.
    pub may_fault: bool,
    /// Whether a test for rendezvous was emitted.
    pub may_rendezvous: bool,
    /// Whether code that may report a violation was emitted.
    pub may_violate: bool,
    pub bytes: Variable,
    pub frame: Variable,
    /// A register of the run that is cached in a variable, by its offset.
    pub cached: Option<(i32, Variable)>,
    /// The precomputed bits of the next draw, if the random state is cached.
    pub bits: Option<Variable>,
}

impl<'f, 'u, 'm> Emit<'f, 'u, 'm> {
    pub fn new(mut b: FunctionBuilder<'f>, unit: &'u mut Unit<'m>) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let params = [0, 1, 2, 3].map(|i| b.block_params(entry)[i]);
        Emit {
            bytes: b.declare_var(I64),
            frame: b.declare_var(I64),
            b,
            unit,
            run: params[0],
            params,
            pid: None,
            process_type: None,
            timeout: None,
            created: None,
            on_fault: OnFault::Jump(entry),
            may_fault: false,
            may_rendezvous: false,
            may_violate: false,
            cached: None,
            bits: None,
        }
    }

    /// A parameter of the function.
    pub fn param(&self, index: usize) -> Value {
        self.params[index]
    }

    /// Sets the current process and timeout from the parameters.
    pub fn for_type(&mut self, ty: ProcessTypeId) {
        self.pid = Some(self.param(1));
        self.timeout = Some(self.param(2));
        self.process_type = Some(ty);
        self.reload();
    }

    /// Reloads the pointers into the state, which callbacks may move.
    pub fn reload(&mut self) {
        let bytes = self.register(I64, field!(bytes));
        self.b.def_var(self.bytes, bytes);
        if let Some(pid) = self.pid {
            let frame = self.frame_of(pid);
            self.b.def_var(self.frame, frame);
        }
    }

    /// The current process type.
    pub fn ty(&self) -> &'m ProcessType {
        self.unit.facts.model.process_type(self.process_type.expect("a function about a process"))
    }

    /// The current process.
    pub fn me(&self) -> Value {
        self.pid.expect("a function about a process")
    }

    /// Whether a timeout is pending.
    pub fn timeout(&mut self) -> Value {
        match self.timeout {
            Some(value) => value,
            None => self.int(0),
        }
    }

    pub fn finish(mut self) {
        self.b.seal_all_blocks();
        let config = self.unit.frontend_config();
        self.b.finalize(config);
    }

    // Values.

    pub fn int(&mut self, value: i32) -> Value {
        // Cranelift takes the zero-extended bits.
        self.b.ins().iconst(I32, i64::from(value as u32))
    }

    pub fn long(&mut self, value: i64) -> Value {
        self.b.ins().iconst(I64, value)
    }

    pub fn wide(&mut self, value: Value) -> Value {
        self.b.ins().uextend(I64, value)
    }

    pub fn test(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        self.b.ins().icmp(cc, a, b)
    }

    pub fn test_int(&mut self, cc: IntCC, a: Value, b: i32) -> Value {
        self.b.ins().icmp_imm_s(cc, a, i64::from(b))
    }

    pub fn add_long(&mut self, a: Value, b: i64) -> Value {
        if b == 0 { a } else { self.b.ins().iadd_imm_s(a, b) }
    }

    /// `base + index * stride`, for a 32-bit index.
    pub fn element(&mut self, base: Value, index: Value, stride: i64) -> Value {
        let index = self.wide(index);
        let distance = match stride {
            1 => index,
            _ => self.b.ins().imul_imm_s(index, stride),
        };
        self.b.ins().iadd(base, distance)
    }

    // Control.

    pub fn block(&mut self) -> Block {
        self.b.create_block()
    }

    /// A block that is rarely executed.
    pub fn cold_block(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }

    pub fn go(&mut self, block: Block) {
        self.b.ins().jump(block, &[]);
    }

    pub fn go_with(&mut self, block: Block, value: Value) {
        self.b.ins().jump(block, &[BlockArg::Value(value)]);
    }

    pub fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    pub fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.b.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Jumps to a block if a condition holds, and continues otherwise.
    pub fn leave_if(&mut self, condition: Value, to: Block) {
        let next = self.block();
        self.branch(condition, to, next);
        self.enter(next);
    }

    /// Continues if a condition holds, and jumps to a block otherwise.
    pub fn leave_unless(&mut self, condition: Value, to: Block) {
        let next = self.block();
        self.branch(condition, next, to);
        self.enter(next);
    }

    /// Emits a loop over all pids, the youngest first, that ends in `done`. `body` gets the pid and the block to continue
    /// with.
    pub fn each_process(&mut self, done: Block, body: impl FnOnce(&mut Self, Value, Block)) {
        let (head, start) = (self.block(), self.block());
        let left = self.b.append_block_param(head, I32);
        let count = self.register(I32, field!(process_count));
        self.go_with(head, count);
        self.enter(head);
        self.branch(left, start, done);
        self.enter(start);
        let process = self.b.ins().iadd_imm_s(left, -1);
        let next = self.block();
        body(self, process, next);
        self.enter(next);
        self.go_with(head, process);
    }

    pub fn return_int(&mut self, value: i32) {
        let value = self.int(value);
        self.b.ins().return_(&[value]);
    }

    /// Dispatches on a number: `write` emits the code of each case.
    pub fn dispatch_each<T>(
        &mut self,
        value: Value,
        cases: Vec<(u32, T)>,
        default: Block,
        mut write: impl FnMut(&mut Self, T),
    ) {
        let blocks: Vec<(u32, Block)> = cases.iter().map(|(number, _)| (*number, self.block())).collect();
        self.dispatch(value, &blocks, default);
        for ((_, case), (_, block)) in cases.into_iter().zip(blocks) {
            self.enter(block);
            write(self, case);
        }
    }

    /// Jumps to the block of a number: by comparisons if there are few cases, else by a table.
    pub fn dispatch(&mut self, value: Value, cases: &[(u32, Block)], default: Block) {
        const FEW: usize = 6;
        let highest = cases.iter().map(|c| c.0).max().unwrap_or(0) as usize;
        if cases.len() <= FEW || highest > cases.len() * 8 {
            for &(case, block) in cases {
                let hit = self.test_int(IntCC::Equal, value, case as i32);
                self.leave_if(hit, block);
            }
            self.go(default);
            return;
        }
        let mut blocks = vec![default; highest + 1];
        for &(case, block) in cases {
            blocks[case as usize] = block;
        }
        // Each entry needs a block call of its own: the front-end adds arguments to it.
        let table: Vec<_> = blocks.into_iter().map(|block| self.b.func.dfg.block_call(block, &[])).collect();
        let default = self.b.func.dfg.block_call(default, &[]);
        let table = self.b.create_jump_table(JumpTableData::new(default, &table));
        self.b.ins().br_table(value, table);
    }

    // Faults.

    /// Reports faults at a source position from here on, and jumps to a block. Returns the number of the position.
    pub fn report_faults(&mut self, span: Span, fatal: Block) -> u32 {
        let number = self.unit.span(span);
        self.on_fault = OnFault::Report(fatal, number);
        number
    }

    /// Faults if a condition holds.
    pub fn fault_if(&mut self, condition: Value, code: u32, details: Option<(Value, Value)>) {
        let next = self.block();
        match self.on_fault {
            OnFault::Jump(block) => {
                self.may_fault = true;
                self.branch(condition, block, next);
            }
            OnFault::Report(..) => {
                let met = self.cold_block();
                self.branch(condition, met, next);
                self.enter(met);
                self.fault(code, details);
            }
        }
        self.enter(next);
    }

    /// Faults.
    pub fn fault(&mut self, code: u32, details: Option<(Value, Value)>) {
        self.fault_with(|emit, span| {
            emit.set_register_int(field!(violation), code as i32);
            emit.set_register_int(field!(fatal), 1);
            emit.set_register_int(field!(span), span as i32);
            if let Some((a, b)) = details {
                emit.set_register(field!(fault_a), a);
                emit.set_register(field!(fault_b), b);
            }
        });
    }

    /// Faults with the fault of the last host call.
    pub fn interpreted_fault(&mut self) {
        self.fault_with(|emit, span| {
            let span = emit.int(span as i32);
            emit.host(boundary::report as *const (), &[span]);
        });
    }

    fn fault_with(&mut self, report: impl FnOnce(&mut Self, u32)) {
        let block = match self.on_fault {
            OnFault::Jump(block) => {
                self.may_fault = true;
                block
            }
            OnFault::Report(block, span) => {
                self.may_violate = true;
                report(self, span);
                block
            }
        };
        self.go(block);
    }
}
