//! The instructions that everything else is made of.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, JumpTableData, Value};
use cranelift_frontend::{FunctionBuilder, Variable};
use lurcher_ir::{ProcessType, ProcessTypeId};
use lurcher_syntax::Span;

use super::host::HostFunction;
use super::unit::Unit;
use crate::run::field;

/// Where control goes when an expression cannot be computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum OnFault {
    /// There; nobody asks why.
    Go(Block),
    /// There, after the fault was noted as one of the statement at this place.
    Note(Block, u32),
}

/// A function being written.
pub(super) struct Emit<'f, 'u, 'm> {
    pub b: FunctionBuilder<'f>,
    pub unit: &'u mut Unit<'m>,
    pub run: Value,
    params: [Value; 4],
    /// The process that the function is about.
    pub pid: Option<Value>,
    pub process_type: Option<ProcessTypeId>,
    pub timeout: Option<Value>,
    /// The number of the process that `run` has created.
    pub created: Option<Value>,
    pub on_fault: OnFault,
    /// Something has gone where faults go, without a note.
    pub fault_met: bool,
    /// Something has gone where rendezvous are taken.
    pub meeting_met: bool,
    /// Something may have noted a violation.
    pub violable: bool,
    pub bytes: Variable,
    pub frame: Variable,
    /// The register of the run that is held in a variable, by its offset.
    pub held: Option<(i32, Variable)>,
    /// The bits of the next draw, where random numbers are held.
    pub bits: Option<Variable>,
}

impl<'f, 'u, 'm> Emit<'f, 'u, 'm> {
    pub fn new(mut b: FunctionBuilder<'f>, unit: &'u mut Unit<'m>) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let params = [0, 1, 2, 3].map(|i| b.block_params(entry)[i]);
        let run = params[0];
        let (bytes, frame) = (b.declare_var(I64), b.declare_var(I64));
        let on_fault = OnFault::Go(entry);
        let (pid, process_type, timeout, created) = (None, None, None, None);
        let (fault_met, meeting_met, violable) = (false, false, false);
        Emit {
            b,
            unit,
            run,
            params,
            pid,
            process_type,
            timeout,
            created,
            on_fault,
            fault_met,
            meeting_met,
            violable,
            bytes,
            frame,
            held: None,
            bits: None,
        }
    }

    /// A parameter of the function.
    pub fn param(&self, index: usize) -> Value {
        self.params[index]
    }

    /// The function is about a process of a type, and runs with or without a timeout.
    pub fn about(&mut self, ty: ProcessTypeId) {
        self.pid = Some(self.param(1));
        self.timeout = Some(self.param(2));
        self.process_type = Some(ty);
        self.reload();
    }

    /// Loads again where things are, after something may have moved them.
    pub fn reload(&mut self) {
        let bytes = self.register(I64, field::BYTES);
        self.b.def_var(self.bytes, bytes);
        if let Some(pid) = self.pid {
            let frame = self.frame_of(pid);
            self.b.def_var(self.frame, frame);
        }
    }

    /// The process type that the function is about.
    pub fn ty(&self) -> &'m ProcessType {
        self.unit.facts.model.process_type(self.process_type.expect("a function about a process"))
    }

    /// The process that the function is about.
    pub fn me(&self) -> Value {
        self.pid.expect("a function about a process")
    }

    /// Is this a timeout?
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
        // The front-end takes the bits of a number, without its sign.
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

    /// A block that is hardly ever entered.
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

    /// Leaves to a block when a condition holds, and goes on otherwise.
    pub fn leave_if(&mut self, condition: Value, to: Block) {
        let next = self.block();
        self.branch(condition, to, next);
        self.enter(next);
    }

    pub fn return_int(&mut self, value: i32) {
        let value = self.int(value);
        self.b.ins().return_(&[value]);
    }

    /// Goes to the block of a number. A chain of comparisons beats a table while there are few.
    pub fn dispatch(&mut self, value: Value, cases: &[(u32, Block)], default: Block) {
        const FEW: usize = 6;
        let highest = cases.iter().map(|c| c.0).max().unwrap_or(0) as usize;
        if cases.len() <= FEW || highest > cases.len() * 8 {
            for &(case, block) in cases {
                let hit = self.test_int(IntCC::Equal, value, case as i32);
                let next = self.block();
                self.branch(hit, block, next);
                self.enter(next);
            }
            self.go(default);
            return;
        }
        let mut blocks = vec![default; highest + 1];
        for &(case, block) in cases {
            blocks[case as usize] = block;
        }
        // Each entry has a list of arguments of its own, which grows as variables are found to be used in the block.
        let table: Vec<_> = blocks.into_iter().map(|block| self.b.func.dfg.block_call(block, &[])).collect();
        let default = self.b.func.dfg.block_call(default, &[]);
        let table = self.b.create_jump_table(JumpTableData::new(default, &table));
        self.b.ins().br_table(value, table);
    }

    // Faults.

    /// Meets a fault when a condition holds.
    pub fn fault_if(&mut self, condition: Value, code: u32, details: Option<(Value, Value)>) {
        let next = self.block();
        match self.on_fault {
            OnFault::Go(block) => {
                self.fault_met = true;
                self.branch(condition, block, next);
            }
            OnFault::Note(..) => {
                let met = self.cold_block();
                self.branch(condition, met, next);
                self.enter(met);
                self.fault(code, details);
            }
        }
        self.enter(next);
    }

    /// Meets a fault.
    pub fn fault(&mut self, code: u32, details: Option<(Value, Value)>) {
        match self.on_fault {
            OnFault::Go(block) => {
                self.fault_met = true;
                self.go(block);
            }
            OnFault::Note(block, span) => {
                self.violable = true;
                self.set_register_int(field::VIOLATION, code as i32);
                self.set_register_int(field::FATAL, 1);
                self.set_register_int(field::SPAN, span as i32);
                if let Some((a, b)) = details {
                    self.set_register(field::FAULT_A, a);
                    self.set_register(field::FAULT_B, b);
                }
                self.go(block);
            }
        }
    }

    /// Meets the fault that the host has just met.
    pub fn foreign_fault(&mut self) {
        match self.on_fault {
            OnFault::Go(block) => {
                self.fault_met = true;
                self.go(block);
            }
            OnFault::Note(block, span) => {
                self.violable = true;
                let span = self.int(span as i32);
                self.host(HostFunction::Report, &[span], None);
                self.go(block);
            }
        }
    }

    pub fn span(&mut self, span: Span) -> u32 {
        self.unit.span(span)
    }
}
