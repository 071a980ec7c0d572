//! What a search through a relation found, as valuations.

use std::ops::ControlFlow;

use lurcher_exec::relation::Stepper;

/// A run of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationRun {
    /// The states, each with the inputs of the step out of it. Inputs of the last state say nothing, unless it closes a
    /// cycle.
    pub states: Vec<Vec<i64>>,
    /// For a lasso: the position of the state that follows the last one.
    pub cycle_start: Option<usize>,
}

impl RelationRun {
    /// Steps from the first state to the last; for a lasso, the step back as well.
    pub fn len(&self) -> usize {
        self.states.len() - usize::from(self.cycle_start.is_none() && !self.states.is_empty())
    }

    /// Does it take no step?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes a run from its states by finding the inputs of every step again.
    pub(crate) fn with_inputs(mut states: Vec<Vec<i64>>, cycle_start: Option<usize>, stepper: &mut Stepper) -> Self {
        for at in 0..states.len() {
            let Some(next) = (at + 1 < states.len()).then_some(at + 1).or(cycle_start) else { break };
            let mut with_inputs = None;
            // Inputs of a state do not matter to a step into it, so a state compares by what a packing would keep.
            let wanted = stepper.state_of(&states[next]);
            let _ = stepper.successors(&states[at], |step| {
                if step.next == wanted {
                    with_inputs = Some(step.now.to_vec());
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            states[at] = with_inputs.expect("the search took this step");
        }
        RelationRun { states, cycle_start }
    }
}
