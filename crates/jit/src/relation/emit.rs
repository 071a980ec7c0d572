//! A plan as a function.
//!
//! Values are in slots, as for the stepper. Between two entry points, loaded and computed values are also cached.

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, MemFlagsData, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::FunctionBuilder;
use lurcher_system::relation::Stepper;
use lurcher_system::relation::native::{Bounds, Instruction, Node, NodeId, Op, Plan, Slot, Tree};

use super::{answer, operator};

/// The most values of a listed domain to test natively.
const MOST_VALUES: usize = 16;

const SLOT: MemFlagsData = MemFlagsData::trusted();

/// A function under construction.
pub(super) struct Emit<'f, 's> {
    b: FunctionBuilder<'f>,
    stepper: &'s Stepper,
    plan: &'s Plan,
    slots: Value,
    left: Value,
    failed: Block,
    spent: Block,
    /// Cached slot values.
    known: HashMap<Slot, Value>,
}

impl<'f, 's> Emit<'f, 's> {
    pub fn new(mut b: FunctionBuilder<'f>, stepper: &'s Stepper, plan: &'s Plan) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let (slots, left) = (b.block_params(entry)[0], b.block_params(entry)[1]);
        let (failed, spent) = (b.create_block(), b.create_block());
        b.set_cold_block(spent);
        Emit { b, stepper, plan, slots, left, failed, spent, known: HashMap::new() }
    }

    pub fn write(mut self, config: TargetFrontendConfig) {
        let count = self.plan.instructions.len();
        let blocks: Vec<Block> = (0..=count).map(|_| self.b.create_block()).collect();
        self.dispatch_entry(&blocks);
        for (at, instruction) in self.plan.instructions.iter().enumerate() {
            self.b.switch_to_block(blocks[at]);
            if at == 0 || self.is_entered(at) {
                self.known.clear();
            }
            self.instruction(at, instruction, blocks[at + 1]);
        }
        self.b.switch_to_block(blocks[count]);
        self.answer(answer::END);
        for (block, answer) in [(self.failed, answer::FAILED), (self.spent, answer::EFFORT)] {
            self.b.switch_to_block(block);
            self.answer(answer);
        }
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    /// Jumps to the instruction given by the last parameter.
    fn dispatch_entry(&mut self, blocks: &[Block]) {
        let entry = self.b.current_block().expect("the entry block");
        let from = self.b.block_params(entry)[2];
        let entered = |at: usize| at == 0 || self.is_entered(at);
        let targets: Vec<Block> =
            (0..blocks.len()).map(|at| if entered(at) { blocks[at] } else { self.failed }).collect();
        let default = self.b.func.dfg.block_call(self.failed, &[]);
        let calls: Vec<_> = targets.into_iter().map(|block| self.b.func.dfg.block_call(block, &[])).collect();
        let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
        self.b.ins().br_table(from, table);
    }

    /// Whether the stepper may enter here: after an instruction of its own.
    fn is_entered(&self, at: usize) -> bool {
        at > 0 && self.is_interpreted(&self.plan.instructions[at - 1])
    }

    /// Whether the stepper may execute an instruction.
    fn is_interpreted(&self, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Run(..) | Instruction::Test(_) => false,
            Instruction::Set(_, _, variable) => !is_short(self.stepper.bounds(*variable)),
            Instruction::Choose(..) => true,
        }
    }

    fn instruction(&mut self, at: usize, instruction: &Instruction, next: Block) {
        match instruction {
            Instruction::Run(first, last) => {
                for op in &self.plan.ops[*first as usize..*last as usize] {
                    self.operation(op);
                }
                self.b.ins().jump(next, &[]);
            }
            Instruction::Test(slot) => {
                let value = self.value(*slot);
                self.b.ins().brif(value, next, &[], self.failed, &[]);
            }
            Instruction::Set(cell, slot, variable) => {
                let bounds = self.stepper.bounds(*variable);
                if is_short(bounds) {
                    let value = self.value(*slot);
                    self.set_within(*cell, value, bounds, next);
                } else {
                    self.answer(answer::BEFORE + at as u32);
                }
            }
            Instruction::Choose(cell, tree, variable) => {
                let tree = &self.plan.trees[*tree as usize];
                let open = self.b.create_block();
                let bounds = self.stepper.bounds(*variable);
                let known = self.known.clone();
                self.choose(tree, tree.root(), *cell, bounds, Targets { next, open });
                self.known = known;
                self.b.switch_to_block(open);
                self.answer(answer::BEFORE + at as u32);
            }
        }
    }

