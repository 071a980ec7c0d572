//! Deterministic sequences.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block, InstBuilder};
use lurcher_ir::{ActionKind, DStep, DStepNode};
use lurcher_syntax::Span;

use super::effect::Known;
use super::emit::Emit;
use crate::run::code;

/// The most statements a `d_step` may execute, as in the interpreter.
const FUEL: i32 = 1_000_000;

impl Emit<'_, '_, '_> {
    /// Executes a sequence and continues after it.
    pub fn d_step(&mut self, sequence: &DStep, span: Span, fatal: Block) {
        let blocks: Vec<Block> = sequence.nodes.iter().map(|_| self.block()).collect();
        let (done, endless) = (self.block(), self.cold_block());
        let fuel = can_loop(sequence).then(|| {
            let fuel = self.b.declare_var(I32);
            let start = self.int(FUEL);
            self.b.def_var(fuel, start);
            fuel
        });
        self.go(blocks[0]);
        for (node, &block) in sequence.nodes.iter().zip(&blocks) {
            self.enter(block);
            if let Some(fuel) = fuel {
                let left = self.b.use_var(fuel);
                let empty = self.test_int(IntCC::Equal, left, 0);
                self.leave_if(empty, endless);
                let less = self.b.ins().iadd_imm_s(left, -1);
                self.b.def_var(fuel, less);
            }
            match node {
                DStepNode::Exit => self.go(done),
                DStepNode::Goto(next) => self.go(blocks[*next as usize]),
                DStepNode::Choose(options, at) => self.choose(sequence, options, *at, &blocks, fatal),
                DStepNode::Do(kind, at, next) => {
                    let (possible, blocked) = (self.block(), self.cold_block());
                    self.report_faults(*at, fatal);
                    self.executable(kind, possible, blocked);
                    self.enter(blocked);
                    self.fault(code::BLOCKED_IN_D_STEP, None);
                    self.enter(possible);
                    self.no_rendezvous(kind);
                    self.execute(kind, *at, Known::Enabled, fatal);
                    self.go(blocks[*next as usize]);
                }
            }
        }
        self.enter(endless);
        self.report_faults(span, fatal);
        let details = (self.int(FUEL), self.int(0));
        self.fault(code::ENDLESS_D_STEP, Some(details));
        self.enter(done);
    }

    fn choose(&mut self, sequence: &DStep, options: &[u32], at: Span, blocks: &[Block], fatal: Block) {
        self.report_faults(at, fatal);
        for &option in options {
            let taken = blocks[option as usize];
            match &sequence.nodes[option as usize] {
                DStepNode::Do(kind, ..) => {
                    let next = self.block();
                    self.executable(kind, taken, next);
                    self.enter(next);
                }
                _ => {
                    self.go(taken);
                    return;
                }
            }
        }
        self.fault(code::BLOCKED_IN_D_STEP, None);
    }

    /// A send on a rendezvous channel inside a sequence is a fault.
    fn no_rendezvous(&mut self, kind: &ActionKind) {
        if let ActionKind::Send(c, ..) = kind
            && self.unit.facts.model.has_rendezvous()
        {
            let channel = self.channel(c);
            let capacity = self.channel_capacity(&channel);
            let none = self.test_int(IntCC::Equal, capacity, 0);
            self.fault_if(none, code::RENDEZVOUS_IN_D_STEP, None);
        }
    }
}

/// Whether the sequence has a loop. Nodes are numbered in source order, so a loop has a backward edge.
fn can_loop(sequence: &DStep) -> bool {
    let back = |(i, node): (usize, &DStepNode)| match node {
        DStepNode::Do(_, _, next) | DStepNode::Goto(next) => *next as usize <= i,
        DStepNode::Choose(options, _) => options.iter().any(|o| *o as usize <= i),
        DStepNode::Exit => false,
    };
    sequence.nodes.iter().enumerate().any(back)
}
