//! Runs of a relation.

use std::ops::ControlFlow;

use super::stepper::Stepper;

/// A run of a relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateRun {
    /// Valuations: a value for every variable, by id. Inputs are those of the step that leaves the state; those of the
    /// last state are meaningless unless it closes a cycle.
    pub states: Vec<Vec<i64>>,
    /// For a lasso: the position after the last.
    pub cycle_start: Option<usize>,
}

impl StateRun {
    /// The number of steps; for a lasso, including the step that closes the cycle.
    pub fn length(&self) -> u32 {
        let closing = usize::from(self.cycle_start.is_some());
        (self.states.len() + closing).saturating_sub(1) as u32
    }

    /// The run with the inputs of every step recomputed.
    ///
    /// # Panics
    ///
    /// If a step is not in the relation.
    pub fn with_inputs(mut self, stepper: &mut Stepper) -> StateRun {
        for at in 0..self.states.len() {
            let next = if at + 1 < self.states.len() { Some(at + 1) } else { self.cycle_start };
            let Some(next) = next else { break };
            let mut with_inputs = None;
            // Successors are compared without their inputs.
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
