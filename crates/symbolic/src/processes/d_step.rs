//! Deterministic sequences: all ways through their graph, each a case of its own.

use lurcher_ir::{DStep, DStepNode};

use super::action::Actor;
use super::{Builder, Case, Refusal, Wrong, refuse};

/// Nodes of a `d_step` that are gone through, over all its ways.
const D_STEP_NODES: usize = 4000;

impl Builder<'_> {
    /// All ways through a deterministic sequence.
    pub(super) fn d_step(&mut self, actor: Actor, sequence: &DStep, case: Case) -> Result<Vec<Case>, Refusal> {
        let mut done = Vec::new();
        let mut open = vec![(0, case)];
        let mut visited = 0;
        while let Some((at, mut case)) = open.pop() {
            visited += 1;
            if visited > D_STEP_NODES {
                return refuse("a `d_step` with a loop that does not end by itself cannot be translated to a relation");
            }
            match &sequence.nodes[at as usize] {
                DStepNode::Exit => done.push(case),
                DStepNode::Goto(next) => open.push((*next, case)),
                DStepNode::Choose(options, _) => {
                    for &option in options {
                        let mut taken = case.clone();
                        if let DStepNode::Do(kind, ..) = &sequence.nodes[option as usize] {
                            let values = case.values.clone();
                            let possible = self.executable(actor.context(&values), kind)?;
                            self.fails(&mut case, possible.fault);
                            taken.guard = self.and(case.guard, possible.term);
                            case.guard = self.and_not(case.guard, possible.term);
                        } else {
                            case.guard = self.terms().truth(false);
                        }
                        if !self.impossible(&taken) {
                            open.push((option, taken));
                        }
                    }
                    let yes = self.terms().truth(true);
                    self.violation(Wrong::Fault, case.guard, yes);
                }
                DStepNode::Do(kind, _, next) => {
                    let values = case.values.clone();
                    let possible = self.executable(actor.context(&values), kind)?;
                    self.fails(&mut case, possible.fault);
                    let blocked = self.terms().not(possible.term);
                    self.fails(&mut case, blocked);
                    for on in self.perform(actor, kind, case)? {
                        if !self.impossible(&on) {
                            open.push((*next, on));
                        }
                    }
                }
            }
        }
        Ok(done)
    }
}
