//! Paths of any kind of system: moves of processes, states of a relation, entries of a trail.

use std::ops::ControlFlow;

use crate::interpreter::Move;
use crate::relation::Stepper;

/// A path from an initial state; with `cycle_start` it is a lasso.
///
/// The steps of a process model are its moves. A step of a relation has no name, so its path is the list of its states:
/// a value for every variable in the order of their ids. The inputs in a state are those of the step out of it; the
/// inputs of the last state mean nothing, unless the path is a lasso.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<S> {
    /// The steps in order.
    pub steps: Vec<S>,
    /// For a lasso: the number of steps before the cycle. The cycle of a path of moves is empty where the system stops and
    /// stutters; the state at this index follows the last state of a path of states.
    pub cycle_start: Option<usize>,
}

impl<S> Path<S> {
    /// A path without a cycle.
    pub fn finite(steps: Vec<S>) -> Self {
        Path { steps, cycle_start: None }
    }

    /// The steps before the cycle; all of them on a finite path.
    pub fn prefix(&self) -> &[S] {
        &self.steps[..self.cycle_start.unwrap_or(self.steps.len())]
    }

    /// The steps of the cycle; none on a finite path.
    pub fn cycle(&self) -> &[S] {
        &self.steps[self.prefix().len()..]
    }
}

impl<S> Default for Path<S> {
    fn default() -> Self {
        Path::finite(Vec::new())
    }
}

impl Path<Move> {
    /// Steps as traces count them, prefix and cycle: a rendezvous is two.
    pub fn length(&self) -> u32 {
        self.steps.iter().map(Move::length).sum()
    }

    /// Steps before the cycle.
    pub fn prefix_length(&self) -> u32 {
        self.prefix().iter().map(Move::length).sum()
    }
}

impl Path<Vec<i64>> {
    /// Number of transitions; for a lasso, the one that closes the cycle as well.
    pub fn length(&self) -> u32 {
        let closing = usize::from(self.cycle_start.is_some());
        (self.steps.len() + closing).saturating_sub(1) as u32
    }

    /// The same path with the inputs of every transition recomputed; none if the stepper's effort or the limits of the
    /// thread do not suffice to find a transition between two neighbouring states.
    pub fn with_inputs(mut self, stepper: &mut Stepper) -> Option<Self> {
        for at in 0..self.steps.len() {
            let next = if at + 1 < self.steps.len() { Some(at + 1) } else { self.cycle_start };
            let Some(next) = next else { break };
            let mut with_inputs = None;
            // The inputs of a state belong to the step out of it, so the target is compared without them.
            let wanted = stepper.state_of(&self.steps[next]);
            let listed = stepper.successors(&self.steps[at], |step| {
                if step.next == wanted {
                    with_inputs = Some(step.now.to_vec());
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            debug_assert!(
                listed.is_err() || with_inputs.is_some(),
                "neighbouring states are connected by a transition"
            );
            self.steps[at] = with_inputs?;
        }
        Some(self)
    }
}
