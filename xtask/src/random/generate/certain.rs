//! The body of `d_step`: statements that neither block nor choose.

use super::Generator;
use super::scope::Scope;
use crate::random::ast::{Act, Block, Expr, Initial, Stmt};

impl Generator {
    /// The body of a `d_step`: it may block at its first statement only, and is deterministic.
    pub fn d_step(&mut self, scope: &mut Scope) -> Block {
        let first = match self.rng.below(6) {
            0 => Act::guard(self.guard(scope, 1)),
            1 => self.receive(scope, true).unwrap_or_else(Act::skip),
            2 => self.send(scope, true).unwrap_or_else(Act::skip),
            _ => self.certain(scope, 0),
        };
        let mut block = Block::new();
        if first.starts_with("assert") && self.has_rendezvous() {
            // Spin executes a `d_step` that starts with an assertion in the middle of other processes' rendezvous.
            block.push(Act::skip().into());
        }
        block.push(first.into());
        let count = self.rng.between(1, 3);
        block.extend((0..count).map(|_| Stmt::from(self.certain(scope, 0))));
        block
    }

    fn has_rendezvous(&self) -> bool {
        self.program.globals.iter().any(|var| matches!(var.initial, Some(Initial::Channel(0, _))))
    }

    /// A statement that neither blocks nor chooses.
    fn certain(&mut self, scope: &mut Scope, depth: usize) -> Act {
        let act = match self.rng.below(if depth < 2 { 16 } else { 12 }) {
            0..9 => self.assignment(scope),
            9 => Some(Act::skip()),
            10 => Some(Act::assert(self.guard(scope, 1))),
            11 => self.step(scope),
            12..14 => {
                let condition = Act::guard(self.guard(scope, 1));
                let (yes, no) = (self.certain(scope, depth + 1), self.certain(scope, depth + 1));
                Some(Act::If(vec![vec![condition.into(), yes.into()], vec![Act::word("else").into(), no.into()]]))
            }
            14 => self.counted(scope, |this, scope| vec![this.certain(scope, depth + 1).into()]),
            _ => self.guarded_send(scope),
        };
        act.unwrap_or_else(Act::skip)
    }

    fn guarded_send(&mut self, scope: &Scope) -> Option<Act> {
        let send = self.send(scope, true)?;
        let Act::Simple(Expr { parts, .. }) = &send else { return None };
        let room = Act::guard(Expr::call("nfull", vec![parts[0].clone()]));
        Some(Act::If(vec![vec![room.into(), send.into()], vec![Act::word("else").into()]]))
    }
}
