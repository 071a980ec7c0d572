//! Runs of a relation, as valuations.

use std::ops::ControlFlow;

use super::stepper::Stepper;

/// A run of a relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateRun {
    /// A value for every variable, in the order of their ids; inputs are those of the step out of the state. Inputs of
    /// the last state say nothing, unless it closes a cycle.
    pub states: Vec<Vec<i64>>,
    /// For a lasso: the position that follows the last.
    pub cycle_start: Option<usize>,
}

impl StateRun {
    /// Number of steps; for a lasso, the step back to the start of the cycle as well.
    pub fn length(&self) -> u32 {
        let closing = usize::from(self.cycle_start.is_some());
        (self.states.len() + closing).saturating_sub(1) as u32
    }

    /// The same run with the inputs of every step found again.
    ///
    /// # Panics
    ///
    /// If one of the steps is none.
    pub fn with_inputs(mut self, stepper: &mut Stepper) -> StateRun {
        for at in 0..self.states.len() {
            let next = if at + 1 < self.states.len() { Some(at + 1) } else { self.cycle_start };
            let Some(next) = next else { break };
            let mut with_inputs = None;
            // Inputs of a state do not matter to a step into it, so a state compares by what a packing would keep.
            let wanted = stepper.state_of(&self.states[next]);
            let _ = stepper.successors(&self.states[at], |step| {
                if step.next == wanted {
                    with_inputs = Some(step.now.to_vec());
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            self.states[at] = with_inputs.expect("a run takes steps");
        }
        self
    }
}