    /// Descends a choice tree as far as conditions decide; returns to the stepper at a choice.
    fn choose(&mut self, tree: &Tree<Slot>, node: NodeId, cell: Slot, bounds: &Bounds, to: Targets) {
        match &tree.nodes[node as usize] {
            Node::Leaf(slot) if is_short(bounds) => {
                let value = self.value(*slot);
                self.set_within(cell, value, bounds, to.next);
            }
            Node::Constants(list) if list.is_empty() => {
                self.b.ins().jump(self.failed, &[]);
            }
            Node::Constants(list) if list.len() == 1 => {
                // A single value; the stepper would count it as tried.
                self.spend();
                let value = self.b.ins().iconst(I64, list[0]);
                self.store(cell, value);
                self.b.ins().jump(to.next, &[]);
            }
            Node::Ite(condition, a, b) => {
                let condition = self.value(*condition);
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                self.b.ins().brif(condition, yes, &[], no, &[]);
                for (block, node) in [(yes, a), (no, b)] {
                    let known = self.known.clone();
                    self.b.switch_to_block(block);
                    self.choose(tree, *node, cell, bounds, to);
                    self.known = known;
                }
            }
            Node::When(condition, a) => {
                let condition = self.value(*condition);
                let yes = self.b.create_block();
                self.b.ins().brif(condition, yes, &[], self.failed, &[]);
                self.b.switch_to_block(yes);
                self.choose(tree, *a, cell, bounds, to);
            }
            Node::Leaf(_) | Node::Constants(_) | Node::Any | Node::Choice(_) => {
                self.b.ins().jump(to.open, &[]);
            }
        }
    }

    /// Counts a tried value; ends if the effort is spent.
    fn spend(&mut self) {
        let left = self.b.ins().load(I64, SLOT, self.left, 0);
        let some = self.b.create_block();
        self.b.ins().brif(left, some, &[], self.spent, &[]);
        self.b.switch_to_block(some);
        let less = self.b.ins().iadd_imm_s(left, -1);
        self.b.ins().store(SLOT, less, self.left, 0);
    }

    /// Sets a cell, and continues if the value is in the domain.
    fn set_within(&mut self, cell: Slot, value: Value, bounds: &Bounds, next: Block) {
        self.store(cell, value);
        let inside = match &bounds.listed {
            Some(values) => {
                let mut any = self.equals(value, values[0]);
                for &listed in &values[1..] {
                    let one = self.equals(value, listed);
                    any = self.b.ins().bor(any, one);
                }
                any
            }
            None if (bounds.low, bounds.high) == (i64::MIN, i64::MAX) => {
                self.b.ins().jump(next, &[]);
                return;
            }
            None => {
                let low = self.b.ins().iconst(I64, bounds.low);
                let distance = self.b.ins().isub(value, low);
                let most = self.b.ins().iconst(I64, bounds.high.wrapping_sub(bounds.low));
                self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, distance, most)
            }
        };
        self.b.ins().brif(inside, next, &[], self.failed, &[]);
    }

    fn equals(&mut self, value: Value, constant: i64) -> Value {
        let constant = self.b.ins().iconst(I64, constant);
        self.b.ins().icmp(IntCC::Equal, value, constant)
    }

    fn operation(&mut self, op: &Op) {
        let (to, value) = match *op {
            Op::Copy { from, to } => (to, self.value(from)),
            Op::Unary { op, a, to } => {
                let a = self.value(a);
                (to, operator::unary(&mut self.b, op, a))
            }
            Op::Binary { op, a, b, to } => {
                let (x, y) = (self.value(a), self.value(b));
                (to, operator::binary(&mut self.b, op, x, y))
            }
            Op::Ite { condition, a, b, to } => {
                let (condition, x, y) = (self.value(condition), self.value(a), self.value(b));
                (to, self.b.ins().select(condition, x, y))
            }
        };
        self.store(to, value);
    }

    fn value(&mut self, slot: Slot) -> Value {
        if let Some(constant) = self.stepper.constant(slot) {
            return self.b.ins().iconst(I64, constant);
        }
        if let Some(value) = self.known.get(&slot) {
            return *value;
        }
        let value = self.b.ins().load(I64, SLOT, self.slots, 8 * slot as i32);
        self.known.insert(slot, value);
        value
    }

    fn store(&mut self, slot: Slot, value: Value) {
        self.b.ins().store(SLOT, value, self.slots, 8 * slot as i32);
        self.known.insert(slot, value);
    }

    fn answer(&mut self, answer: u32) {
        let answer = self.b.ins().iconst(I32, i64::from(answer));
        self.b.ins().return_(&[answer]);
    }
}

/// Where control goes from a choice.
#[derive(Clone, Copy, Debug)]
struct Targets {
    /// The cell is set.
    next: Block,
    /// There are several values, and the stepper chooses.
    open: Block,
}

/// Whether native code tests membership in the domain.
fn is_short(bounds: &Bounds) -> bool {
    bounds.listed.as_ref().is_none_or(|values| values.len() <= MOST_VALUES)
}
