//! Steps of a never claim.

use lurcher_ir::{ActionKind, LocationId, ProcessTypeId};

use crate::eval::Context;
use crate::fault::{Fault, Violation};
use crate::interpreter::{ClaimStep, Interpreter};
use crate::state::State;

impl Interpreter<'_> {
    /// The enabled steps of a claim at a location. With `stutter`, the system has stopped.
    pub fn claim_steps(
        &self,
        state: &State,
        claim: ProcessTypeId,
        from: LocationId,
        timeout: bool,
        stutter: bool,
    ) -> Result<Vec<ClaimStep>, Fault> {
        let mut steps = Vec::new();
        let mut path = Vec::new();
        let context = Context { timeout, stutter, ..Context::default() };
        self.claim_paths(state, claim, from, context, &mut path, &mut None, &mut steps)?;
        Ok(steps)
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a small depth-first search")]
    fn claim_paths(
        &self,
        state: &State,
        claim: ProcessTypeId,
        from: LocationId,
        context: Context,
        path: &mut Vec<(LocationId, u16)>,
        violation: &mut Option<Violation>,
        steps: &mut Vec<ClaimStep>,
    ) -> Result<(), Fault> {
        let process_type = self.model.process_type(claim);
        let mut moved = false;
        for (index, branch) in process_type.location(from).branches.iter().enumerate() {
            let action = process_type.action(branch.action);
            let enabled = match &action.kind {
                ActionKind::Else => !moved,
                ActionKind::End => false,
                kind => self.executable(state, context, kind)?,
            };
            if !enabled {
                continue;
            }
            moved = true;
            let step = (from, index as u16);
            let before = violation.clone();
            if let ActionKind::Assert(e) = &action.kind
                && self.eval(state, context, e)? == 0
            {
                violation.get_or_insert(Violation::Assertion(action.span));
            }
            path.push(step);
            if branch.atomic && path.len() < 1000 && !path[..path.len() - 1].contains(&step) {
                self.claim_paths(state, claim, branch.target, context, path, violation, steps)?;
            } else {
                steps.push(ClaimStep { branches: path.clone(), target: branch.target, violation: violation.clone() });
            }
            path.pop();
            *violation = before;
        }
        Ok(())
    }
}
