//! Runs of a relation.

/// A run: valuations of all variables, inputs included, in the order of their ids.
///
/// The inputs of a valuation belong to the step that leaves it. In the last valuation of a finite run, inputs have the
/// first value of their domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The valuations.
    pub states: Vec<Vec<i64>>,
    /// Index of the successor of the last valuation, for an infinite run.
    pub cycle_start: Option<usize>,
}

impl Trace {
    /// Number of steps; of an infinite run, prefix and one pass of the cycle.
    pub fn len(&self) -> usize {
        self.states.len() - usize::from(self.cycle_start.is_none())
    }

    /// Whether the run has no step.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
