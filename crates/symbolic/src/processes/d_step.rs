//! Deterministic sequences: every path through their graph is a case.

use lurcher_ir::{DStep, DStepNode};

use super::action::Actor;
use super::{Builder, Case, Refusal, StepError, refuse};

/// The most nodes visited over all paths of a `d_step`.
const D_STEP_NODES: usize = 4000;

impl Builder<'_> {
    /// All paths through a deterministic sequence.
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
                            let possible = self.executable(actor.context(&case.updates), kind)?;
                            self.add_fault(&mut case, possible.fault);
                            taken.guard = self.and(case.guard, possible.term);
                            case.guard = self.and_not(case.guard, possible.term);
                        } else {
                            case.guard = self.truth(false);
                        }
                        if !self.is_false(taken.guard) {
                            open.push((option, taken));
                        }
                    }
                    self.add_violation(StepError::Fault, case.guard, self.truth(true));
                }
                DStepNode::Do(kind, _, next) => {
                    let possible = self.executable(actor.context(&case.updates), kind)?;
                    self.add_fault(&mut case, possible.fault);
                    self.add_fault(&mut case, self.not(possible.term));
                    let cases = self.perform(actor, kind, case)?;
                    open.extend(cases.into_iter().filter(|c| !self.is_false(c.guard)).map(|c| (*next, c)));
                }
            }
        }
        Ok(done)
    }
}
